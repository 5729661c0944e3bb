import EventCommands
import EventMVVM
import EventRecords
import EventValues
import TodoModels

/// The names of todos in each frontend session: `@last`, and the names that it gave.
///
/// Names from a unit that is rolled back are removed.
struct SessionNames {
  private struct Names {
    var last: RecordReference?
    var named: [String: RecordReference] = [:]
  }

  private var sessions: [Origin: Names] = [:]
  private var beforeUnit: (origin: Origin, names: Names)?

  /// Returns the store's reference for a session's reference.
  func resolve(
    _ reference: Reference,
    for origin: Origin,
    field: String = "id"
  ) throws -> RecordReference {
    switch reference {
    case .todo(let reference): return reference
    case .last:
      guard let last = sessions[origin]?.last else {
        throw Failure(
          .notFound,
          "@last: this session has not added or changed a todo yet.",
          field: field
        )
      }
      return last
    case .named(let name):
      guard let named = sessions[origin]?.named[name] else {
        throw Failure(
          .notFound,
          "@\(name.quotable): this session has given no todo that name; "
            + "'add … as @\(name.quotable)' does.",
          field: field
        )
      }
      return named
    }
  }

  /// Stores which todo a session added or changed last, and its name.
  mutating func note(_ number: Int, as alias: String?, for origin: Origin) {
    let reference = RecordReference.number(number)
    sessions[origin, default: Names()].last = reference
    if let alias { sessions[origin, default: Names()].named[alias] = reference }
  }

  /// Saves a session's names, in case its unit is rolled back.
  mutating func unitBegins(_ origin: Origin) {
    beforeUnit = (origin, sessions[origin] ?? Names())
  }

  /// Restores the names if the unit was rolled back.
  mutating func unitEnds(_ outcome: ResponseUnit.Outcome) {
    if outcome == .rolledBack, let beforeUnit { sessions[beforeUnit.origin] = beforeUnit.names }
    beforeUnit = nil
  }

  /// Removes the names of a session.
  mutating func sessionEnds(_ origin: Origin) {
    sessions[origin] = nil
    if beforeUnit?.origin == origin { beforeUnit = nil }
  }
}
