import EventMVVMTesting
import Foundation

/// Something that the program is told to do, and what has to come of it.
struct Invocation: CustomStringConvertible {
  let words: [String]
  var input = ""
  /// How many changes each of its steps makes.
  ///
  /// Each step is there whole or not at all, and none
  /// without those before it.
  let steps: [Int]
  /// What the changes of it that have a title bear in it; empty where they have one from before.
  var mark = ""

  var description: String { words.joined(separator: " ") }

  // MARK: One-shots

  static func add(_ mark: String, _ more: [String] = []) -> Invocation {
    Invocation(words: ["--json", "add", "One-shot \(mark)"] + more, steps: [1], mark: mark)
  }

  static func edit(_ number: Int, _ mark: String) -> Invocation {
    Invocation(
      words: ["--json", "edit", "\(number)", "--title", "Edit \(mark)"],
      steps: [1],
      mark: mark
    )
  }

  /// Toggling changes a todo however it was.
  static func toggle(_ numbers: [Int]) -> Invocation {
    Invocation(words: ["--json", "toggle"] + numbers.map { "\($0)" }, steps: [numbers.count])
  }

  /// Takes a step of so many todos back, or does it again.
  static func reversal(_ verb: String, of count: Int) -> Invocation {
    Invocation(words: ["--json", verb], steps: [count])
  }

  // MARK: Scripts and streams

  /// All or nothing.
  static func script(_ mark: String, lines: Int) -> Invocation {
    Invocation(
      words: ["--json", "run", "-"],
      input: input(mark, lines),
      steps: [lines],
      mark: mark
    )
  }

  /// Each line for itself, and printed before the next is read.
  static func stream(_ mark: String, lines: Int) -> Invocation {
    Invocation(
      words: ["--json", "run", "--keep-going", "-"],
      input: input(mark, lines),
      steps: Array(repeating: 1, count: lines),
      mark: mark
    )
  }

  /// Additions, and every third line changes what the one before it has added.
  private static func input(_ mark: String, _ lines: Int) -> String {
    (1...lines)
      .map { line in
        switch line % 3 {
        case 0: "toggle @last\n"
        case 1: "add \"Line \(line) \(mark)\" --tag \(line % 2 == 0 ? "even" : "odd")\n"
        default: "add \"Line \(line) \(mark)\" --subtitle \"\(Self.notes(line))\"\n"
        }
      }
      .joined()
  }

  /// Some of them longer than a page.
  private static func notes(_ line: Int) -> String {
    String(repeating: "Notes of line \(line). ", count: line % 7 == 2 ? 300 : 5)
  }

  /// One of them all, by chance.
  static func random(_ mark: String, on history: History, _ chance: inout Chance) -> Invocation {
    let numbers = history.todos.map(\.number).shuffled(using: &chance)
    switch chance.pick(0...9) {
    case 0...2: return script(mark, lines: 50)
    case 3, 4: return stream(mark, lines: chance.pick(5...20))
    case 5 where numbers.count > 3: return toggle(Array(numbers.prefix(3)))
    case 6 where !numbers.isEmpty: return edit(numbers[0], mark)
    case 7 where !numbers.isEmpty: return toggle([numbers[0]])
    default: return add(mark, chance.once(in: 4) ? ["--tag", "home"] : [])
    }
  }

  // MARK: What came of it

  /// What is wrong with the changes that were found behind those of before.
  func problems(with changes: ArraySlice<Contents.Change>) -> [String] {
    var groups: [[Contents.Change]] = []
    for change in changes {
      if groups.last?.last?.step == change.step {
        groups[groups.count - 1].append(change)
      } else {
        groups.append([change])
      }
    }
    let sizes = groups.map(\.count)
    var problems: [String] = []
    if sizes != Array(steps.prefix(sizes.count)) {
      problems.append("TORN: steps of \(sizes) changes, instead of \(steps)")
    }
    let titled = changes.filter { $0.after.contains(#""title""#) }
    if !mark.isEmpty, let other = titled.first(where: { !$0.after.contains(mark) }) {
      problems.append("revision \(other.revision) is none of '\(self)': \(other.after)")
    }
    return problems
  }
}
