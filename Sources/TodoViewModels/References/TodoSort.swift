package import EventCommands
import EventMVVM
package import TodoModels

/// An order as people write it: `due`, or `-due` for the reverse.
package struct TodoSort: CommandValue, Codable {
  /// The order.
  package let sort: TodoQuery.Sort

  /// Names an order.
  package init(_ sort: TodoQuery.Sort) {
    self.sort = sort
  }

  package init(word: String) throws(ValueError) {
    let isReversed = word.starts(withText: "-")
    let name = String(Substring(word.utf8.dropFirst(isReversed ? 1 : 0)))
    guard word.mayBeName, let key = TodoQuery.Key(rawValue: name) else {
      let keys = TodoQuery.Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValueError(
        "'\(word.quotable)' is not one of \(keys), or one of them with '-' before it"
      )
    }
    sort = TodoQuery.Sort(key, isReversed: isReversed)
  }

  package static var shape: ValueShape {
    let keys = TodoQuery.Key.allCases.map(\.rawValue)
    return ValueShape(
      "KEY",
      choices: keys + keys.map { "-" + $0 },
      explanation: [
        "created, newest first; due, soonest first; priority, high first; title, by the alphabet;",
        "manual, as 'move' has put them; each with '-' before it the other way round.",
        "What has no date comes last.",
      ]
    )
  }
}

extension Priority: CommandChoice {}

extension TodoSide: CommandChoice {}
