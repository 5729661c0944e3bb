public import EventMVVM

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension ZoneRule {
  /// The zone of this process: that of the variable `TZ` if it is set, else that of the system.
  ///
  /// The first use reads it with `tzset`; later changes of the variable have no effect.
  public static let current: ZoneRule = {
    tzset()
    return ZoneRule(name: systemName(), offsetSeconds: systemOffset)
  }()

  /// Returns the offset of the process's zone from the C library.
  @Sendable private static func systemOffset(at instant: Instant) -> Int {
    var second = time_t(instant.milliseconds / 1000)
    var parts = tm()
    guard localtime_r(&second, &parts) != nil else { return 0 }
    return Int(parts.tm_gmtoff)
  }

  /// The value of `TZ`, else the target of the system's link to the zone database.
  private static func systemName() -> String {
    if let value = getenv("TZ") {
      let name = String(cString: value)
      return name.isEmpty ? "UTC" : String(name.drop { $0 == ":" })
    }
    var path = [CChar](repeating: 0, count: 1024)
    let length = max(readlink("/etc/localtime", &path, path.count), 0)
    let target = String(decoding: path[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parts = target.split(separator: "/")
    guard let root = parts.lastIndex(of: "zoneinfo"), root + 1 < parts.count else { return "local" }
    return String(target[parts[root + 1].startIndex...])
  }
}
