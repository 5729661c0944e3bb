import EventMVVM
import EventPatterns
import TodoModels

// What can be measured of todos: how many were added, completed and deleted, and how many are open, by
// tag and by project.

extension MeasuredPart {
  /// What changes of todos come to.
  init(_ part: TodoTransitions) {
    self.init(
      part.transitions.flatMap(\.measures),
      upTo: part.place?.text ?? "",
      isLast: part.isLast
    )
  }
}

extension TransitionPlace {
  /// How others keep it.
  fileprivate var text: String { "\(revision) \(root)" }

  /// Reads what ``text`` writes; nil for the beginning.
  init?(text: String) throws(Failure) {
    if text.isEmpty { return nil }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let revision = Int(parts[0]), let root = Root(parts[1]) else {
      throw Failure(ModelError.noSuchPlace)
    }
    self.init(revision, root)
  }
}

extension TodoTransitions.Transition {
  fileprivate var measures: [Measure] {
    if reversesAddition { return (addition.map { [measure(of: $0)] } ?? []) + levels }
    let counts = happenings.map { Measure(.count($0), 1, at: time, by: after.dimensions) }
    return counts + levels
  }

  /// An addition that was undone is counted no more where it was counted, one that was redone is counted again.
  private func measure(of addition: TodoTransitions.Addition) -> Measure {
    Measure(
      .count("added"),
      after.withdrawn ? -1 : 1,
      at: addition.time,
      by: addition.todo.dimensions
    )
  }

  /// What has happened, in words.
  private var happenings: [String] {
    let wasThere = before?.isThere ?? false
    var happenings: [String] = []
    if !wasThere, after.isThere { happenings.append(before == nil ? "added" : "restored") }
    if wasThere, !after.isThere { happenings.append("deleted") }
    let wasComplete = before?.complete ?? false
    if !wasComplete, after.complete { happenings.append("completed") }
    if wasComplete, !after.complete { happenings.append("reopened") }
    return happenings
  }

  /// An open todo counts by the labels that it has now, and no longer by those that it had.
  private var levels: [Measure] {
    let wasOpen = before?.isOpen ?? false
    guard wasOpen || after.isOpen else { return [] }
    let before = before?.dimensions ?? []
    guard wasOpen != after.isOpen || before != after.dimensions else { return [] }
    let fall = wasOpen ? [Measure(.level("open"), -1, at: time, by: before)] : []
    let rise = after.isOpen ? [Measure(.level("open"), 1, at: time, by: after.dimensions)] : []
    return fall + rise
  }
}

extension Todo {
  fileprivate var isThere: Bool { !deleted && !withdrawn }
  fileprivate var isOpen: Bool { isThere && !complete }

  /// What it is counted by.
  fileprivate var dimensions: [Measure.Dimension] {
    tags.map { .init("tag", $0) } + (project.map { [.init("project", $0)] } ?? [])
  }
}
