/// Elements in the order in which they came; appending one and removing the first take constant time.
struct FIFO<Element> {
  /// The elements; nil in place of a removed one, which would otherwise be retained.
  private var elements: [Element?] = []
  private var start = 0

  /// Whether there is none.
  var isEmpty: Bool { start == elements.count }

  /// The first one.
  var first: Element? { isEmpty ? nil : elements[start] }

  /// Appends one.
  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first one.
  mutating func popFirst() -> Element? {
    guard !isEmpty, let element = elements[start] else { return nil }
    elements[start] = nil
    start += 1
    tidy()
    return element
  }

  private mutating func tidy() {
    if start == elements.count {
      elements.removeAll(keepingCapacity: elements.capacity < 1024)
      start = 0
    } else if start > 1024, start * 2 > elements.count {
      elements.removeFirst(start)
      start = 0
    }
  }
}
