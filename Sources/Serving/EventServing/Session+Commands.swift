import EventCommands
import EventMVVM
import EventRPC
import JSONText

extension Session {
  /// How many items of a long list are read at once: other calls are served between two parts.
  private static var partSize: Int { 1000 }

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
    if let question = command.question, !options.saysYes {
      let problem = "\(question) Nobody can be asked here; 'serve --yes' answers it."
      if let key = running.key { options.keys.end(key, .failure(Failure(.usage, problem))) }
      running.call.responder?.fail(RPCError(CommandError(problem, path: "")))
      return
    }
    calls.begin(running)
    guard !C.overtakesWrites else { return start(command, running) }
    sequence.add(writes: C.writes) { [self] turn in
      calls.take(turn, of: running)
      start(command, running)
    }
  }

  /// Sends a command whose turn has come.
  private func start<C: Command>(_ command: C, _ running: RunningCall) {
    running.progress?.begin(C.verb)
    guard !calls.isCancelled(running) else {
      return end(running, C.self, .failure(Failure(Interruption.cancelled)))
    }
    let parted = running.form.isText ? nil : command.partedCommand
    let cost = parted == nil && command.partedCommand != nil ? .memory : command.cost
    guard cost != .small else { return send(command, running) }
    readLong(running, isWhole: cost == .memory) { [self] in
      if let parted { runParts(parted, running) } else { send(command, running) }
    } refuse: { [self] in
      end(running, C.self, .failure(Failure(Interruption.cancelled)))
    }
  }

  /// Sends a command, and answers with its whole result.
  private func send<C: Command>(_ command: C, _ running: RunningCall) {
    let conversation = port.request(command) { [self] result, _ in
      do {
        let value = try C.Reply._value(of: result)
        let isAwaited = running.call.responder != nil
        end(running, C.self, .success(isAwaited ? running.form.bytes(of: value, command) : []))
      } catch {
        end(running, C.self, .failure(Failure(error)))
      }
    }
    follow(running, conversation)
  }

  /// Stores the conversation of a command, which may have asked a person before.
  private func follow(_ running: RunningCall, _ conversation: Conversation) {
    calls.follow(running, conversation, port)
    guard !calls.unknownRoots.isEmpty else { return }
    port.afterQueued { [self] in
      for root in calls.unknownRoots { note(root, isWaiting: true) }
    }
  }

  /// Answers a call, after the last report of its progress.
  private func end<C: Command>(
    _ running: RunningCall,
    _ type: C.Type,
    _ result: Result<[UInt8], Failure>
  ) {
    running.progress?.end()
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

  /// Reads a list part by part: other calls are served in between, and it can be cancelled there.
  private func runParts<C: PartedCommand>(_ command: C, _ running: RunningCall) {
    var json = JSONWriter()
    json.beginArray()
    readOn(command.inParts(of: Self.partSize), LongResult(json), running)
  }

  private func readOn<C: PartedCommand>(
    _ part: C,
    _ written: LongResult,
    _ running: RunningCall
  ) {
    let conversation = port.request(part) { [self] result, _ in
      do {
        let reply = try result.get()
        try reply.result.get().writeItems(to: &written.json)
        if calls.isCancelled(running) { throw Failure(.cancelled, "Cancelled.") }
        // What no message can carry is not read to its end; the answer says so.
        let isSendable = running.call.responder?.isSendable(written.json.bytes.count) ?? true
        if isSendable, let rest = reply.rest {
          written.parts += 1
          running.progress?.report("\(written.parts * Self.partSize) so far")
          guard let afterPart = options.afterPart else { return readOn(rest, written, running) }
          return afterPart { [self] in readOn(rest, written, running) }
        }
        written.json.endArray()
        end(running, C.self, .success(running.form.wrapped(written.json.bytes)))
      } catch {
        end(running, C.self, .failure(Failure(error)))
      }
    }
    follow(running, conversation)
  }
}

/// The written part of a list.
private final class LongResult: @unchecked Sendable {
  // Unchecked: it belongs to the holder of the answer to the last part, and is passed on with it.

  var json: JSONWriter
  var parts = 0

  init(_ json: JSONWriter) {
    self.json = json
  }
}
