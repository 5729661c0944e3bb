public import EventMVVM

/// A plugin that says in one declaration all that it brings to a program: commands, options and
/// verbs of the process, announcements, what programs are sent, and work around a session.
///
/// Everything has a default but what ``EventMVVM/Plugin`` requires. Where the plugin is switched off,
/// or its line is taken out of the list, all of it is gone.
///
/// ```swift
/// /// Says goodbye at the end of a session, with a word that is given.
/// struct Farewell: ProgramPlugin {
///   let name = "farewell"
///   private let word = Locked<String?>(nil)
///
///   var options: OptionGroup? {
///     OptionGroup(FarewellOptions.spec, FarewellOptions()) { [word] options in
///       word.withLock { $0 = options.goodbye }
///     }
///   }
///
///   func join(_ stream: EventStream) {}
///
///   func finish(_ session: ProcessSession) {
///     if let word = word.withLock({ $0 }) { session.remark("\(word) from \(session.program)!") }
///   }
/// }
/// ```
///
/// A process calls its plugins in the order of its list, each method once, on the main thread but
/// for `leave`: what takes the ``options``, then ``prepare(_:_:)``, ``isolate()`` where something
/// records, `join`, `start` and ``begin(_:)``; the frontend runs; then ``finish(_:)``, `leave` and
/// ``trouble``. A replay calls ``isolate()``, `join` and `start` alone.
public protocol ProgramPlugin: CommandPlugin {
  /// The options of the process that it brings; nil if it brings none.
  var options: OptionGroup? { get }
  /// The verbs of the process that it brings, in the order of help.
  var verbs: [ProcessVerb] { get }
  /// Its announcements to people who are doing something else.
  var announcements: [any Announcement.Type] { get }
  /// What it sends to programs.
  var wire: Wire { get }
  /// The events that it brings and whose causes lie outside the stream, such as the answer of a
  /// service: a recording contains them, and a replay feeds them. Commands need not be listed.
  var inputs: [any (Event & Decodable).Type] { get }

  /// Prepares a session before its stream is created.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - environment: The environment of its stream, which the plugin may wrap.
  /// - Returns: What records the session; nil if this plugin does not.
  /// - Throws: Why the session can't begin; a ``EventMVVM/Failure`` is reported as it is.
  func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)?
  /// Makes the plugin depend on the stream alone: the session is recorded or replayed, and must not
  /// differ by the content of other files. Called before it joins.
  func isolate()
  /// Begins its work in a session, when everything has joined and before the frontend runs.
  ///
  /// - Throws: Why the session can't be held; the plugins that have begun finish, and the process
  ///   ends with the failure.
  func begin(_ session: ProcessSession) throws
  /// Finishes what ``begin(_:)`` began, when the frontend has ended and before the plugins leave.
  func finish(_ session: ProcessSession)
  /// What has gone wrong that the user has to know at the end of the session; nil if nothing has.
  var trouble: Failure? { get }
}

extension ProgramPlugin {
  /// None: its commands have no prefix.
  public var group: String { "" }
  /// None.
  public var commands: [any Command.Type] { [] }
  /// None.
  public var options: OptionGroup? { nil }
  /// None.
  public var verbs: [ProcessVerb] { [] }
  /// None.
  public var announcements: [any Announcement.Type] { [] }
  /// Nothing.
  public var wire: Wire { Wire() }
  /// None.
  public var inputs: [any (Event & Decodable).Type] { [] }
  /// Nothing to prepare.
  public func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)? { nil }
  /// It depends on nothing else.
  public func isolate() {}
  /// Nothing to begin.
  public func begin(_ session: ProcessSession) throws {}
  /// Nothing to finish.
  public func finish(_ session: ProcessSession) {}
  /// Nothing.
  public var trouble: Failure? { nil }
}

/// What records a session that a plugin has prepared; see ``ProgramPlugin/prepare(_:_:)``.
public protocol SessionRecording: Sendable {
  /// Records what is stored at the beginning, after the servers have joined and before the plugins.
  ///
  /// - Parameter image: Returns what is stored; nil if nothing is yet.
  func begin(with image: () throws -> [UInt8]?)
  /// Records an external change; called on the stream's home thread, as soon as it matters to what
  /// the session reads or writes.
  func note(external change: any Encodable)
}
