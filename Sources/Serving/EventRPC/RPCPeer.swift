import EventMVVM
import Foundation
import JSONText
import Seams
import Synchronization

/// One end of a JSON-RPC 2.0 conversation over a pair of descriptors: standard input and output, or
/// pipes to a program.
///
/// One thread reads, and passes on the calls in order; it never waits for output. It stops reading
/// while too much is in progress, so that memory stays bounded: unless its limits differ, more than
/// 65 536 calls or 16 MiB of them without an answer, or answers of 32 MiB that the other end does
/// not read.
public final class RPCPeer: AnswerSink {
  /// How many messages a batch has at most: each gets an answer, and all are stored until the last.
  package static let longestBatch = 1000

  /// How many values a message has at most: small ones take twenty times the memory of their text.
  package static let mostValues = 524_288
  private static let jsonLimits = JSONLimits(values: mostValues)

  private let input: Int32
  private let outbox: Outbox
  private let inFlight: InFlightLimit
  private let limits: RPCLimits
  private let throttle: (any RPCThrottle)?
  /// The number of invalid messages.
  private let faults = Atomic(0)
  private let ending: Ending
  /// Whether more has arrived than was passed on, and more answers are expected.
  private let hasMore = Atomic(false)
  /// The raw value of the framing; none before the first message.
  private let framing = Atomic<UInt8>(.max)

  /// Creates one end over two descriptors, which stay open.
  ///
  /// The one for output is duplicated; the copy is closed once everything is written after the
  /// session. Nil if the process can open no more files.
  ///
  /// - Parameters:
  ///   - input: The descriptor of incoming calls.
  ///   - output: The descriptor of answers and notifications.
  ///   - limits: Limits of the calls in progress.
  ///   - throttle: Throttles the other end; nil for no throttle.
  public init?(
    input: Int32,
    output: Int32,
    limits: RPCLimits = RPCLimits(),
    throttle: (any RPCThrottle)? = nil
  ) {
    self.input = input
    self.limits = limits
    self.throttle = throttle
    let inFlight = InFlightLimit(limits)
    self.inFlight = inFlight
    guard let ending = Ending() else { return nil }
    self.ending = ending
    outbox = Outbox(output) { [inFlight] in
      ending.end()
      inFlight.wake()
    }
    if !outbox.isOpen { return nil }
  }

  // MARK: Reading

  /// Reads until the input ends, the output has no longer a reader, or ``end()`` is called.
  ///
  /// - Parameters:
  ///   - isWanted: Called every second; false ends reading.
  ///   - take: Called with each call, in order.
  package func listen(while isWanted: () -> Bool, _ take: (IncomingCall) -> Void) {
    var reader = FrameReader()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while ending.wait(for: input, isWanted) {
      let most = Seam.part(of: buffer.count, at: .read)
      let count = buffer.withUnsafeMutableBytes { Foundation.read(input, $0.baseAddress, most) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { break }
      throttle?.hasRead(count)
      buffer.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      while !ending.isOver, let found = reader.next() {
        hasMore.store(reader.hasRest, ordering: .relaxed)
        serve(found, in: reader.framing, take)
      }
      hasMore.store(false, ordering: .sequentiallyConsistent)
      outbox.release()
    }
    guard !ending.isOver else { return }
    let unfinished = reader.unfinishedMessage
    if let last = reader.end() { serve(last, in: reader.framing, cut: unfinished, take) }
  }

  private func serve(
    _ found: FrameReader.Found,
    in framing: Framing?,
    cut unfinished: [UInt8] = [],
    _ take: (IncomingCall) -> Void
  ) {
    if let framing { self.framing.store(framing.rawValue, ordering: .releasing) }
    var start = ContinuousClock.now
    switch found {
    case .fault(let fault):
      refuse(RPCError.parseError, "Parse error: \(fault.message).", IDScanner.id(in: unfinished))
    case .message(let bytes):
      do throws(JSONError) {
        let json = try JSON(parsing: bytes, limits: Self.jsonLimits)
        if case .array(let items) = json { return serve(items, bytes.count, since: &start, take) }
        serve(RPCMessage(json), InFlightSlot(inFlight, bytes: bytes.count), take, self)
      } catch {
        if let message = IDScanner.message(in: bytes, Self.jsonLimits) {
          serve(message, InFlightSlot(inFlight, bytes: bytes.count), take, self)
        } else {
          refuse(RPCError.parseError, "Parse error: \(error).", IDScanner.id(in: bytes))
        }
      }
    }
    holdBack(since: &start)
  }

  /// Serves a batch.
  private func serve(
    _ items: [JSON],
    _ bytes: Int,
    since start: inout ContinuousClock.Instant,
    _ take: (IncomingCall) -> Void
  ) {
    guard (1...Self.longestBatch).contains(items.count) else {
      let problem =
        items.isEmpty
        ? "the batch is empty"
        : "a batch has at most \(Self.longestBatch) messages, found \(items.count)"
      refuse(RPCError.invalidRequest, "Invalid request: \(problem).")
      return holdBack(since: &start)
    }
    let messages = items.map { RPCMessage($0) }
    let count = messages.count(where: \.wantsAnswer)
    let batch = BatchAnswer(of: count, beside: self) { [weak self] answers in
      self?.send(answers)
    }
    // Also messages after an 'exit', or the batch would have no answer.
    for message in messages {
      serve(message, InFlightSlot(inFlight, bytes: bytes / items.count), take, batch)
      // A batch is throttled like single messages.
      holdBack(since: &start)
    }
  }

  /// Waits until there is room for another message, and as long as the throttle waits.
  ///
  /// - Parameter start: The time at which the last message began; set to the present time.
  private func holdBack(since start: inout ContinuousClock.Instant) {
    inFlight.waitForRoom { ending.isOver }
    while outbox.bytesWaiting > limits.waiting, ending.sleep() {}
    guard let throttle else { return }
    throttle.hasServed(in: start.duration(to: .now), faults: faults.load(ordering: .relaxed))
    start = .now
  }

  private func serve(
    _ message: RPCMessage,
    _ slot: consuming InFlightSlot,
    _ take: (IncomingCall) -> Void,
    _ sink: any AnswerSink
  ) {
    switch message {
    case .answer: break
    case .invalid(let error, let id):
      faults.add(1, ordering: .relaxed)
      sink.take(RPCMessage.answer(id, error: error), id, isFollowed: false)
    case .call(let method, let params, let id):
      guard let id else { return take(IncomingCall(method, params, slot)) }
      take(IncomingCall(method, params, Responder(id, sink, slot)))
    }
  }

  private func refuse(_ code: Int, _ message: String, _ id: RPCID? = nil) {
    faults.add(1, ordering: .relaxed)
    send(RPCMessage.answer(id ?? .null, error: RPCError(code, message)))
  }

  // MARK: Writing

  /// Queues a message; does nothing before the other end has determined the framing.
  ///
  /// - Parameters:
  ///   - message: One JSON value on one line.
  ///   - whenWritten: Called when it is written to the system, if ever.
  package func send(_ message: [UInt8], whenWritten: (@Sendable () -> Void)? = nil) {
    guard let framing = Framing(rawValue: framing.load(ordering: .acquiring)) else { return }
    outbox.post(message, framing, whenWritten: whenWritten)
  }

  /// Sends an answer, possibly together with later answers.
  package func take(_ answer: [UInt8], _ id: RPCID, isFollowed: Bool) {
    guard let framing = Framing(rawValue: framing.load(ordering: .acquiring)) else { return }
    outbox.post(
      answer,
      framing,
      isFollowed: isFollowed || hasMore.load(ordering: .sequentiallyConsistent)
    )
  }

  /// Writes all answers that wait for later ones.
  package func release() {
    if !hasMore.load(ordering: .sequentiallyConsistent) { outbox.release() }
  }

  /// Whether another command may be begun: the other end has left no more unread than it may.
  package var hasRoom: Bool {
    let waiting = outbox.bytesWaiting
    guard waiting > WaitingBytes.few else { return true }
    return waiting <= limits.waitingForCommands
      && WaitingBytes.ofProcess <= limits.waitingInProcess
  }

  /// Calls back once the other end has read almost everything, or no longer reads; on any thread.
  package func whenRead(_ body: @escaping @Sendable () -> Void) { outbox.whenRead(body) }

  /// Whether messages wait that the other end has not read.
  package var isBehind: Bool { outbox.bytesWaiting > 0 }

  // MARK: Ending

  /// Whether it was ended, or the output has no longer a reader; not if only the input ended.
  public var isOver: Bool { ending.isOver }

  /// Whether it has ended because the system had no thread for the output.
  public var hadNoThread: Bool { outbox.hadNoThread }

  /// Ends reading, from any thread.
  public func end() {
    ending.end()
    inFlight.wake()
  }

  /// Waits until all calls are finished and everything is written, up to a limit.
  ///
  /// - Parameters:
  ///   - seconds: The limit.
  ///   - isPatient: Whether the time starts again whenever a call has finished in it, and for
  ///     writing.
  ///   - isWanted: Called every second; false ends the wait.
  /// - Returns: Whether all calls are finished and everything is written.
  @discardableResult
  package func settle(
    within seconds: Double,
    isPatient: Bool = false,
    while isWanted: () -> Bool = { true }
  ) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    inFlight.waitUntilIdle(within: seconds, isPatient: isPatient) { outbox.hasReader && isWanted() }
    let isWritten = outbox.flush(
      until: isPatient && isWanted() ? Date(timeIntervalSinceNow: seconds) : limit
    )
    outbox.end()
    return isWritten && inFlight.isIdle
  }
}

extension RPCMessage {
  /// Whether it is answered.
  fileprivate var wantsAnswer: Bool {
    switch self {
    case .answer: false
    case .invalid: true
    case .call(_, _, let id): id != nil
    }
  }
}

/// The end of a conversation, which wakes the threads that wait for input.
final class Ending: Sendable {
  private let isSet = Atomic(false)
  private let reading: Int32
  private let writing: Int32

  /// Nil if the process may open no further files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    close(writing)
  }

  var isOver: Bool { isSet.load(ordering: .acquiring) }

  func end() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until there is input to read.
  ///
  /// - Parameters:
  ///   - input: The descriptor.
  ///   - isWanted: Called every second; false ends the wait.
  /// - Returns: False if the conversation has ended.
  func wait(for input: Int32, _ isWanted: () -> Bool) -> Bool {
    while !isOver {
      var places = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&places, 2, 1000)
      if places[1].revents != 0 { return false }
      if count > 0, places[0].revents != 0 { return true }
      if count == 0, !isWanted() { return false }
    }
    return false
  }

  /// Waits briefly; false if the conversation has ended.
  func sleep() -> Bool {
    var place = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    return poll(&place, 1, 10) == 0
  }
}
