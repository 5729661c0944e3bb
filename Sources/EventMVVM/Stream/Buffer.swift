/// How an asynchronous observer is kept from growing without bound (promise 8).
public struct Buffer: Sendable {
  /// What gives way when the buffer is full.
  public enum Policy: Sendable {
    /// The oldest event that waits is missed: for an observer of the present.
    case dropOldest
    /// The newest event is missed: for an observer that needs the beginning.
    case dropNewest
  }

  /// How many events may wait.
  public let capacity: Int
  /// What gives way when that many do.
  public let policy: Policy

  /// Keeps the newest events.
  public static func newest(_ capacity: Int) -> Buffer {
    Buffer(capacity: max(1, capacity), policy: .dropOldest)
  }

  /// Keeps the oldest events.
  public static func oldest(_ capacity: Int) -> Buffer {
    Buffer(capacity: max(1, capacity), policy: .dropNewest)
  }
}

/// An event with its envelope, as an asynchronous observer gets it.
public struct Delivery<E: Event>: Sendable {
  /// The event.
  public let event: E
  /// What the stream knows of it.
  public let envelope: Envelope
  /// How many events were missed just before this one, because the observer fell behind.
  public let missed: Int
}

/// A bounded queue between the home thread and one slow reader.
final class Mailbox<Element: Sendable>: Sendable {
  private struct Contents {
    var waiting: [(element: Element?, missed: Int)] = []
    var first = 0
    var missed = 0
    var isOver = false
    var reader: CheckedContinuation<(Element, Int)?, Never>?

    /// Takes the oldest element off and keeps nothing of it: it may hold a conversation open.
    mutating func takeFirst() -> (Element, Int)? {
      guard first < waiting.count, let element = waiting[first].element else { return nil }
      let missed = waiting[first].missed
      waiting[first].element = nil
      first += 1
      if first == waiting.count {
        waiting.removeAll(keepingCapacity: true)
        first = 0
      }
      return (element, missed)
    }
  }

  private let buffer: Buffer
  private let contents = Locked(Contents())

  init(_ buffer: Buffer) {
    self.buffer = buffer
  }

  /// Leaves an element for the reader, or counts one as missed.
  func put(_ element: Element) {
    var dropped: Element?  // Released outside the lock.
    let (reader, delivery) = contents.withLock {
      contents -> (CheckedContinuation<(Element, Int)?, Never>?, (Element, Int)?) in
      guard !contents.isOver else { return (nil, nil) }
      guard let reader = contents.reader else {
        dropped = self.store(element, in: &contents)
        return (nil, nil)
      }
      defer {
        contents.reader = nil
        contents.missed = 0
      }
      return (reader, (element, contents.missed))
    }
    reader?.resume(returning: delivery)
    extendLifetime(dropped)
  }

  /// Queues an element; returns the one that gave way.
  private func store(_ element: Element, in contents: inout Contents) -> Element? {
    let isFull = contents.waiting.count - contents.first >= buffer.capacity
    if isFull, buffer.policy == .dropNewest {
      contents.missed += 1
      return element
    }
    var missed = contents.missed
    contents.missed = 0
    let dropped = isFull ? contents.takeFirst() : nil
    if let dropped {
      let more = dropped.1 + 1
      if contents.first < contents.waiting.count {
        contents.waiting[contents.first].missed += more
      } else {
        missed += more
      }
    }
    contents.waiting.append((element, missed))
    if contents.first > buffer.capacity {
      contents.waiting.removeFirst(contents.first)
      contents.first = 0
    }
    return dropped?.0
  }

  /// The next element with how many were missed before it; nil once it is over and empty.
  func next() async -> (Element, Int)? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = contents.withLock { contents -> (Element, Int)?? in
          if let first = contents.takeFirst() { return .some(first) }
          if contents.isOver || Task.isCancelled { return .some(nil) }
          contents.reader = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      finish()
    }
  }

  /// Ends it: what waits is still read, nothing more is taken.
  func finish() {
    let reader = contents.withLock { contents in
      defer {
        contents.isOver = true
        contents.reader = nil
      }
      return contents.reader
    }
    reader?.resume(returning: nil)
  }
}

/// Ends a mailbox with the observer that fills it.
private final class MailboxEnd<Element: Sendable>: Sendable {
  let mailbox: Mailbox<Element>

  init(_ mailbox: Mailbox<Element>) {
    self.mailbox = mailbox
  }

  deinit { mailbox.finish() }
}

/// The events of one type, as an asynchronous sequence for one reader.
///
/// It never keeps a conversation open. It ends when the reading task is cancelled, or with
/// ``cancel()``.
public struct EventSequence<E: Event>: AsyncSequence, Sendable {
  /// An event with its envelope.
  public typealias Element = Delivery<E>

  let mailbox: Mailbox<(E, Envelope)>
  let subscription: Subscription

  /// Ends the sequence once what waits has been read, from any thread.
  public func cancel() {
    subscription.cancel()
    mailbox.finish()
  }

  /// The one reader of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, subscription: subscription)
  }

  /// Reads the events one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let mailbox: Mailbox<(E, Envelope)>
    let subscription: Subscription

    /// The next event; nil once the sequence has ended.
    public mutating func next() async -> Delivery<E>? {
      guard let ((event, envelope), missed) = await mailbox.next() else {
        subscription.cancel()
        return nil
      }
      return Delivery(event: event, envelope: envelope, missed: missed)
    }
  }
}

extension EventStream {
  /// Observes one event type as an asynchronous sequence with a bounded buffer (promise 8).
  public func events<E: Event>(_ type: E.Type, buffer: Buffer) -> EventSequence<E> {
    let mailbox = Mailbox<(E, Envelope)>(buffer)
    let end = MailboxEnd(mailbox)
    let subscription = on(type) { event, turn in end.mailbox.put((event, turn.envelope)) }
    return EventSequence(mailbox: mailbox, subscription: subscription)
  }

  /// Observes one event type off the home thread: one event at a time, in order, each held until
  /// its handler returns, with a bounded buffer (promise 8, S4).
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - buffer: How many events may wait, and what gives way.
  ///   - executor: Where the work runs; nil is the environment's, or else the global one.
  ///   - body: Gets the event, its held delivery, and how many events were missed just before it.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func onAsync<E: Event>(
    _ type: E.Type,
    buffer: Buffer,
    on executor: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable (E, AsyncTurn, Int) async -> Void
  ) -> Subscription {
    let mailbox = Mailbox<(E, AsyncTurn)>(buffer)
    let end = MailboxEnd(mailbox)
    let subscription = on(type) { event, turn in end.mailbox.put((event, turn.hold())) }
    Task(executorPreference: executor ?? environment.executor) {
      [weak observer = subscription.observer] in
      while let ((event, turn), missed) = await mailbox.next() {
        if observer?.isOver == false { await body(event, turn, missed) }
        turn.release()
      }
    }
    return subscription
  }
}
