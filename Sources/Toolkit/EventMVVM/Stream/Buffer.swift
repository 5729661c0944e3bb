import Synchronization

/// The policy of an asynchronous observer's bounded buffer (promise 8).
///
/// Up to that many events wait, and at least one.
///
/// ```swift
/// stream.onAsync(RequestGreeting.self, buffer: .newest(1)) { request, _, missed in
///   log.withLock { $0.append("\(request.name), after \(missed) others") }
/// }
/// ```
public enum Buffer: Sendable {
  /// Keeps the newest events, for an observer of the present: when it is full, the oldest is
  /// missed.
  case newest(Int)
  /// Keeps the oldest events, for an observer that needs the beginning: when it is full, the newest
  /// is missed.
  case oldest(Int)
}

/// An event with its envelope, as an asynchronous observer gets it.
///
/// ```swift
/// for await delivery in events where delivery.missed == 0 {
///   names.append(delivery.event.name)
/// }
/// ```
public struct Delivery<E: Event>: Sendable {
  /// The event.
  public let event: E
  /// Its envelope.
  public let envelope: Envelope
  /// How many events were missed just before this one, because the observer fell behind.
  public let missed: Int
}

/// A bounded queue between the home thread and one slow reader, which ends with its source.
private final class Mailbox<Element: Sendable>: Sendable {
  /// Each element with its number: a gap is the number of dropped elements.
  let elements: AsyncStream<(number: Int, element: Element)>
  /// Ends the elements once finished: waiting ones are still read, new ones are not accepted.
  let filler: AsyncStream<(number: Int, element: Element)>.Continuation
  private let count = Atomic<Int>(0)

  init(_ buffer: Buffer) {
    let policy: AsyncStream<(number: Int, element: Element)>.Continuation.BufferingPolicy =
      switch buffer {
      case .newest(let capacity): .bufferingNewest(max(1, capacity))
      case .oldest(let capacity): .bufferingOldest(max(1, capacity))
      }
    (elements, filler) = AsyncStream.makeStream(bufferingPolicy: policy)
  }

  deinit { filler.finish() }

  /// Adds an element for the reader, on the home thread; an older one may be dropped for it.
  func put(_ element: Element) {
    filler.yield((count.wrappingAdd(1, ordering: .relaxed).newValue, element))
  }
}

/// The events of one type, as an asynchronous sequence for one reader.
///
/// It never keeps a conversation open. It ends when the reading task is cancelled, or with
/// ``cancel()``.
///
/// ```swift
/// let events = stream.events(RequestGreeting.self, buffer: .newest(10))
/// stream.send(RequestGreeting(name: "Ann"))
/// events.cancel()
/// ```
public struct EventSequence<E: Event>: AsyncSequence, Sendable {
  /// An event with its envelope.
  public typealias Element = Delivery<E>

  let elements: AsyncStream<(number: Int, element: (E, Envelope))>
  let filler: AsyncStream<(number: Int, element: (E, Envelope))>.Continuation
  fileprivate let last = LastRead()

  /// Ends the sequence once what waits has been read, from any thread.
  public func cancel() { filler.finish() }

  /// The one reader of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(elements: elements.makeAsyncIterator(), last: last)
  }

  /// Reads the events one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var elements: AsyncStream<(number: Int, element: (E, Envelope))>.Iterator
    fileprivate let last: LastRead

    /// The next event; nil once the sequence has ended.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Delivery<E>? {
      guard let (number, (event, envelope)) = await elements.next(isolation: actor) else {
        return nil
      }
      let missed = number - last.number.exchange(number, ordering: .relaxed) - 1
      return Delivery(event: event, envelope: envelope, missed: missed)
    }
  }
}

/// The number of the element that was read last, by any iterator.
private final class LastRead: Sendable {
  let number = Atomic<Int>(0)
}

extension EventStream {
  /// Observes one event type as an asynchronous sequence with a bounded buffer (promise 8).
  public func events<E: Event>(_ type: E.Type, buffer: Buffer) -> EventSequence<E> {
    let mailbox = Mailbox<(E, Envelope)>(buffer)
    let subscription = on(type) { event, turn in mailbox.put((event, turn.envelope)) }
    // Weak, as the observer retains the mailbox, and the router the observer.
    mailbox.filler.onTermination = { [weak router, weak observer = subscription.observer] _ in
      if let observer { Subscription(router: router, observer: observer).cancel() }
    }
    return EventSequence(elements: mailbox.elements, filler: mailbox.filler)
  }

  /// Observes one event type off the home thread: one event at a time, in order, each held until
  /// its handler returns, with a bounded buffer (promise 8, S4).
  ///
  /// - Parameters:
  ///   - type: The event type.
  ///   - buffer: How many events may wait, and which are dropped.
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
    let subscription = on(type) { event, turn in mailbox.put((event, turn.hold())) }
    Task(executorPreference: executor ?? environment.executor) {
      [elements = mailbox.elements, weak observer = subscription.observer] in
      var last = 0
      for await (number, (event, turn)) in elements {
        if observer?.isOver == false { await body(event, turn, number - last - 1) }
        turn.release()
        last = number
      }
    }
    return subscription
  }
}
