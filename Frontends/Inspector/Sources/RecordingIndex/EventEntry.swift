/// An event of a recording: its envelope, and where its line is in the file.
public struct EventEntry: Sendable {
  /// Stands for no position.
  static let none = UInt32.max

  /// What an event is, apart from its type.
  struct Marks: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    /// It came from outside a handler.
    static let input = Marks(rawValue: 1)
    /// Its sender only updates itself: no person or client asked for it.
    static let housekeeping = Marks(rawValue: 2)
    /// It is a response that failed.
    static let failed = Marks(rawValue: 4)
  }

  /// Its number in the one order of its session.
  public internal(set) var sequence: UInt64 = 0
  /// The first event of its chain of causes.
  public internal(set) var root = RootKey(rawValue: 0)
  /// When it was sent, in milliseconds since 1970.
  public internal(set) var time: Int64 = 0
  /// Where its line begins in the file.
  var offset: UInt64 = 0
  /// The bytes of the line, without the end of the line.
  var length: UInt32 = 0
  /// Where its body begins in the line; 0 if it has none.
  var body: UInt32 = 0
  /// Where its type begins in the line.
  var name: UInt32 = 0
  /// The position of its cause.
  var cause = Self.none
  /// The position of the request that it answers.
  var request = Self.none
  /// The index of its type.
  var type: UInt16 = 0
  /// The index of its origin.
  var origin: UInt16 = 0
  /// The number of events that led to it.
  public internal(set) var depth: UInt16 = 0
  var marks: Marks = []

  /// Whether it came from outside a handler.
  public var isInput: Bool { marks.contains(.input) }
  /// Whether it is a response that failed.
  public var isFailed: Bool { marks.contains(.failed) }
}

/// A root, of the recorded session or of another one.
public struct RootKey: RawRepresentable, Hashable, Sendable {
  /// The number of a root of the session; for any other, its index with the highest bit set.
  public let rawValue: UInt64

  /// Creates a key.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The root of another session, by its index among those.
  init(external index: Int) { rawValue = UInt64(index) | 1 << 63 }

  /// Its index among the roots of other sessions; nil for one of this session.
  var externalIndex: Int? { rawValue >> 63 == 1 ? Int(rawValue & ~(1 << 63)) : nil }
}

/// A type of events in a recording.
public struct EventType: Sendable {
  /// Whom an event is for.
  public enum Layer: String, Sendable {
    /// Between model servers and view model servers.
    case model
    /// Between view model servers and views.
    case viewModel
  }

  /// What an event does.
  public enum Kind: String, Sendable {
    /// It asks for a reply.
    case request
    /// It answers a request.
    case response
    /// It states what has happened.
    case fact
  }

  /// Its name.
  public let name: String
  /// Its layer; nil if the recording does not say so.
  public internal(set) var layer: Layer?
  /// Its kind; nil if the recording does not say so and the name does not either.
  public internal(set) var kind: Kind?
  /// The type of the reply, for a request.
  public internal(set) var reply: String?
  /// The number of its events.
  public internal(set) var count = 0
  /// How many of them only update their sender.
  public internal(set) var housekeeping = 0
  /// What its events say of records or of a state.
  var changes: ChangeSource?

  init(_ name: String) {
    self.name = name
    kind = name.hasPrefix("Request") ? .request : name.hasPrefix("Response") ? .response : nil
    changes = ChangeSource(of: name)
  }
}
