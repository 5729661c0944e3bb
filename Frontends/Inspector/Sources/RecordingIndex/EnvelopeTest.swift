/// Tests what the index knows of an event, by tables that are made for what is known of a recording at a moment.
struct EnvelopeTest {
  /// Whether each type, origin and set of marks fits, by its index.
  private var types: [Bool]
  private var origins: [Bool]
  private var marks = [Bool](repeating: true, count: 256)
  private var sequences: [(range: ClosedRange<UInt64>, isInverse: Bool)] = []
  /// Sorted.
  private var roots: [(keys: [UInt64], isInverse: Bool)] = []

  init(_ filter: Filter, _ contents: RecordingContents) {
    types = [Bool](repeating: true, count: contents.types.count)
    origins = [Bool](repeating: true, count: contents.origins.count)
    for word in filter.words { restrict(word.test, word.isInverse, contents) }
  }

  /// Whether an event fits, as far as that is known without its line.
  func fits(_ event: EventEntry) -> Bool {
    types[Int(event.type)] && origins[Int(event.origin)] && marks[Int(event.marks.rawValue)]
      && sequences.allSatisfy { $0.range.contains(event.sequence) != $0.isInverse }
      && roots.allSatisfy { $0.keys.hasSorted(event.root.rawValue) != $0.isInverse }
  }

  private mutating func restrict(
    _ test: Filter.Test,
    _ isInverse: Bool,
    _ contents: RecordingContents
  ) {
    func restrict(_ table: inout [Bool], _ fits: (Int) -> Bool) {
      for index in table.indices where fits(index) == isInverse { table[index] = false }
    }
    switch test {
    case .types(let names):
      restrict(&types) { index in
        names.contains { Self.fits(contents.types[index].name, $0) }
      }
    case .layers(let layers):
      restrict(&types) { layers.contains(contents.types[$0].layer?.rawValue ?? "none") }
    case .kinds(let kinds):
      restrict(&types) { contents.types[$0].kind.map { kinds.contains($0) } ?? false }
    case .origins(let names): restrict(&origins) { names.contains(contents.origins[$0].name) }
    case .marks(let wanted):
      restrict(&marks) { value in
        wanted.contains { UInt8(value) & $0.rawValue == $0.rawValue }
      }
    case .sequences(let range): sequences.append((range, isInverse))
    case .roots(let names):
      let keys = names.compactMap { contents.root(named: $0)?.rawValue }
      roots.append((keys.sorted(), isInverse))
    case .text, .pattern, .member: break
    }
  }

  /// Whether a name is that of a pattern in which `*` stands for any characters.
  private static func fits(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return name == pattern }
    var rest = Substring(name)
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}

extension [UInt64] {
  /// Whether it has a value; it is sorted.
  fileprivate func hasSorted(_ value: UInt64) -> Bool {
    guard let first, let last, value >= first, value <= last else { return false }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return self[low] == value
  }
}
