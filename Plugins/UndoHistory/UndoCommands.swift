package import EventCommands
package import EventMVVM
package import EventRecords

/// A command that takes the latest step of some kind back.
package protocol ReversingCommand: Command where Reply.Value == ReversalReport {
  /// Whether only what this session or its like has done counts.
  var mine: Bool { get }
  /// Whether newer changes of the same fields are overwritten.
  var force: Bool { get set }
  /// Whether fields with newer changes are left as they are.
  var skip: Bool { get }
  /// Which step is the next one.
  static func query(_ maker: StepMaker?) -> StepQuery
}

extension ReversingCommand {
  package func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .conflict, !force, !skip else { return nil }
    var forced = self
    forced.force = true
    return SecondTry("Restore the earlier values over the newer changes?", forced)
  }
}

/// Undoes the latest change that is not undone.
package struct RequestUndo: ReversingCommand, Codable {
  package typealias Reply = ResponseUndo

  /// Whether only what this session or its like has done counts.
  package var mine = false
  /// Whether newer changes of the same fields are overwritten.
  package var force = false
  /// Whether fields with newer changes are left as they are.
  package var skip = false

  package static let command = CommandSpec<Self>("undo", "Undoes what was done last.")
    .option(\.mine, "Only what this session did, or one of its name", flag: "--mine")
    .option(\.force, "Also where it was changed again since", flag: "--force")
    .option(\.skip, "But not where it was changed again since", flag: "--skip")
    .exclusive(\.force, \.skip)

  package init() {}

  package static func query(_ maker: StepMaker?) -> StepQuery { .toUndo(by: maker) }
}

/// What was undone.
package struct ResponseUndo: ViewModelEvent, Response {
  /// What was undone or why nothing was.
  package let result: Result<ReversalReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<ReversalReport, Failure>) {
    self.result = result
  }
}

/// Takes the latest undo back, unless something was changed after it.
package struct RequestRedo: ReversingCommand, Codable {
  package typealias Reply = ResponseRedo

  /// Whether only what this session or its like has done counts.
  package var mine = false
  /// Whether newer changes of the same fields are overwritten.
  package var force = false
  /// Whether fields with newer changes are left as they are.
  package var skip = false

  package static let command = CommandSpec<Self>("redo", "Does again what was undone last.")
    .option(\.mine, "Only what this session undid, or one of its name", flag: "--mine")
    .option(\.force, "Also where it was changed again since", flag: "--force")
    .option(\.skip, "But not where it was changed again since", flag: "--skip")
    .exclusive(\.force, \.skip)

  package init() {}

  package static func query(_ maker: StepMaker?) -> StepQuery { .toRedo(by: maker) }
}

/// What was done again.
package struct ResponseRedo: ViewModelEvent, Response {
  /// What was done again or why nothing was.
  package let result: Result<ReversalReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<ReversalReport, Failure>) {
    self.result = result
  }
}

/// Shows the steps that were made, or what happened to one thing.
package struct RequestHistory: Command, Codable {
  package typealias Reply = ResponseHistory
  package static let writes = false

  /// The thing; nil for the steps.
  package var id: Subject?
  /// How many at most.
  package var limit: Count?

  package static let command = CommandSpec<Self>(
    "history",
    "Shows what was done, newest first; of one thing, every change."
  )
  .word(\.id, "Whose changes; without it, all steps")
  .option(\.limit, "How many at most; 20 steps unless given", flag: "--limit")
  .method("list")

  package init() {}
}

/// What was done.
package struct ResponseHistory: ViewModelEvent, Response {
  /// The history or why there is none.
  package let result: Result<HistoryList, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<HistoryList, Failure>) {
    self.result = result
  }
}
