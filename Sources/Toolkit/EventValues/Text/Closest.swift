import EventMVVM
import JSONText

/// Returns the candidate that a mistyped word most likely means: the only one that it begins, or
/// one at most two edits away, and at most half as many edits as the word has letters.
///
/// Edits are insertions, deletions, replacements and swaps of neighbours (Damerau–Levenshtein,
/// restricted). Ties go to the first in alphabetical order.
public func closest(to word: String, among candidates: [String]) -> String? {
  guard word.mayBeName else { return nil }
  let letters = Array(word.lowercased())
  let begun = candidates.filter { letters.count >= 3 && $0.starts(withText: word) }
  if Set(begun).count == 1 { return begun[0] }
  let limit = min(2, letters.count / 2)
  let ranked = candidates.sorted().map { ($0, editDistance(letters, Array($0))) }
  guard let best = ranked.min(by: { $0.1 < $1.1 }), best.1 <= limit else {
    return begun.min()
  }
  return best.0
}

/// Returns the candidate that ``closest(to:among:)`` does, and those that come next, which may be two edits
/// farther away.
func closestFirst(to word: String, among candidates: [String]) -> [String] {
  guard let first = closest(to: word, among: candidates) else { return [] }
  let letters = Array(word.lowercased())
  let others = candidates.filter { $0 != first }.map { ($0, editDistance(letters, Array($0))) }
  return [first] + others.filter { $0.1 <= 5 }.sorted { $0.1 < $1.1 }.map(\.0)
}

private func editDistance(_ first: [Character], _ second: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for (row, letter) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      let cost = letter == other ? 0 : 1
      var least = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
      if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    (beforeLast, last) = (last, current)
  }
  return last[second.count]
}
