package import EventMVVM
import JSONText

/// The description of the session at the beginning of a recording.
package struct RecordingHeader: Sendable {
  /// The version of the format.
  static let format: Int64 = 1

  /// The program, with its version.
  package var program: String
  /// The session, which is part of each root.
  package var session: UInt64
  /// When it began.
  package var start: Instant
  /// The zone.
  package var zone: ZoneRule
  /// The version of the rules; 0 in a recording of before there was one.
  package var rules: Int
  /// The locale, for readers of the recording: the program has none.
  package var locale: String
  /// Whether the session was interactive, so that services answered in the background.
  package var isInteractive: Bool
  /// The plugins that could be switched and were on.
  package var plugins: [String]

  /// Creates the header of a session.
  ///
  /// - Parameters:
  ///   - program: The program, with its version.
  ///   - environment: The environment of the session.
  ///   - locale: The locale.
  ///   - isInteractive: Whether the session is interactive.
  ///   - plugins: The plugins that are on.
  package init(
    program: String,
    _ environment: Environment,
    locale: String,
    isInteractive: Bool,
    plugins: [String]
  ) {
    self.program = program
    session = environment.session
    start = environment.now()
    zone = environment.zone
    rules = environment.rules
    self.locale = locale
    self.isInteractive = isInteractive
    self.plugins = plugins
  }

  /// Reads the first line of a recording; nil if it is invalid, or of a later format.
  init?(_ json: JSON) {
    guard case .integer(Self.format)? = json["recording"],
      case .string(let program)? = json["program"],
      case .string(let session)? = json["session"], let number = UInt64(session, radix: 16),
      case .integer(let start)? = json["start"], let zone = RecordedZone(json["zone"]),
      case .string(let locale)? = json["locale"],
      case .bool(let isInteractive)? = json["interactive"],
      case .array(let plugins)? = json["plugins"]
    else { return nil }
    self.program = program
    self.session = number
    self.start = Instant(milliseconds: start)
    self.zone = zone.rule
    rules = json["rules"]?.wholeNumber.map { Int($0) } ?? 0
    self.locale = locale
    self.isInteractive = isInteractive
    self.plugins = plugins.compactMap { if case .string(let name) = $0 { name } else { nil } }
  }

  /// The members of the first line.
  var members: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("recording", Self.format)
      json.member("program", program)
      json.member("session", String(session, radix: 16))
      json.member("start", start.milliseconds)
      json.member("interactive", isInteractive)
      json.member("locale", locale)
      json.member("zone", RecordedZone(zone).json)
      json.member("rules", rules)
      json.member("plugins", JSON.array(plugins.map { .string($0) }))
    }
    return Array(json.bytes.dropFirst().dropLast())
  }
}
