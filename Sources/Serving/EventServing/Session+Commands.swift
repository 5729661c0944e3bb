import EventCommands
import EventMVVM
import EventPatterns
import EventRPC
import EventValues
import JSONText

extension Session {
  /// Reads the parameters of a command, and sends it.
  func run<C: Command>(_ type: C.Type, _ call: IncomingCall) {
    do throws(CommandError) {
      let (params, progress) = try Progress.taken(from: call.params, peer)
      guard C.writes, let responder = call.responder else {
        return run(try C.read(parameters: params), RunningCall(call, progress))
      }
      let (key, rest) = try IdempotencyKeys.taken(from: params)
      let command = try C.read(parameters: rest)
      guard let key else { return run(command, RunningCall(call, progress)) }
      let request = IdempotencyKeys.Request(key: key, method: call.method, params: rest)
      let known = options.keys.begin(request) { result in
        switch result {
        case .success(let answer): responder.succeed(answer)
        case .failure(let failure): responder.fail(RPCError(failure))
        }
      }
      switch known {
      case .new: run(command, RunningCall(call, progress, key: key))
      case .answered(let answer): responder.succeed(answer)
      case .underWay: break
      case .other:
        let problem = "/\(IdempotencyKeys.parameter): was given to another request"
        let path = "/\(IdempotencyKeys.parameter)"
        throw CommandError(problem, field: IdempotencyKeys.parameter, path: path)
      }
    } catch {
      call.responder?.fail(RPCError(error))
    }
  }

  /// Sends a command that was read from something other than parameters.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - call: The call that requested it.
  ///   - form: Returns the form of the answer for the method of the command.
  func run<C: Command>(_ command: C, _ call: IncomingCall, as form: (String) -> AnswerForm) {
    run(command, RunningCall(call, as: form(catalogue.method(of: C.self))))
  }

  private func run<C: Command>(_ command: C, _ running: RunningCall) {
    calls.begin(running)
    guard !C.overtakesWrites else { return start(command, running) }
    sequence.add(writes: C.writes) { [self] turn in
      calls.take(turn, of: running)
      start(command, running)
    }
  }

  /// Runs a command whose turn has come.
  private func start<C: Command>(_ command: C, _ running: RunningCall) {
    running.progress?.begin(C.verb)
    guard !calls.isCancelled(running) else {
      return end(running, .failed(Failure(Interruption.cancelled)))
    }
    let written = Locked<WrittenList?>(nil)
    let run = commandRun(running, written)
    calls.follow(running, run)
    let isParted = !running.form.isText && command.partedCommand != nil
    let cost = !isParted && command.partedCommand != nil ? .memory : command.cost
    let begin = { @Sendable [self] in
      run.begin(command) { [self] ending in end(running, ending, written.withLock { $0?.bytes }) }
    }
    guard cost != .small else { return begin() }
    readLong(running, isWhole: cost == .memory, start: begin) { [self] in
      end(running, .failed(Failure(Interruption.cancelled)))
    }
  }

  /// Returns the run of a call's command: a list is read part by part, so that other calls are served in
  /// between, and what no message can carry is not read to its end.
  private func commandRun(_ running: RunningCall, _ written: Locked<WrittenList?>) -> CommandRun {
    var ask: CommandRun.Asking?
    if canAsk { ask = { [self] question, then in self.ask(question, then: then) } }
    var write: CommandRun.Writing?
    if !running.form.isText {
      write = { [self] part, isLast, then in
        self.write(part, isLast: isLast, to: written, running, then)
      }
    }
    return CommandRun(
      sender: port,
      running.form.rendering,
      saysYes: options.saysYes,
      // A program sends the other command itself.
      triesAgain: false,
      ask: ask,
      write: write,
      hasBegun: { [self] in noteRoots() }
    )
  }

  private func write(
    _ part: [UInt8],
    isLast: Bool,
    to written: Locked<WrittenList?>,
    _ running: RunningCall,
    _ then: @escaping @Sendable (_ goesOn: Bool) -> Void
  ) {
    let (bytes, parts) = written.withLock { list in
      var grown = list.take() ?? WrittenList()
      grown.bytes += part
      grown.parts += 1
      defer { list = grown }
      return (grown.bytes.count, grown.parts)
    }
    guard !isLast else { return then(true) }
    guard running.call.responder?.isSendable(bytes) ?? true else { return then(false) }
    running.progress?.report("\(parts * CommandRun.partSize) so far")
    guard let afterPart = options.afterPart else { return then(true) }
    afterPart { then(true) }
  }

  /// Asks the client's person, through the stream.
  private func ask(
    _ question: CommandRun.Question,
    then: @escaping @Sendable (CommandRun.Answer) -> Void
  ) -> Conversation {
    let text = (question.failure.map { $0.message + " " } ?? "") + question.text
    let decision = RequestDecision(port.origin, text, choices: RequestDecision.yesOrNo)
    return port.request(decision) { result, _ in
      do {
        let answer = try ResponseDecision._value(of: result)
        then(answer.isIdentical(to: "yes") ? .yes : .no)
      } catch {
        let failure = Failure(error)
        then(failure.kind == .cancelled ? .no : .failed(failure))
      }
    }
  }

  /// Notes a command's conversation, which may have asked a person before.
  private func noteRoots() {
    guard !calls.unknownRoots.isEmpty else { return }
    port.afterQueued { [self] in
      for root in calls.unknownRoots { note(root, isWaiting: true) }
    }
  }

  /// Answers a call, after the last report of its progress.
  private func end(_ running: RunningCall, _ ending: CommandRun.Ending, _ list: [UInt8]? = nil) {
    running.progress?.end()
    let result: Result<[UInt8], Failure> =
      switch ending {
      case .printed(let printout): .success(running.form.wrapped(list ?? printout.bytes))
      case .failed(let failure), .declined(let failure): .failure(failure)
      }
    if let key = running.key { options.keys.end(key, result) }
    switch result {
    case .success(let bytes): running.call.responder?.succeed(bytes)
    case .failure(let failure): running.call.responder?.fail(RPCError(failure))
    }
    // Its effect on this session's own screens is no change notice, so the states are requested.
    close(running)
  }

  /// Notes that a call is answered: later ones may have waited for it.
  func close(_ running: RunningCall) {
    let (turn, read) = calls.end(running)
    states.ask()
    if let read { LongReads.ofProcess.end(read) }
    if let turn { sequence.ended(turn) }
  }

  // MARK: Long lists

  /// Begins a long read as soon as there is room for it; it ends with the call.
  func readLong(
    _ running: RunningCall,
    isWhole: Bool = false,
    start: @escaping @Sendable () -> Void,
    refuse: @escaping @Sendable () -> Void
  ) {
    let read = LongReads.Read(of: self, isWhole: isWhole, start: start, refuse: refuse)
    calls.follow(running, read)
    LongReads.ofProcess.begin(read)
  }
}

/// The written part of a list.
private struct WrittenList {
  var bytes: [UInt8] = []
  var parts = 0
}
