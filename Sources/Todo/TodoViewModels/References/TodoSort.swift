import EventCommands
import EventMVVM
import EventRecords
public import EventValues
import JSONText
import TodoModels

/// An order as people write it: `due`, or `-due` for the reverse; ties go by number, newest first.
public struct TodoSort: CommandValue, Codable {
  /// The key of an order.
  public enum Key: String, Sendable, CaseIterable, Codable {
    /// When it was created, newest first (S35).
    case created
    /// When it was completed, the last one first.
    case completed
    /// When it is due, and of one day high before normal; todos without a due date come last in either direction.
    case due
    /// High before normal.
    case priority
    /// The title, in alphabetical order.
    case title
    /// The manual order (S62): newest first, except for moved todos.
    case manual
  }

  /// The sort key.
  public let key: Key
  /// Whether the key's own order is reversed.
  public let isReversed: Bool

  /// Creates an order.
  public init(_ key: Key, isReversed: Bool = false) {
    self.key = key
    self.isReversed = isReversed
  }

  /// Returns the query with this order.
  func sort(_ query: Query<Todo>) -> Query<Todo> {
    switch key {
    case .created: query.sorted(by: \.createdAt, descending: !isReversed).newestFirst()
    case .completed:
      query.sorted(by: \.completedAt, descending: !isReversed).newestFirst()
    case .due:
      query.sorted(by: \.due, descending: isReversed).sorted(by: \.priority, descending: true)
        .newestFirst()
    case .priority: query.sorted(by: \.priority, descending: !isReversed).newestFirst()
    case .title: query.sorted(alphabeticallyBy: \.title, descending: isReversed).newestFirst()
    case .manual: query.sorted(manuallyBy: \.place, descending: !isReversed)
    }
  }

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    let isReversed = word.starts(withText: "-")
    let name = String(Substring(word.utf8.dropFirst(isReversed ? 1 : 0)))
    guard word.utf8.count <= 64, let key = Key(rawValue: name) else {
      let keys = Key.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValueError(
        "'\(word.quotable)' is not one of \(keys), or one of them with '-' before it"
      )
    }
    self.init(key, isReversed: isReversed)
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    let keys = Key.allCases.map(\.rawValue)
    return ValueShape(
      "KEY",
      choices: keys + keys.map { "-" + $0 },
      explanation: [
        "created, newest first; completed, the last one first; due, soonest first; priority, high first; title, by the alphabet;",
        "manual, as 'move' has put them; each with '-' before it the other way round.",
        "What has no date comes last.",
      ]
    )
  }
}
