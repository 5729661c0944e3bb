public import EventMVVM

/// What a live query tells: its rows at first, then how they differ from those before.
public enum LivePage<R: Record>: Sendable, Equatable {
  /// All rows, in order: at first, and where a difference would not do, as after a store was replaced.
  case rows([Kept<R>], revision: Int)
  /// The differences, to be made one after another; `revision` is that of the last change that is in them.
  case changes([LiveChange<R>], revision: Int)
  /// Why the rows can't be read. Those that are known may be old; all rows follow once they can be read again.
  case failure(Failure)
}

/// A difference between two states of the rows of a live query.
public enum LiveChange<R: Record>: Sendable, Equatable {
  /// A row that is new, has changed, or has another place: it comes behind the row with a number, or is the first for nil.
  case row(Kept<R>, after: Int?)
  /// The row with a number is no longer there.
  case gone(Int)
}

extension Array {
  /// Makes the differences that a live query tells.
  ///
  /// ```swift
  /// shown.take(changes)
  /// ```
  ///
  /// - Parameter changes: The differences between these rows and the next ones.
  public mutating func take<R: Record>(_ changes: [LiveChange<R>]) where Element == Kept<R> {
    for change in changes {
      switch change {
      case .gone(let number): removeAll { $0.number == number }
      case .row(let row, let previous):
        removeAll { $0.number == row.number }
        let place = previous.map { previous in firstIndex { $0.number == previous } } ?? -1
        insert(row, at: (place ?? count - 1) + 1)
      }
    }
  }
}
