public import EventMVVM
import EventValues
public import JSONText

/// The assembly of a program for a replay.
public struct ReplaySetup {
  /// The names of the plugins that were on, out of those that can be switched.
  public var plugins: [String]
  /// Whether the session lasted, so that services answered in the background.
  public var isLasting: Bool
  /// The environment of the stream: its clock, ids, zone and session.
  public var environment: Environment
  /// The stored data at the beginning; nil if there was none.
  public var image: [UInt8]?

  /// Creates the assembly of a recorded session.
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

/// A program that was assembled for a replay, with a temporary store: everything has joined, and
/// nothing has been sent.
public struct ReplaySession {
  /// The stream, whose home thread is the current one.
  public let stream: EventStream
  /// The types of the events whose causes are outside the stream, including commands.
  public let inputs: [any (Event & Decodable).Type]
  /// Applies an external change that was recorded, before the event during which it was noticed.
  public let applyExternal: (_ change: JSON, _ reader: any ValueReader) throws -> Void
  /// Does not return once a signal is ending the process, whose store is then incomplete; to be
  /// called before a finding is printed.
  public let waitIfEnding: () -> Void

  /// Creates it; for the process that assembles it.
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
  /// - Throws: The problem of the JSON, and its position.
  func read<T: Decodable>(_ type: T.Type, from json: JSON) throws -> T
}

extension BodyDecoder: ValueReader {}
