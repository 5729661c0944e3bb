public import EventMVVM
package import JSONText

/// What a session reports of the program, and what it answers.
public struct SessionOptions: Sendable {
  /// The program's name.
  public var program: String
  /// Its version.
  public var version: String
  /// The real path of its store; empty if there is none.
  public var store = ""
  /// The names of the plugins that are on, out of those that can be switched.
  public var plugins: [String] = []
  /// The answers to writes that were given a key; those of one process share them.
  package var keys = IdempotencyKeys()
  /// What the client is told once its session begins.
  public var notice: Failure?
  /// Whether what a command would ask is answered with yes.
  public var saysYes = false
  /// The client's process: the session ends with it.
  public var clientProcess: Int?

  /// Where a subscription begins that does not say; nil is with the next event.
  package var resumePoints: EventPositions?
  /// How many events may wait for a subscription before it is over: as many as the log keeps, or
  /// fewer.
  package var maxQueuedEvents = Self.defaultMaxQueuedEvents
  /// Called after each part of a long list with what goes on with it; nil goes on at once.
  package var afterPart: (@Sendable (_ goOn: @escaping @Sendable () -> Void) -> Void)?
  /// Whether changes before the client's first request are notified, too.
  package var tellsEarlierChanges = false

  /// How many events may wait for a subscription of `serve`.
  static let defaultMaxQueuedEvents = 16_384

  /// Nothing is answered, and no process is watched.
  public init(program: String, version: String) {
    self.program = program
    self.version = version
  }
}

extension SessionOptions {
  /// What is served, as `session/describe` says it.
  package var description: JSON {
    .object([
      .init("program", .string(program)), .init("version", .string(version)),
      .init("store", .string(store)), .init("plugins", .array(plugins.map { .string($0) })),
      .init("yes", .bool(saysYes)),
    ])
  }
}
