/// A line among bytes that are in memory: where it is searched.
struct LineRange {
  /// The position of its event.
  let position: UInt32
  /// Where its type begins.
  let name: Int
  /// Where its body begins; its end if it has none.
  let body: Int
  /// Where its text ends: the checksum after it is no part of the event.
  let end: Int

  /// The bytes at the end of a line that are no part of the event.
  static let checksum = 20

  init(_ position: UInt32, _ event: EventEntry, at start: Int) {
    self.position = position
    name = start + Int(event.name)
    let least = max(Int(event.name), Int(event.length) - Self.checksum)
    end = start + max(least, Int(event.body))
    body = event.body > 0 ? start + Int(event.body) : end
  }
}

/// Tests lines by one word of a filter; one thread at a time uses it.
///
/// Texts are searched for in many lines at once, at the speed of memory. Where that is not the whole test, it is done
/// only for the lines that have a text which each fitting one has.
struct LineTest {
  private enum Rest {
    case nothing
    case isMember
    case pattern(Pattern)
  }

  private let isInverse: Bool
  /// Texts of which a fitting line has one, each with what it has to fulfil besides; no text where none is known.
  private var parts: [(needle: Needle?, rest: Rest)] = []
  private let isInBody: Bool

  /// How the member begins that has the line of code.
  private static let source = Array(#""source":"#.utf8)

  /// Whether many lines are excluded fast.
  var isFast: Bool { parts.allSatisfy { $0.needle != nil } }

  /// - Returns: Nil for a word that is no test of a line.
  init?(_ word: Filter.Word, _ sample: [UInt8]) {
    isInverse = word.isInverse
    switch word.test {
    case .text(let text):
      isInBody = false
      // No text is in every line.
      parts = [(text.isEmpty ? nil : Needle(text, ignoresCase: true, in: sample), .nothing)]
    case .member(let forms):
      // The line of code that sent an event is before its body.
      isInBody = !forms.contains { $0.starts(with: Self.source) }
      parts = forms.map { (Needle($0, in: sample), .isMember) }
    case .pattern(let expression, let ignoresCase):
      isInBody = true
      guard let pattern = try? Pattern(expression, ignoresCase: ignoresCase) else { break }
      let literals = Pattern.literals(of: expression, ignoresCase: ignoresCase)
      parts = literals.map {
        (Needle($0, ignoresCase: ignoresCase, in: sample), .pattern(pattern))
      }
      if parts.isEmpty { parts = [(nil, .pattern(pattern))] }
    default: return nil
    }
  }

  /// Returns the lines that fit, of lines in their order.
  func fitting(_ lines: [LineRange], _ bytes: UnsafeRawBufferPointer) -> [LineRange] {
    var fits = [Bool](repeating: false, count: lines.count)
    for part in parts {
      if let needle = part.needle {
        search(for: needle, part.rest, lines, bytes, &fits)
      } else {
        for (index, line) in lines.enumerated() where !fits[index] {
          fits[index] = self.fits(nil, part.rest, line, bytes)
        }
      }
    }
    return lines.indices.filter { fits[$0] != isInverse }.map { lines[$0] }
  }

  /// Notes the lines that have a text and fulfil the rest.
  private func search(
    for needle: Needle,
    _ rest: Rest,
    _ lines: [LineRange],
    _ bytes: UnsafeRawBufferPointer,
    _ fits: inout [Bool]
  ) {
    guard let end = lines.last?.end else { return }
    var (index, from) = (0, 0)
    while index < lines.count {
      from = max(from, start(of: lines[index]))
      guard from < end, let place = needle.place(in: bytes, from..<end) else { return }
      // The lines that end before it have none.
      while lines[index].end < place + needle.bytes.count {
        index += 1
        if index == lines.count { return }
      }
      guard place >= start(of: lines[index]) else { continue }
      fits[index] = fits[index] || self.fits(needle, rest, lines[index], bytes)
      index += 1
    }
  }

  private func start(of line: LineRange) -> Int { isInBody ? line.body : line.name }

  private func fits(
    _ needle: Needle?,
    _ rest: Rest,
    _ line: LineRange,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let text = UnsafeRawBufferPointer(rebasing: bytes[start(of: line)..<line.end])
    switch rest {
    case .nothing: return true
    case .isMember: return needle.map { Self.hasMember($0, text) } ?? false
    case .pattern(let pattern): return !text.isEmpty && pattern.matches(text)
    }
  }

  /// Whether a text has a member with its value.
  private static func hasMember(_ member: Needle, _ text: UnsafeRawBufferPointer) -> Bool {
    var start = 0
    while start < text.count, let place = member.place(in: text, start..<text.count) {
      let end = place + member.bytes.count
      // A number can be the beginning of another one.
      let isWhole = end >= text.count || [UInt8(ascii: ","), UInt8(ascii: "}")].contains(text[end])
      // A quote in a text is escaped.
      if isWhole, place == 0 || text[place - 1] != UInt8(ascii: "\\") { return true }
      start = place + 1
    }
    return false
  }
}
