package import EventCommands
public import EventMVVM
import Platform
package import JSONText

/// The description of the program in a session, and its default answers.
public struct SessionOptions: Sendable {
  /// The program's name.
  public var program: String
  /// Its version.
  public var version: String
  /// The real path of its store; empty if there is none.
  public var store = ""
  /// The names of the plugins that are on, out of those that can be switched.
  public var plugins: [String] = []
  /// The answers to writes with a key; the sessions of one process share them.
  package var keys = IdempotencyKeys()
  /// The notice that the client gets when its session begins.
  public var notice: Failure?
  /// Whether the questions of commands are answered with yes.
  public var saysYes = false
  /// The client's process: the session ends with it.
  public var clientProcess: Int?

  /// Where subscriptions without a number begin; nil for the next event.
  package var resumePoints: EventPositions?
  /// How many events may wait for a subscription before it ends: as many as the log stores, or
  /// fewer.
  package var maxQueuedEvents = Self.defaultMaxQueuedEvents
  /// Called after each part of a long list with a closure that continues; nil continues at once.
  package var afterPart: (@Sendable (_ goOn: @escaping @Sendable () -> Void) -> Void)?
  /// Whether changes before the client's first request are sent as well.
  package var tellsEarlierChanges = false

  /// How many events may wait for a subscription of `serve`.
  static let defaultMaxQueuedEvents = 16_384

  /// Creates options without a store, a notice or a watched process.
  public init(program: String, version: String) {
    self.program = program
    self.version = version
  }
}

extension SessionOptions {
  /// Creates the description and the default answers for clients of a session.
  package init(_ session: ProcessSession) {
    self.init(program: session.program, version: session.version)
    store = realPath(ofStore: session.store)
    plugins = session.plugins
    saysYes = session.saysYes
  }

  /// The description of what is served, for `session/describe`.
  package var description: JSON {
    .object([
      .init("program", .string(program)), .init("version", .string(version)),
      .init("store", .string(store)), .init("plugins", .array(plugins.map { .string($0) })),
      .init("yes", .bool(saysYes)),
    ])
  }
}
