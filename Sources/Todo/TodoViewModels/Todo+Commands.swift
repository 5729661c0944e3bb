import Completing
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText
public import RecordCommands
import Recurring
import Scheduling
public import TodoModels

extension Todo: @retroactive CommandRecord {
  /// The commands on todos.
  public static let commands = RecordCommands<Todo>()
    .with(completing)
    .with(Scheduling())
    .with(Recurring())
    .order("created", "newest first") {
      $0.sorted(by: \.createdAt, descending: !$1).newestFirst()
    }
    .order("completed", "the last one first") {
      $0.sorted(by: \.completedAt, descending: !$1).newestFirst()
    }
    .order("due", "soonest first, and of one day high first") {
      $0.sorted(by: \.due, descending: $1).sorted(by: \.priority, descending: true).newestFirst()
    }
    .order("priority", "high first") { $0.sorted(by: \.priority, descending: !$1).newestFirst() }
    .order("title", "by the alphabet") {
      $0.sorted(alphabeticallyBy: \.title, descending: $1).newestFirst()
    }
    .order("manual", "as 'move' has put them") {
      $0.sorted(manuallyBy: \.place, descending: !$1)
    }
    .ordered { list in
      let asked = list.askedConditions
      if asked.contains("done") || asked.contains("doneSince") { return "completed" }
      return list.hides ? "due" : "created"
    }
    .preparing { todo, before, turn in try todo.prepare(before: before, turn) }
    .checking { edits, turn in
      var example = Todo()
      example.title = "any"
      // A date that is moved needs one before, and so does a part of a recurrence.
      (example.due, example.recurrence) = (.minute(turn.clock.now), .daily)
      try example.edit(edits, seen: example, turn)
    }
    .wording(\.ofTodo)
    .toggle("priority", { $0.priority == .high ? "Normal" : "High" }) { todo, _, _ in
      todo.togglePriority()
    }
    .describing { detail, now, page in
      let created = detail.createdText(at: now)
      page.write("    \(detail.completedText), \(detail.priorityText), created \(created)")
      page.endLine()
    }
    .view("today", "is:open due:..today")
    .examples(
      .add,
      "add Call Bob due:fri",
      "add Pay rent due:'1 dec' +home priority:high",
      "add 'Paint the fence' --project garden"
    )
    .examples(
      .edit,
      "edit 3 --due +1w",
      "edit 3 --title 'Call Bob back' --untag home",
      "edit project:garden due:..thu to due:fri +urgent"
    )
    .examples(.show, "show 3")
    .examples(.new, "new Call Bob")
    .examples(.delete, "delete 3")
    .examples(.restore, "restore 3")
    .summary(.list, "Lists what is open by its date, or what is asked for.")
    .summary(.count, "Counts what is open, or what is asked for.")
    .examples(.count, "count is:overdue")
    .summary(.toggle, "Completes or reopens, or changes another field; 'save' stores it.")
    .examples(.list, "list", "list due:..fri +home", "list -home project:none", "list fence --all")
    .recorded(.list, as: .list)
    .recorded(.show, as: .target("RequestTodoDetailViewModel"))
    .recorded(
      .new,
      as: RecordedForm(
        "RequestNewTodoDetailViewModel",
        version: 2,
        upgrades: [1: { $0.adding("title", .string("")) }]
      )
    )
    .recorded(.set, as: .set)
    .recorded(.toggle, as: RecordedForm("RequestToggleDetail", version: 2, upgrades: [1: { $0 }]))
    .recorded(.showOpen, as: RecordedForm("RequestShowDetail"))
    .recorded(.save, as: RecordedForm("RequestSaveDetail"))
    .recorded(.cancel, as: RecordedForm("RequestCancelDetail"))
    .recorded(.rows, as: .rows)
    .renaming("ResponseTodo", to: "ResponseTodoViewModel")
    .renaming("ResponseTodoList", to: "ResponseTodoViewModels")
    .renaming("ResponseTodoDetail", to: "ResponseTodoDetailViewModel")
    .renaming("RequestUpdateTodoDetail", to: "RequestUpdateDetailViewModel")
    .renaming("ResponseUpdateTodoDetail", to: "ResponseUpdateDetailViewModel")
    .renaming("ResponseTodoDraft", to: "ResponseDraft")
    .renaming("ResponseChangedTodos", to: "ResponseChangedTodoViewModels")
    .renaming("ResponseTodoRowChanges", to: "ResponseRowChanges")
    .recorded(.add, as: RecordedForm(version: 3, upgrades: [2: { $0 }]))
    .recorded(.edit, as: RecordedForm(version: 4, upgrades: [2: \.withTarget, 3: { $0 }]))
    .recorded(.delete, as: .target("RequestDeleteTodoViewModel"))
    .recorded(.restore, as: .target())
    .recordedCheck(
      as: RecordedForm("RequestDeletionCheck", version: 2, upgrades: [1: \.withTarget])
    )
}

/// What is open and what is done, in the words of todos.
private let completing = Completing(
  .init(
    "done",
    title: Todo.actionTitles.complete,
    as: CompleteTodo.self,
    examples: ["done 3", "done 1,4", "done project:garden due:..today"],
    recorded: .target("RequestCompleteTodo")
  ),
  reopen: .init(
    "reopen",
    title: Todo.actionTitles.reopen,
    as: ReopenTodo.self,
    examples: ["reopen 3"],
    recorded: .target("RequestReopenTodo")
  ),
  toggle: .init(
    "toggle",
    as: ToggleTodo.self,
    topic: .rare,
    examples: ["toggle 3"],
    recorded: .target("RequestToggleCompleteTodoViewModel")
  )
)

extension Todo {
  /// The title of the action that completes it, or reopens it.
  var completeActionTitle: String {
    complete ? Self.actionTitles.reopen : Self.actionTitles.complete
  }
  fileprivate static let actionTitles = (complete: "Complete", reopen: "Uncomplete")

  /// Sets the priority to high, or back to normal.
  mutating func togglePriority() { priority = priority == .high ? .normal : .high }
}

extension RecordedForm {
  /// The list: version 2 has todos as records, 3 the type of a part that lists of all records have, 4 a filter.
  fileprivate static var list: Self {
    RecordedForm(
      "RequestTodoViewModels",
      version: 4,
      upgrades: [2: { $0 }, 3: \.withFilter]
    )
  }

  /// The edits of an open todo: version 3 has them by the name of all records.
  fileprivate static var set: Self {
    RecordedForm(
      "RequestSetDetail",
      version: 3,
      upgrades: [2: { .object([JSON.Member("record", $0["todo"] ?? .object([]))]) }]
    )
  }

  /// The open list: version 2 has the order of all lists.
  fileprivate static var rows: Self {
    RecordedForm("RequestRows", version: 2, upgrades: [1: \.withOrder])
  }

  /// A request with todos: version 2 has them as records, 3 their references as one value.
  fileprivate static func target(_ name: String? = nil) -> Self {
    RecordedForm(name, version: 3, upgrades: [2: \.withTarget])
  }
}
