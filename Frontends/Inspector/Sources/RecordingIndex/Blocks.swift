/// An array that only grows, of which a copy is cheap at any size: it shares all but its end.
struct Blocks<Element: Sendable>: Sendable, RandomAccessCollection {
  /// The elements of a block.
  private static var size: Int { 4096 }

  private var full: [[Element]] = []
  private var last: [Element] = []

  /// The number of elements.
  var count: Int { full.count * Self.size + last.count }
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  /// Appends an element.
  mutating func append(_ element: Element) {
    last.append(element)
    guard last.count == Self.size else { return }
    full.append(last)
    last = []
  }

  subscript(index: Int) -> Element {
    let block = index / Self.size
    return block < full.count ? full[block][index % Self.size] : last[index % Self.size]
  }

  /// Calls back with the elements of a range, those of a block at a time, and the index of the first of them.
  func forEachPart(of range: Range<Int>, _ body: (UnsafeBufferPointer<Element>, Int) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let (block, first) = start.quotientAndRemainder(dividingBy: Self.size)
      let end = Swift.min(range.upperBound - block * Self.size, Self.size)
      (block < full.count ? full[block] : last)
        .withUnsafeBufferPointer {
          body(UnsafeBufferPointer(rebasing: $0[first..<end]), start)
        }
      start += end - first
    }
  }
}
