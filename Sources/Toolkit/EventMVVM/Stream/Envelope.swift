/// What belongs to a delivery in addition to the event (promise 5).
///
/// ```swift
/// stream.on(ResponseGreeting.self) { _, turn in
///   log.append("\(turn.sequence) because of \(turn.cause ?? 0), for \(turn.originName)")
/// }
/// ```
public struct Envelope: Sendable, Equatable {
  /// Its position in the one order of the stream; counts from 1, without gaps.
  public let sequence: UInt64
  /// The sequence of the event being handled when it was sent; nil for a root.
  public let cause: UInt64?
  /// The first event of the chain of causes.
  public let root: Root
  /// The frontend or plugin that sent the root.
  public let origin: Origin
  /// When its turn came; read from the clock at most once an event, and only on demand.
  public let time: Instant
}

/// The first event of a chain of causes, unique across processes.
public struct Root: Sendable, Hashable, CustomStringConvertible {
  /// The session (one stream of one process) in which it arose; random.
  public let session: UInt64
  /// The sequence of the root event in that session.
  public let number: UInt64

  /// Names a root, for instance of another process.
  @inlinable
  public init(session: UInt64, number: UInt64) {
    self.session = session
    self.number = number
  }

  /// The session in hexadecimal, a hyphen, the number.
  public var description: String {
    let digits = String(session, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits + "-\(number)"
  }

  /// Reads what ``description`` writes.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let session = UInt64(parts[0], radix: 16),
      let number = UInt64(parts[1])
    else { return nil }
    self.init(session: session, number: number)
  }
}

/// The frontend session or the plugin whose input an event follows from.
///
/// Two sessions of one frontend (two connections) are two origins of one name.
///
/// ```swift
/// let cli = stream.joined(as: "cli")
/// cli.send(RequestGreeting())
/// ```
public struct Origin: Sendable, Hashable {
  /// Its number among the origins of its stream.
  @usableFromInline package let index: UInt32

  /// The application itself, before any plugin joined.
  public static let application = Origin(index: 0)

  /// Creates the origin of a number.
  @usableFromInline
  package init(index: UInt32) {
    self.index = index
  }
}
