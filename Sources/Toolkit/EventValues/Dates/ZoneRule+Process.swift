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

  /// The value of the variable `TZ` where it names no zone; nil where the zone is known.
  ///
  /// The C library takes UTC then, without a word.
  public static var unknownName: String? {
    guard let value = getenv("TZ") else { return nil }
    let text = String(cString: value)
    let name = text.first == ":" ? text.dropFirst() : text[...]
    guard !name.isEmpty, !["UTC", "GMT"].contains(name), !isRule(name.utf8) else { return nil }
    let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
    let path = name.first == "/" ? String(name) : "\(folder)/\(name)"
    return isZone(path) ? nil : String(name)
  }

  /// Whether a file describes a zone (RFC 9636).
  private static func isZone(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var mark = [UInt8](repeating: 0, count: 4)
    return read(file, &mark, mark.count) == mark.count && mark.elementsEqual("TZif".utf8)
  }

  /// Whether a value of `TZ` is a rule, as `CET-1CEST` and `<+03>-3` are (POSIX.1-2024, 8.3).
  private static func isRule(_ value: Substring.UTF8View) -> Bool {
    var rest = value
    if rest.first == UInt8(ascii: "<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      let name = rest.prefix { (0x61...0x7A).contains($0 | 0x20) }
      guard name.count >= 3 else { return false }
      rest = rest.dropFirst(name.count)
    }
    if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    return rest.first.map { (0x30...0x39).contains($0) } ?? false
  }

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
