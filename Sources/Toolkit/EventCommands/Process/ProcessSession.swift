public import EventMVVM

/// A session of a process, as its plugins and frontends see it.
///
/// ```swift
/// func begin(_ session: ProcessSession) {
///   guard let stream = session.stream else { return }
///   let pause = Duration.seconds(60 * minutes.withLock { $0 })
///   session.task { [clock] in
///     while (try? await clock.sleep(for: pause)) != nil { stream.send(ResponseBreak()) }
///   }
/// }
/// ```
public struct ProcessSession: Sendable {
  /// The kind of a session, which determines how long it lasts.
  public enum Kind: Sendable, Hashable {
    /// A command or a script, and the process ends.
    case job(Effect)
    /// A conversation with a person at a terminal, who is shown announcements.
    case conversation
    /// A service for a program, for as long as that is connected.
    case service
  }

  /// How a session may affect the store.
  ///
  /// ```swift
  /// guard session.effect == .writes else { return }
  /// ```
  public enum Effect: Sendable {
    /// Nothing: scripts are only checked.
    case none
    /// It only reads: one command that changes nothing.
    case reads
    /// It may change anything.
    case writes
  }

  /// The name of the program.
  public let program: String
  /// The version of the program.
  public let version: String
  /// All commands.
  public let catalogue: Catalogue
  /// The stream, in the name of the plugin that begins; nil before it is created, and for a frontend,
  /// which is given ports.
  public var stream: EventStream?
  /// The names of the plugins that are on, out of those that can be switched.
  public var plugins: [String] = []
  /// The names of all plugins that can be switched.
  public var availablePlugins: [String] = []
  /// A flag of each plugin and frontend whose options for sessions were given.
  public var givenFlags: [String] = []
  /// The path of the store; empty if there is none.
  public var store = ""
  /// Its kind.
  public var kind = Kind.job(.writes)
  /// Whether the questions of commands are answered with yes.
  public var saysYes = false
  /// Returns the path of a file or folder of this name in the user's configuration folder of the
  /// program; nil if there is no such folder.
  public var configuration: @Sendable (_ name: String) -> String? = { _ in nil }
  /// Returns the path of a file or folder of this name in the user's state folder of the program;
  /// nil if there is no such folder.
  public var state: @Sendable (_ name: String) -> String? = { _ in nil }
  /// Prints a sentence that concerns no command; any thread.
  ///
  /// At a terminal it prints nothing: there the announcement is shown.
  public var remark: @Sendable (_ sentence: String) -> Void = { _ in }
  let tasks = SessionTasks()
  /// Whose tasks it starts.
  var owner = 0
  /// Where they run; nil where the stream says it.
  var executor: (any TaskExecutor)?

  /// Creates a session; the other properties have defaults that suit a test.
  public init(_ program: String, version: String, _ catalogue: Catalogue) {
    self.program = program
    self.version = version
    self.catalogue = catalogue
  }

  /// Whether it lasts as long as its user does: a conversation or a service.
  public var isLasting: Bool {
    if case .job = kind { false } else { true }
  }

  /// Whether a person at a terminal enters commands, and is shown announcements.
  public var isAtTerminal: Bool { kind == .conversation }

  /// How it may affect the store.
  public var effect: Effect {
    if case .job(let effect) = kind { effect } else { .writes }
  }
}
