import EventMVVM
package import EventPatterns

/// What can go wrong with todos and their store; the view-model layer puts it in words (S39).
package enum ModelError: EventFailure, Codable {
  /// No todo is referred to so.
  case notFound(TodoReference)
  /// Several todos are referred to so.
  case ambiguous(TodoReference, numbers: [Int])
  /// The todo is deleted, and only restoring it is possible.
  case deleted(number: Int)
  /// Somebody else changed the same field to another value.
  case conflict(number: Int, TodoConflict)
  /// The todo can't have been seen at a revision: it was not there, or the store has not come so far.
  case unseen(number: Int, revision: Int)
  /// The todo would have more tags than a todo can have.
  case tooManyTags(number: Int, count: Int)
  /// A todo can't stand beside itself.
  case besideItself(number: Int)
  /// The todo beside which another one is to stand is not to be had.
  indirect case beside(ModelError)
  /// There is no room for another one beside a todo: too many were moved there.
  case noRoom(number: Int)
  /// The change log has no such change.
  case noSuchPlace
  /// The store failed.
  case store(StoreError)

  /// Takes a model error as it is; anything else is the store's.
  package init(_ error: any Error) {
    switch error {
    case let error as ModelError: self = error
    case let error as StoreError: self = .store(error)
    default: self = .store(StoreError(path: "", String(describing: error)))
    }
  }
}
