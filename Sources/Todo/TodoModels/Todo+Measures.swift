public import EventMVVM
public import EventRecords

// The measures of todos: how many were added, completed and deleted, and how many are open,
// by tag and by project.

extension Todo {
  /// Returns the measures of a todo's change: what happened, and the effect on the number of open
  /// ones.
  public static func measures(
    from before: Todo?,
    to after: Todo?,
    at time: Instant
  ) -> [Measure] {
    var measures: [Measure] = []
    func count(_ name: String) {
      measures.append(Measure(.count(name), 1, at: time, by: (after ?? before)?.dimensions ?? []))
    }
    let (wasThere, isThere) = (before?.isSuggested ?? false, after?.isSuggested ?? false)
    if !wasThere, isThere { count(before == nil ? "added" : "restored") }
    if wasThere, !isThere { count("deleted") }
    let wasComplete = before?.complete ?? false
    let isComplete = after?.complete ?? wasComplete
    if !wasComplete, isComplete { count("completed") }
    if wasComplete, !isComplete { count("reopened") }
    return measures + levels(from: before, to: after, at: time)
  }

  /// Counts an open todo by its current labels, and no longer by its former ones.
  private static func levels(
    from before: Todo?,
    to after: Todo?,
    at time: Instant
  ) -> [Measure] {
    let was = before.flatMap { $0.isOpen ? $0.dimensions : nil }
    let isNow = after.flatMap { $0.isOpen ? $0.dimensions : nil }
    guard was != isNow else { return [] }
    return (was.map { [Measure(.level("open"), -1, at: time, by: $0)] } ?? [])
      + (isNow.map { [Measure(.level("open"), 1, at: time, by: $0)] } ?? [])
  }

  private var isOpen: Bool { !deleted && !complete }

  /// The dimensions by which it is counted.
  private var dimensions: [Measure.Dimension] {
    tags.map { .init("tag", $0) } + (project.map { [.init("project", $0)] } ?? [])
  }
}
