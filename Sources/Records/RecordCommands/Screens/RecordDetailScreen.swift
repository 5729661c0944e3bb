import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

/// An editor of one record (S46): its edits, until they are saved or discarded.
final class RecordDetailScreen<R: CommandRecord>: Screen {
  static var isNotOpen: String {
    "No \(R.kind) is open; '\(R.commands.openingWords) and its number open one."
  }

  /// Executing while the edits are being stored (S91).
  let saving: Action
  private let contents: StateContainer<Contents>

  private struct Contents: Sendable, Equatable {
    var detail: RecordDetail<R>
    /// The time of the last edit.
    var time: Instant
  }

  init(_ detail: RecordDetail<R>, _ turn: borrowing Turn) {
    let contents = Contents(detail: detail, time: turn.time)
    self.contents = StateContainer(contents, name: R.commands.detailKind, on: turn.stream)
    saving = Action("save", on: turn.stream)
  }

  /// The record with its edits.
  var detail: RecordDetail<R> { contents.model.detail }

  var view: ScreenView {
    let detail = detail
    return ScreenView(
      kind: R.commands.detailKind,
      title: detail.screenTitle,
      isEdited: detail.isEdited
    )
  }

  var states: [NamedState] {
    let names = R.commands.detailStates
    return [
      contents.state.named(names.detail, showing: { RecordDraft($0.detail, at: $0.time) }),
      saving.isExecuting.named(names.saving),
    ]
  }

  /// Edits it.
  func edit(_ turn: borrowing Turn, _ change: (inout RecordDetail<R>) throws -> Void) throws {
    let time = turn.time
    try contents.change(turn) { contents in
      try change(&contents.detail)
      contents.detail.time = RecordView<R>.time(turn)
      contents.time = time
    }
  }

  /// Applies a change of the record (S26).
  ///
  /// External changes arrive later than changes of this process, and so may be older. Where both
  /// changed a field, the screen stays unchanged, so that saving is a conflict (S71).
  ///
  /// - Returns: The consequence for the screen.
  func hear(_ item: ResponseChangedViews<R>.Item, _ turn: borrowing Turn) -> HeardChange {
    let (detail, record) = (detail, item.viewModel)
    guard record.number == detail.number, record.revision > detail.original.revision else {
      return .nothing
    }
    guard let rebased = detail.rebased(onto: record, isGone: item.isGone) else { return .conflict }
    contents.change(turn) { $0.detail = rebased }
    return rebased == detail ? .nothing : .change
  }
}

/// The consequence of a change of a record for its screen.
enum HeardChange {
  /// Its content is unchanged.
  case nothing
  /// Its content has changed.
  case change
  /// Its edits can't be saved without a conflict.
  case conflict
}

extension RecordCommands {
  /// The kind of the screen of one record.
  var detailKind: String { "detail" + suffix }
  /// The kind of the screen of a list.
  var listKind: String { name(of: .list) }
  /// What opens a record, up to its number: `open'`.
  fileprivate var openingWords: String { suffix.isEmpty ? "open'" : "open \(suffix.dropFirst())'" }

  /// The content of the editor, and whether its edits are being stored.
  var detailStates: (detail: StateName, saving: StateName) {
    (
      StateName(detailKind, "The open \(R.kind), with what was edited of it."),
      StateName(
        detailKind + "/saving",
        "Whether the edits of the open \(R.kind) are being stored.",
        progress: "saving"
      )
    )
  }
}
