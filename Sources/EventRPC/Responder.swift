import EventMVVM
import Synchronization

/// Who takes answers: the other end, or a batch that waits for the others.
package protocol AnswerSink: AnyObject, Sendable {
  /// Takes an answer; any thread.
  ///
  /// - Parameters:
  ///   - answer: The whole message.
  ///   - id: What the client calls the request.
  ///   - isFollowed: Whether it can wait for others, until ``release()``.
  func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool)
  /// Releases what it holds, as there is nothing left to answer; any thread.
  func release()
}

/// What answers one request, from any thread: the first answer counts.
package final class Responder: Sendable {
  /// What the client calls the request.
  package let id: RPCID
  private let isAnswered = Atomic(false)
  private let sink: any AnswerSink
  /// Counts the request as under way for as long as anybody can answer it.
  private let slot: InFlightSlot?
  /// Where the answer is expected, and as which.
  private let inFlight: InFlightLimit?
  private let number: Int

  /// Answers what a client calls so.
  package init(_ id: RPCID, _ sink: any AnswerSink) {
    self.id = id
    self.sink = sink
    slot = nil
    inFlight = nil
    number = 0
  }

  /// Answers a request that is under way.
  init(_ id: RPCID, _ sink: any AnswerSink, _ slot: consuming InFlightSlot) {
    self.id = id
    self.sink = sink
    inFlight = slot.inFlight
    number = slot.inFlight.expectAnswer()
    self.slot = consume slot
  }

  deinit {
    if !isAnswered.load(ordering: .relaxed) { end() }
  }

  /// Answers with a result, which is one JSON value; an error if a message can't carry it.
  package func succeed(_ result: [UInt8]) {
    guard result.count <= FrameReader.longestMessage - id.text.count - 64 else {
      return fail(.tooLong(result.count))
    }
    answer(RPCMessage.answer(id, result: result))
  }

  /// Answers with an error.
  package func fail(_ error: RPCError) {
    answer(RPCMessage.answer(id, error: error))
  }

  private func answer(_ message: [UInt8]) {
    guard !isAnswered.exchange(true, ordering: .relaxed) else { return }
    sink.take(message, id, isFollowed: inFlight?.isFollowed(number) ?? false)
    end()
  }

  /// The last answer releases what was held for it: each leaves its own answer first.
  private func end() {
    if inFlight?.hasAnswered() == true { sink.release() }
  }
}

/// The answers of a batch, until the last of them is there.
final class BatchAnswer: AnswerSink {
  private struct State {
    var answers: [UInt8] = [UInt8(ascii: "[")]
    var missing: Int
  }

  private let state: Locked<State>
  private let send: @Sendable ([UInt8]) -> Void
  private let sink: any AnswerSink

  /// Waits for so many answers.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - sink: What holds other answers.
  ///   - send: Takes all of them.
  init(
    of count: Int,
    beside sink: any AnswerSink,
    _ send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    state = Locked(State(missing: count))
    self.send = send
    self.sink = sink
  }

  /// Takes an answer; the last one sends them all, in one array.
  ///
  /// What would make the array longer than a message can be becomes an error.
  func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool) {
    let all = state.withLock { state -> [UInt8]? in
      let isTooLong = state.answers.count + answer.count > FrameReader.longestMessage - 65_536
      let answer =
        isTooLong && answer.count > 1024
        ? RPCMessage.answer(id, error: .tooLong(answer.count)) : answer
      if state.answers.count > 1 { state.answers.append(UInt8(ascii: ",")) }
      state.answers += answer
      state.missing -= 1
      guard state.missing == 0 else { return nil }
      return state.answers + [UInt8(ascii: "]")]
    }
    if let all { send(all) }
  }

  /// Holds nothing back itself.
  func release() { sink.release() }
}

extension RPCError {
  /// The error of a result that no message can carry.
  fileprivate static func tooLong(_ count: Int) -> RPCError {
    RPCError(
      requestFailed,
      "The result has \(count) bytes, and a message at most \(FrameReader.longestMessage); "
        + "ask for less at once, say with a limit."
    )
  }
}
