public import EventMVVM

/// A plugin that declares all its contributions to a program: commands, options and verbs of the
/// process, announcements, notices for programs, and work around a session.
///
/// Everything has a default except the requirements of ``EventMVVM/Plugin``. Where the plugin is
/// switched off, or its line is removed from the list, all of it is gone.
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
/// A process calls its plugins in the order of its list, each method once, on the main thread
/// except for `leave`: first for the ``options``, then ``prepare(_:_:)``, ``isolate()`` for a
/// recorded session, `join`, `start` and ``begin(_:)``; the frontend runs; the plugin's tasks are
/// ended; then ``finish(_:)``, `leave` and ``trouble``. A replay calls ``isolate()``, `join` and
/// `start` alone.
public protocol ProgramPlugin: CommandPlugin {
  /// Its options of the process; nil for none.
  var options: OptionGroup? { get }
  /// Its verbs of the process, in the order of help.
  var verbs: [ProcessVerb] { get }
  /// Its announcements to people during other work.
  var announcements: [any Announcement.Type] { get }
  /// Its notices and states for programs.
  var wire: Wire { get }
  /// Whether it begins also in a process that runs one command or a script, and ends; where it does
  /// not, ``begin(_:)`` and ``finish(_:)`` are called in a session that lasts alone.
  var wantsJobs: Bool { get }

  /// Prepares a session before its stream is created.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - environment: The environment of its stream, which the plugin may wrap.
  /// - Returns: The recording of the session; nil if this plugin does not record.
  /// - Throws: Why the session can't begin; an ``EventMVVM/Failure`` is reported unchanged.
  func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)?
  /// Makes the plugin depend on the stream alone: the session is recorded or replayed, and must not
  /// differ by the content of other files. Called before it joins.
  func isolate()
  /// Begins its work in a session, when everything has joined and before the frontend runs.
  ///
  /// Unlike `start`, it is not called in a replay, which is fed the recorded inputs: a source of
  /// inputs, such as a timer, begins here. The session has the ``ProcessSession/stream`` in the
  /// plugin's name, and ends what is started by ``ProcessSession/task(_:)``.
  ///
  /// - Throws: Why the session can't run; the plugins that have begun finish, and the process
  ///   ends with the failure.
  func begin(_ session: ProcessSession) throws
  /// Finishes the work of ``begin(_:)``, when the frontend and the plugin's tasks have ended and
  /// before the plugins leave.
  func finish(_ session: ProcessSession)
  /// The failure to report at the end of the session; nil for none.
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
  /// Empty.
  public var wire: Wire { Wire() }
  /// It begins in each.
  public var wantsJobs: Bool { true }
  /// Does nothing, and does not record.
  public func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)? { nil }
  /// Does nothing, as it depends on nothing else.
  public func isolate() {}
  /// Does nothing.
  public func begin(_ session: ProcessSession) throws {}
  /// Does nothing.
  public func finish(_ session: ProcessSession) {}
  /// None.
  public var trouble: Failure? { nil }
}

/// The recording of a session, by a plugin; see ``ProgramPlugin/prepare(_:_:)``.
public protocol SessionRecording: Sendable {
  /// Records the stored data at the beginning, after the servers have joined and before the
  /// plugins.
  ///
  /// - Parameter image: Returns the stored data; nil if there is none.
  func begin(with image: () throws -> [UInt8]?)
  /// Records an external change; called on the stream's home thread, as soon as it matters to what
  /// the session reads or writes.
  func note(external change: any Encodable)
}
