public import EventMVVM

/// A face that a program has, as its list of frontends names it: the words of the process that it
/// answers to, and the sessions that it holds, either as what the process lives for or beside that.
///
/// Everything has a default but the name. Where its line is taken out of the list, its verbs, its
/// options, their help and their completion are gone with it.
///
/// ```swift
/// /// Runs commands that are given after `echo`, one a word.
/// struct Echo: ProgramFrontend {
///   let name = "echo"
///   var verbs: [ProcessVerb] {
///     [
///       ProcessVerb(EchoArguments.spec, EchoArguments(), isSession: true) { arguments, host in
///         try host.run(.job(.writes)) { EchoFrontend($0.catalogue, arguments.lines) }
///       }
///     ]
///   }
/// }
/// ```
///
/// A process reads its words first. Where they name a verb, that runs; else the first frontend of
/// the list that answers ``run(_:)`` for the command that they name, or ``run(atTerminal:)`` where
/// they name nothing. Around a session the frontends of the list are called in its order, each
/// method once, on the main thread: ``prepare(_:)`` before the stream is created, ``begin(_:_:)``
/// when the plugins have begun, and ``finish(_:)`` when the frontend that the process lives for
/// has ended and before the plugins finish.
public protocol ProgramFrontend: Sendable {
  /// Its name.
  var name: String { get }
  /// The options of the process that it brings; nil if it brings none.
  var options: OptionGroup? { get }
  /// The verbs of the process that it brings, in the order of help.
  var verbs: [ProcessVerb] { get }
  /// What the process does where its words name nothing.
  ///
  /// - Parameter isAtTerminal: Whether standard input and output are a terminal.
  /// - Returns: What it does; nil leaves that to the next frontend.
  func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run?
  /// What the process does where its words are one command.
  ///
  /// - Parameter command: The command.
  /// - Returns: What it does; nil leaves that to the next frontend.
  func run(_ command: any Command) -> ProcessVerb.Run?

  /// Prepares to serve beside a session, before its stream is created.
  ///
  /// - Throws: Why the session can't begin; a ``EventMVVM/Failure`` is reported as it is.
  func prepare(_ session: ProcessSession) throws
  /// Begins to serve beside a session, on threads of its own; the call returns at once.
  ///
  /// - Parameters:
  ///   - session: The session that the process lives for.
  ///   - ports: Makes ports on the same stream for further sessions.
  /// - Throws: Why it can't; the process ends with the failure.
  func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws
  /// Ends what ``prepare(_:)`` and ``begin(_:_:)`` began, if they have: its clients are told, and no
  /// port is used any more. Called also where it, or another, could not begin.
  func finish(_ session: ProcessSession)
}

/// Makes a port on the stream of a process in the name of a further session, from any thread.
///
/// Each name has an undo, names of records, screens and cancellation of its own; where the session
/// ends before the process does, ``EventMVVM/ViewPort/end()`` releases them.
public typealias SessionPorts = @Sendable (_ name: String) -> ViewPort

extension ProgramFrontend {
  /// None.
  public var options: OptionGroup? { nil }
  /// None.
  public var verbs: [ProcessVerb] { [] }
  /// Nothing.
  public func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run? { nil }
  /// Nothing.
  public func run(_ command: any Command) -> ProcessVerb.Run? { nil }
  /// Nothing to prepare.
  public func prepare(_ session: ProcessSession) throws {}
  /// It serves nobody beside a session.
  public func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {}
  /// Nothing to end.
  public func finish(_ session: ProcessSession) {}
}
