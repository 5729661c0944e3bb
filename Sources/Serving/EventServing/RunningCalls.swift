import EventCommands
import EventMVVM
import EventRPC

/// The commands in progress; of two with one id, the later one can be cancelled.
final class RunningCalls: Sendable {
  private struct State {
    var byID: [RPCID: RunningCall] = [:]
    var running: Set<RunningCall> = []
    /// The roots that wait for a person, of commands whose conversations are not known yet.
    var unknown: Set<Root> = []
    /// In the order in which they are called.
    var whenIdle: [@Sendable () -> Void] = []

    /// Removes a command.
    ///
    /// - Returns: What is called now that none is left.
    mutating func end(_ call: RunningCall) -> [@Sendable () -> Void] {
      running.remove(call)
      if let id = call.call.responder?.id, byID[id] === call { byID[id] = nil }
      return running.isEmpty ? whenIdle : []
    }
  }

  private let state = Locked(State())

  /// Notes that a command begins.
  func begin(_ call: RunningCall) {
    state.withLock { state in
      state.running.insert(call)
      if let id = call.call.responder?.id { state.byID[id] = call }
    }
  }

  /// Notes that a command's turn has come.
  func take(_ turn: CallSequence.Turn, of call: RunningCall) {
    state.withLock { _ in call.turn = turn }
  }

  /// Notes that a command has been answered.
  ///
  /// - Returns: What it has taken that others wait for.
  func end(_ call: RunningCall) -> (CallSequence.Turn?, LongReads.Read?) {
    let (taken, whenIdle) = state.withLock { state in
      // The run and the read retain the call.
      call.run = nil
      return ((call.turn, call.read.take()), state.end(call))
    }
    callBack(whenIdle)
    return taken
  }

  /// Whether the client has cancelled a command.
  func isCancelled(_ call: RunningCall) -> Bool {
    state.withLock { _ in call.isCancelled }
  }

  /// Stores the read that a command waits to begin; if it was cancelled before, refuses it.
  func follow(_ call: RunningCall, _ read: LongReads.Read) {
    let isCancelled = state.withLock { _ in
      call.read = read
      return call.isCancelled
    }
    if isCancelled { LongReads.ofProcess.cancel(read) }
  }

  /// Stores the run of a command; if the command was cancelled before, cancels it now.
  func follow(_ call: RunningCall, _ run: CommandRun) {
    let isCancelled = state.withLock { _ in
      call.run = run
      return call.isCancelled
    }
    if isCancelled { run.cancel() }
  }

  /// Cancels the command with an id, if its work has not begun.
  func cancel(_ id: RPCID) {
    let call = state.withLock { state in
      state.byID[id]?.isCancelled = true
      return (state.byID[id]?.run, state.byID[id]?.read)
    }
    call.0?.cancel()
    if let read = call.1 { LongReads.ofProcess.cancel(read) }
  }

  // MARK: Waiting for a person

  /// Notes that a command waits for an answer of a person, or no longer; on the home thread,
  /// which alone knows the roots of conversations.
  ///
  /// - Parameters:
  ///   - root: The root of the command.
  ///   - isWaiting: Whether it waits.
  /// - Returns: The turn of the command; nil if none of this session has that root.
  func note(_ root: Root, isWaiting: Bool) -> CallSequence.Turn? {
    state.withLock { state in
      let call = state.running.first {
        isWaiting ? $0.run?.conversation?.root == root : $0.waiting.contains(root)
      }
      if isWaiting {
        call?.waiting.append(root)
      } else if let index = call?.waiting.firstIndex(of: root) {
        call?.waiting.remove(at: index)
      }
      if call == nil, isWaiting { state.unknown.insert(root) } else { state.unknown.remove(root) }
      return call?.turn
    }
  }

  /// The roots that wait for a person, whose commands were not found.
  var unknownRoots: Set<Root> { state.withLock { $0.unknown } }

  /// Cancels the commands that wait for a person.
  func cancelWaiting() {
    let runs = state.withLock { state in
      state.running.filter { !$0.waiting.isEmpty }
        .compactMap { call in
          call.isCancelled = true
          return call.run
        }
    }
    for run in runs { run.cancel() }
  }

  /// Whether no command is in progress.
  var isIdle: Bool { state.withLock { $0.running.isEmpty } }

  /// Calls what waited for the last command, in order; what comes meanwhile waits for its turn.
  private func callBack(_ bodies: [@Sendable () -> Void]) {
    var bodies = bodies
    while !bodies.isEmpty {
      for body in bodies { body() }
      bodies = state.withLock { state in
        state.whenIdle.removeFirst(bodies.count)
        return state.running.isEmpty ? state.whenIdle : []
      }
    }
  }

  /// Calls back as soon as no command is in progress, in the order of the calls.
  func whenIdle(_ body: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      let isIdle = state.running.isEmpty && state.whenIdle.isEmpty
      if !isIdle { state.whenIdle.append(body) }
      return isIdle
    }
    if isIdle { body() }
  }
}

/// A command in progress.
final class RunningCall: @unchecked Sendable {
  // Unchecked: the variables are touched under the lock of `RunningCalls` alone.

  /// The call that requested it.
  let call: IncomingCall
  /// Its progress, if the client requested it.
  let progress: Progress?
  /// The key of the write; nil if it has none.
  let key: String?
  /// The form of its answer.
  let form: AnswerForm
  fileprivate var run: CommandRun?
  fileprivate var turn: CallSequence.Turn?
  /// The read that it waits to begin.
  fileprivate var read: LongReads.Read?
  fileprivate var isCancelled = false
  /// The roots of its questions that wait for an answer, each as often as it asks.
  fileprivate var waiting: [Root] = []

  init(
    _ call: IncomingCall,
    _ progress: Progress? = nil,
    key: String? = nil,
    as form: AnswerForm = .value
  ) {
    self.call = call
    self.progress = progress
    self.key = key
    self.form = form
  }
}

extension RunningCall: Hashable {
  static func == (first: RunningCall, second: RunningCall) -> Bool { first === second }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
