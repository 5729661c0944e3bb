public import EventMVVM
public import JSONText

/// How a program is put together for a replay.
public struct ReplaySetup {
  /// The names of the plugins that were on, out of those that can be switched.
  public var plugins: [String]
  /// Whether the session lasted, so that services answered in the background.
  public var isLasting: Bool
  /// The environment of the stream: its clock, ids, zone and session.
  public var environment: Environment
  /// What was stored at the beginning; nil if nothing was.
  public var image: [UInt8]?

  /// Describes the recorded session.
  public init(
    plugins: [String],
    isLasting: Bool,
    environment: Environment,
    image: [UInt8]? = nil
  ) {
    self.plugins = plugins
    self.isLasting = isLasting
    self.environment = environment
    self.image = image
  }
}

/// A program that is put together for a replay, with a temporary store: everything has joined, and
/// nothing has been sent.
public struct ReplaySession {
  /// The stream, whose home thread is the current one.
  public let stream: EventStream
  /// The types of the events whose causes lie outside the stream, those of commands included.
  public let inputs: [any (Event & Decodable).Type]
  /// Applies an external change that was recorded, before the event during which it was found.
  public let applyExternal: (_ change: JSON, _ reader: any ValueReader) throws -> Void
  /// Does not return once a signal is ending the process, whose store is then incomplete; to be
  /// called before a finding is printed.
  public let waitIfEnding: () -> Void

  /// Describes it; for the process that puts it together.
  package init(
    stream: EventStream,
    inputs: [any (Event & Decodable).Type],
    applyExternal: @escaping (JSON, any ValueReader) throws -> Void,
    waitIfEnding: @escaping () -> Void
  ) {
    self.stream = stream
    self.inputs = inputs
    self.applyExternal = applyExternal
    self.waitIfEnding = waitIfEnding
  }
}

/// Reads values from the JSON of a recording.
public protocol ValueReader {
  /// Reads a value.
  ///
  /// - Throws: What is wrong with the JSON, and where.
  func read<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T
}
