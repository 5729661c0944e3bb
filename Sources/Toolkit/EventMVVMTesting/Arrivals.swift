public import EventMVVM
import Testing

/// Collects elements from other threads, in order, for a test that waits for them.
///
/// ```swift
/// let stream = EventStream(home: .ownThread)
/// let greetings = Arrivals(ResponseGreeting.self, on: stream)  // before the act
/// stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)!" }
/// stream.send(RequestGreeting(name: "Ann"))
/// #expect(try greetings.wait("Ann is greeted") == [ResponseGreeting(.success("Hello, Ann!"))])
/// ```
///
/// Any thread.
public final class Arrivals<Element: Sendable>: Sendable {
  private let elements = Locked<[Element]>([])
  /// Other events, for the failure message.
  private let others = Locked<[String]>([])

  /// Creates an empty collection.
  public init() {}

  /// Adds an element.
  public func add(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// All elements so far.
  public var all: [Element] { elements.withLock { $0 } }

  /// Waits for a number of elements.
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - wanted: What is waited for, as the end of "waited until …".
  /// - Returns: All elements so far.
  /// - Throws: ``WaitedInVain``, with the elements so far.
  @discardableResult
  public func wait(for count: Int = 1, _ wanted: String) throws -> [Element] {
    try waitUntil(wanted, showing: show) { all.count >= count }
    return all
  }

  /// Waits for a number of elements, and leaves the thread to other tasks meanwhile.
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - wanted: What is waited for, as the end of "waited until …".
  /// - Returns: All elements so far.
  /// - Throws: ``WaitedInVain``, with the elements so far.
  @discardableResult
  public func wait(for count: Int = 1, _ wanted: String) async throws -> [Element] {
    try await waitUntil(wanted, showing: show) { all.count >= count }
    return all
  }

  private func show() -> String {
    let others = others.withLock { $0 }
    return (others.isEmpty ? all.map { "\($0)" } : others).joined(separator: "\n")
  }
}

extension Arrivals where Element: Event {
  /// Collects the events of a type, from now on; a failed wait shows all events of the stream so
  /// far.
  ///
  /// It lasts as long as the stream.
  public convenience init(_ type: Element.Type = Element.self, on stream: EventStream) {
    self.init()
    stream.observeAll { [others] event, turn in
      others.withLock { $0.append("\(turn.sequence) \(event)") }
    }
    stream.on(type) { [self] event, _ in add(event) }
  }
}

/// A gate that is opened once; the waiting threads continue then, and later ones do not wait.
///
/// Any thread.
///
/// ```swift
/// let gate = Gate()
/// Thread.detachNewThread { gate.open() }
/// try gate.wait("the thread has started")
/// ```
public final class Gate: Sendable {
  private let isOpened = Locked(false)

  /// Creates a closed gate.
  public init() {}

  /// Whether it has been opened.
  public var isOpen: Bool { isOpened.withLock { $0 } }

  /// Opens it.
  public func open() { isOpened.withLock { $0 = true } }

  /// Waits until it is open; blocks the thread.
  ///
  /// - Parameter wanted: What opens it, as the end of "waited until …".
  /// - Throws: ``WaitedInVain``.
  public func wait(_ wanted: String = "the gate is opened") throws {
    try waitUntil(wanted) { isOpen }
  }

  /// Waits until it is open, and leaves the thread to other tasks meanwhile.
  ///
  /// - Parameter wanted: What opens it, as the end of "waited until …".
  /// - Throws: ``WaitedInVain``, or a `CancellationError`.
  public func wait(_ wanted: String = "the gate is opened") async throws {
    try await waitUntil(wanted) { isOpen }
  }
}
