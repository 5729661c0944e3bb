public import EventMVVM

/// The pages of a live query, as an asynchronous sequence for one reader (promise 8).
///
/// Up to a number of pages wait. A reader that falls behind is told all rows in place of what it has not read: it misses no state, and
/// costs others nothing. The sequence ends when the reading task is cancelled; the live query ends with the sequence and its iterator.
///
/// ```swift
/// for await page in process.stream.live(query) {
///   shown.take(page)
/// ```
public struct LivePages<R: Record>: AsyncSequence, Sendable {
  /// The rows, or how they differ from those before.
  public typealias Element = LivePage<R>

  fileprivate let mailbox: LiveMailbox<R>

  /// The one reader of the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(mailbox: mailbox, wakes: mailbox.wakes.makeAsyncIterator())
  }

  /// Reads the pages one after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: LiveMailbox<R>
    fileprivate var wakes: AsyncStream<Void>.Iterator

    /// The next page; nil once the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> LivePage<R>? {
      while true {
        if let page = mailbox.take() { return page }
        guard await wakes.next(isolation: actor) != nil else { return nil }
      }
    }
  }
}

/// The pages that wait for a reader.
private final class LiveMailbox<R: Record>: Sendable {
  let wakes: AsyncStream<Void>
  private let waker: AsyncStream<Void>.Continuation
  private let pages = Locked<[LivePage<R>]>([])
  private let most: Int
  private let known = Locked(WeakQuery<R>())

  init(_ most: Int) {
    self.most = max(1, most)
    (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  deinit { waker.finish() }

  /// Notes the live query whose pages these are, which its stream retains.
  func note(_ live: LiveQuery<R>) { known.withLock { $0.live = live } }

  /// Adds a page, on the home thread; where too many wait, all rows take their place.
  func put(_ page: LivePage<R>) {
    let isFull = pages.withLock { pages in
      pages.append(page)
      return pages.count > most
    }
    if isFull, let all = known.withLock(\.live)?.page { pages.withLock { $0 = [all] } }
    waker.yield()
  }

  func take() -> LivePage<R>? {
    pages.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

extension EventStream {
  /// Follows the rows of a query, as an asynchronous sequence.
  ///
  /// - Parameters:
  ///   - query: The query. Up to its limit rows are told, and twice as many are kept.
  ///   - most: How many pages may wait.
  /// - Returns: The pages; the first has all rows.
  public func live<R: Record>(_ query: Query<R>, buffer most: Int = 64) -> LivePages<R> {
    let mailbox = LiveMailbox<R>(most)
    let live = LiveQuery(query, mailbox) { mailbox, page, _ in mailbox.put(page) }
    mailbox.note(live)
    begin(live, mailbox)
    return LivePages(mailbox: mailbox)
  }
}

/// A live query, for the mailbox that its subscription retains.
private struct WeakQuery<R: Record> {
  weak var live: LiveQuery<R>?
}
