package import EventCommands
package import EventMVVM
package import EventRecords
package import EventValues
package import JSONText

/// A command that reverts the latest step of some kind.
package protocol ReversingCommand: Command where Reply.Value == ReversalReport {
  /// Whether only steps of this session or its frontend count.
  var mine: Bool { get }
  /// Whether newer changes of the same fields are overwritten.
  var force: Bool { get set }
  /// Whether fields with newer changes are left unchanged.
  var skip: Bool { get }
  /// Returns the query for the next step.
  static func query(_ maker: StepMaker?) -> StepQuery
}

extension ReversingCommand {
  package static var isForUnits: Bool { false }

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

  /// Whether only steps of this session or its frontend count.
  package var mine = false
  /// Whether newer changes of the same fields are overwritten.
  package var force = false
  /// Whether fields with newer changes are left unchanged.
  package var skip = false

  package static let command = CommandSpec<Self>("undo", "Undoes what was done last.")
    .topic(.undo)
    .option(\.mine, "Only what this session did, or one of its name", flag: "--mine")
    .option(\.force, "Also where it was changed again since", flag: "--force")
    .option(\.skip, "But not where it was changed again since", flag: "--skip")
    .exclusive(\.force, \.skip)

  package init() {}

  package static func query(_ maker: StepMaker?) -> StepQuery { .toUndo(by: maker) }
}

/// The result of an undo.
package struct ResponseUndo: ViewModelEvent, Response {
  /// The undone step, or why none was undone.
  package let result: Result<ReversalReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<ReversalReport, Failure>) {
    self.result = result
  }
}

/// Redoes the latest undone step, unless something was changed after it.
package struct RequestRedo: ReversingCommand, Codable {
  package typealias Reply = ResponseRedo

  /// Whether only steps of this session or its frontend count.
  package var mine = false
  /// Whether newer changes of the same fields are overwritten.
  package var force = false
  /// Whether fields with newer changes are left unchanged.
  package var skip = false

  package static let command = CommandSpec<Self>("redo", "Does again what was undone last.")
    .topic(.undo)
    .option(\.mine, "Only what this session undid, or one of its name", flag: "--mine")
    .option(\.force, "Also where it was changed again since", flag: "--force")
    .option(\.skip, "But not where it was changed again since", flag: "--skip")
    .exclusive(\.force, \.skip)

  package init() {}

  package static func query(_ maker: StepMaker?) -> StepQuery { .toRedo(by: maker) }
}

/// The result of a redo.
package struct ResponseRedo: ViewModelEvent, Response {
  /// The redone step, or why none was redone.
  package let result: Result<ReversalReport, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<ReversalReport, Failure>) {
    self.result = result
  }
}

/// Shows the steps, or the changes of one thing.
package struct RequestHistory: Command, UpgradedEvent {
  package typealias Reply = ResponseHistory
  // Version 2 has `all`.
  package static let version = 2
  package static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
    1: { $0.adding("all", .bool(false)) }
  ]
  package static let writes = false

  /// The thing; nil for the steps.
  package var id: Subject?
  /// The most entries.
  package var limit: Count?
  /// Whether every changed thing of each step is named.
  package var all = false

  package static let command = CommandSpec<Self>(
    "history",
    "Shows what was done, newest first; of one thing, every change."
  )
  .example("history", "history 3")
  .topic(.undo)
  .word(\.id, "Whose changes; without it, all steps")
  .option(\.limit, "How many at most; 20 steps unless given", flag: "--limit")
  .option(\.all, "Names all that each step changed", flag: "--all")
  .method("list")

  package init() {}

  /// Much memory if more than a few entries are requested.
  package var cost: CommandCost {
    all || (limit.map { $0.number > 100 } ?? (id != nil)) ? .memory : .small
  }
}

/// The history.
package typealias ResponseHistory = ResponseView<HistoryList>
