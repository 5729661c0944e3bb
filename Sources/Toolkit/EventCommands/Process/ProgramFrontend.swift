public import EventMVVM

/// A frontend of a program, as its list of frontends has it: the words of the process that it
/// handles, and its sessions, either as the main frontend of the process or in addition to that.
///
/// Everything has a default but the name. Without its line in the list its verbs, its options,
/// their help and their completion are gone as well.
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
/// the list that returns an action from ``run(_:)`` for the command that they name, or from
/// ``run(atTerminal:)`` where there are no words. Around a session the frontends of the list are
/// called in its order, each method once, on the main thread: ``prepare(_:)`` before the stream is
/// created, ``begin(_:_:)`` when the plugins have begun, and ``finish(_:)`` when the main frontend
/// has ended and before the plugins finish.
public protocol ProgramFrontend: Sendable {
  /// Its name.
  var name: String { get }
  /// Its options of the process; nil for none.
  var options: OptionGroup? { get }
  /// Its verbs of the process, in the order of help.
  var verbs: [ProcessVerb] { get }
  /// Returns the action of a process without words.
  ///
  /// - Parameter isAtTerminal: Whether standard input and output are a terminal.
  /// - Returns: The action; nil leaves it to the next frontend.
  func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run?
  /// Returns the action of a process whose words are one command.
  ///
  /// - Parameter command: The command.
  /// - Returns: The action; nil leaves it to the next frontend.
  func run(_ command: any Command) -> ProcessVerb.Run?

  /// Prepares to serve in addition to a session, before its stream is created.
  ///
  /// - Throws: Why the session can't begin; an ``EventMVVM/Failure`` is reported unchanged.
  func prepare(_ session: ProcessSession) throws
  /// Begins to serve in addition to a session, on threads of its own; the call returns at once.
  ///
  /// - Parameters:
  ///   - session: The main session of the process.
  ///   - ports: Creates ports on the same stream for more sessions.
  /// - Throws: Why it can't; the process ends with the failure.
  func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws
  /// Ends the work of ``prepare(_:)`` and ``begin(_:_:)``: notifies its clients, and uses no port
  /// any more. Called also where a frontend could not begin.
  func finish(_ session: ProcessSession)
}

/// Creates a port on the stream of a process for another session, from any thread.
///
/// Each session has its own undo, names of records, screens and cancellation; where it
/// ends before the process, ``EventMVVM/ViewPort/end()`` releases them.
///
/// ```swift
/// let port = ports("lines \(client)")
/// Thread.detachNewThread { serve(client, session.catalogue, port) }
/// ```
public typealias SessionPorts = @Sendable (_ name: String) -> ViewPort

extension ProgramFrontend {
  /// None.
  public var options: OptionGroup? { nil }
  /// None.
  public var verbs: [ProcessVerb] { [] }
  /// None.
  public func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run? { nil }
  /// None.
  public func run(_ command: any Command) -> ProcessVerb.Run? { nil }
  /// Does nothing.
  public func prepare(_ session: ProcessSession) throws {}
  /// Does nothing.
  public func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {}
  /// Does nothing.
  public func finish(_ session: ProcessSession) {}
}
