import EventMVVM
package import JSONText
import Synchronization

/// The receiver of answers: the other end, or a batch that waits for all of its answers.
package protocol AnswerSink: AnyObject, Sendable {
  /// Receives an answer; any thread.
  ///
  /// - Parameters:
  ///   - answer: The whole message.
  ///   - id: The id of the request.
  ///   - isFollowed: Whether it can wait for later ones, until ``release()``.
  func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool)
  /// Sends the answers that it holds, as there is nothing left to answer; any thread.
  func release()
}

/// Answers one request, from any thread: the first answer counts.
package final class Responder: Sendable {
  /// The id of the request.
  package let id: RPCID
  private let isAnswered = Atomic(false)
  private let sink: any AnswerSink
  /// Counts the request as in progress while a responder can answer it.
  private let slot: InFlightSlot?
  /// The limit that expects the answer.
  private let inFlight: InFlightLimit?
  private let number: Int

  /// Creates a responder for a request's id.
  package init(_ id: RPCID, _ sink: any AnswerSink) {
    self.id = id
    self.sink = sink
    slot = nil
    inFlight = nil
    number = 0
  }

  /// Creates a responder for a request in progress.
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
    guard isSendable(result.count) else { return fail(.tooLong) }
    answer(RPCMessage.answer(id, result: result))
  }

  /// Whether a message can carry a result of so many bytes.
  package func isSendable(_ count: Int) -> Bool {
    count <= FrameReader.longestMessage - id.text.count - 64
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

  /// Releases held answers after the last one: each queues its own answer first.
  private func end() {
    if inFlight?.hasAnswered() == true { sink.release() }
  }
}

/// The answers of a batch, until the last one.
final class BatchAnswer: AnswerSink {
  private struct State {
    var answers: [UInt8] = [UInt8(ascii: "[")]
    var missing: Int
  }

  private let state: Locked<State>
  private let send: @Sendable ([UInt8]) -> Void
  private let sink: any AnswerSink

  /// Creates a batch that waits for a number of answers.
  ///
  /// - Parameters:
  ///   - count: The number of answers.
  ///   - sink: The receiver that holds other answers.
  ///   - send: Sends all of them.
  init(
    of count: Int,
    beside sink: any AnswerSink,
    _ send: @escaping @Sendable ([UInt8]) -> Void
  ) {
    state = Locked(State(missing: count))
    self.send = send
    self.sink = sink
  }

  /// Receives an answer; the last one sends them all, in one array.
  ///
  /// An answer that would make the array longer than a message can be becomes an error.
  func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool) {
    let all = state.withLock { state -> [UInt8]? in
      let isTooLong = state.answers.count + answer.count > FrameReader.longestMessage - 65_536
      let answer =
        isTooLong && answer.count > 1024
        ? RPCMessage.answer(id, error: .tooLong) : answer
      if state.answers.count > 1 { state.answers.append(UInt8(ascii: ",")) }
      state.answers += answer
      state.missing -= 1
      guard state.missing == 0 else { return nil }
      return state.answers + [UInt8(ascii: "]")]
    }
    if let all { send(all) }
  }

  /// Releases the sink, as it holds no answers itself.
  func release() { sink.release() }
}

extension RPCError {
  /// Returns the error of a result that no message can carry.
  fileprivate static var tooLong: RPCError {
    RPCError(
      requestFailed,
      "The result has more than \(FrameReader.longestMessage) bytes, the most of a message; "
        + "ask for less at once, say with a limit."
    )
  }
}

/// A request or a notification that was received.
package struct IncomingCall: Sendable {
  /// The method.
  package let method: String
  /// The parameters; null for none.
  package let params: JSON
  /// Sends the answer; nil for a notification, which has none.
  package let responder: Responder?
  /// Counts a notification as in progress while the call is retained; a request's responder counts
  /// the request.
  private let held: HeldSlot?

  init(_ method: String, _ params: JSON, _ responder: Responder) {
    self.method = method
    self.params = params
    self.responder = responder
    held = nil
  }

  /// A notification.
  init(_ method: String, _ params: JSON, _ slot: consuming InFlightSlot) {
    self.method = method
    self.params = params
    responder = nil
    held = HeldSlot(slot)
  }
}

/// A share of the calls in progress, until it is destroyed.
struct InFlightSlot: ~Copyable, Sendable {
  let inFlight: InFlightLimit
  private let bytes: Int

  init(_ inFlight: InFlightLimit, bytes: Int) {
    self.inFlight = inFlight
    self.bytes = bytes
    inFlight.add(bytes)
  }

  deinit { inFlight.remove(bytes) }
}

/// A slot with several owners.
private final class HeldSlot: Sendable {
  private let slot: InFlightSlot

  init(_ slot: consuming InFlightSlot) {
    self.slot = slot
  }
}
