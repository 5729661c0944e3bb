import Foundation

/// How lines differ from those expected: `-` is missing, `+` is too much, a blank is both.
struct LineDiff: CustomStringConvertible {
  let description: String
  let isEmpty: Bool

  init(expected: [String], actual: [String], folder: String) {
    let patterns = expected.map { LinePattern($0, folder: folder) }
    let difference = Self.difference(from: patterns, to: actual)
    isEmpty = difference.removed.isEmpty && difference.inserted.isEmpty
    var lines: [String] = []
    var (old, new) = (0, 0)
    while old < expected.count || new < actual.count {
      if difference.removed.contains(old) {
        lines.append("- " + expected[old])
        old += 1
      } else if difference.inserted.contains(new) {
        lines.append("+ " + actual[new])
        new += 1
      } else {
        lines.append("  " + actual[new])
        (old, new) = (old + 1, new + 1)
      }
    }
    description = lines.joined(separator: "\n")
  }

  /// The lines that are in but one of them: what is not in the longest common subsequence.
  private static func difference(
    from patterns: [LinePattern],
    to lines: [String]
  ) -> (removed: Set<Int>, inserted: Set<Int>) {
    let width = lines.count + 1
    var common = [Int](repeating: 0, count: (patterns.count + 1) * width)
    var matches = [Bool](repeating: false, count: patterns.count * width)
    for old in patterns.indices.reversed() {
      for new in lines.indices.reversed() {
        matches[old * width + new] = patterns[old].matches(lines[new])
        common[old * width + new] =
          matches[old * width + new]
          ? common[(old + 1) * width + new + 1] + 1
          : max(common[(old + 1) * width + new], common[old * width + new + 1])
      }
    }
    var (removed, inserted) = (Set(patterns.indices), Set(lines.indices))
    var (old, new) = (0, 0)
    while old < patterns.count, new < lines.count {
      if matches[old * width + new] {
        removed.remove(old)
        inserted.remove(new)
        (old, new) = (old + 1, new + 1)
      } else if common[(old + 1) * width + new] >= common[old * width + new + 1] {
        old += 1
      } else {
        new += 1
      }
    }
    return (removed, inserted)
  }
}

/// A line in which `{uuid}` and `{time}` stand for whatever is of that form.
struct LinePattern {
  private let literal: String
  private let expression: NSRegularExpression?

  init(_ line: String, folder: String) {
    let literal = line.replacing("{folder}", with: folder)
    self.literal = literal
    guard ["{uuid}", "{time}", "{any}"].contains(where: { literal.contains($0) }) else {
      expression = nil
      return
    }
    let pattern = NSRegularExpression.escapedPattern(for: literal)
      .replacing(#"\{any\}"#, with: ".*")
      .replacing(#"\{uuid\}"#, with: "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
      .replacing(#"\{time\}"#, with: #"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"#)
    expression = try? NSRegularExpression(pattern: "^\(pattern)$")
  }

  func matches(_ line: String) -> Bool {
    // Byte for byte: two spellings of a character are not the same output.
    guard let expression else { return line.utf8.elementsEqual(literal.utf8) }
    let all = NSRange(line.startIndex..., in: line)
    return expression.firstMatch(in: line, range: all)?.range == all
  }
}
