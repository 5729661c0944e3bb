public import EventMVVM
import EventCommands
import EventPatterns
import EventRecords
import EventValues
import RecordCommands
import JSONText
import TodoModels

/// The only bridge between the layers (S7, S13): converts requests of views to model events, and
/// models to view models; commands on records answer themselves, at its request.
///
/// It depends on the stream alone. Its handlers send one event for each that they receive (S56).
public final class ViewModelServer: Plugin {
  /// Its name among the plugins.
  public let name = "view-models"

  /// Creates a server.
  public init() {}

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    stream.answer(TodoCommands.commands)
    joinReads(stream)
    joinDetails(stream)
    stream.on(ResponseRecordChanges<Todo>.self, owner: self) { _, event, turn in
      turn.send(ResponseChangedTodoViewModels(event.changes, by: event.externalOrigin))
    }
  }

  // MARK: Reading

  private func joinReads(_ stream: EventStream) {
    joinCounts(RequestTodoStatus.self, stream) { StatusText(open: $0, overdue: $1) }
    joinCounts(RequestTodoCounts.self, stream) { TodoCounts(open: $0, overdue: $1) }
    joinCounts(RequestGauges.self, stream) { [Gauge("open", $0), Gauge("overdue", $1)] }
  }

  /// Answers a request by the numbers of open and of overdue todos.
  private func joinCounts<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ reply: @escaping (_ open: Int, _ overdue: Int) -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    stream.bridge(type, owner: self) { _, _, turn in
      RequestRecordCounts<Todo>(Condition.openAndOverdue(turn))
    } reply: { _, _, counts, _ in
      reply(counts[0], counts[1])
    }
  }

  // MARK: Details

  private func joinDetails(_ stream: EventStream) {
    stream.answer(RequestNewTodoDetailViewModel.self) { request, turn in
      let todo = Todo(uuid: turn.makeID(), createdAt: turn.time)
      var detail = TodoDetailViewModel(new: todo)
      detail.title = request.title.withoutBlanksAround
      if !detail.title.isEmpty { _ = try detail.validate().get() }
      return TodoDetailGroup(detail)
    }
    stream.answer(RequestUpdateDetailViewModel.self) { request, _ in
      var detail = try request.detail.validate().get()
      detail.shouldSave = true
      return detail
    }
    stream.on(successOf: ResponseUpdateDetailViewModel.self, owner: self) { server, detail, turn in
      if detail.shouldSave { server.save(detail, turn) }
    }
  }

  /// Stores a new todo, or the fields that were edited (S50, S71).
  private func save(_ detail: TodoDetailViewModel, _ turn: borrowing Turn) {
    let todo = detail.updatedTodo(at: turn.time)
    let (number, seen) = (detail.number, detail.original.revision)
    let save: RecordWrite<Todo> =
      detail.isNew
      ? .upsert(todo)
      : detail.overwrites ? .overwrite(number, todo, seen: seen) : .put(number, todo, seen: seen)
    turn.request(RequestWriteTodo([save])) { result, turn in
      let written = result.mapError { Failure($0) }.flatMap { $0.result }
      turn.send(
        ResponseTodoViewModel(
          written.map { RecordGroup($0, isList: false, turn) }.mapError(\.ofTodo)
        )
      )
    }
  }
}

extension Failure {
  /// The failure as views see it: completion is one field to them, without its time; and a command
  /// brings back what is deleted, which models do not know.
  var ofTodo: Failure {
    if let id, self == Todo.isDeleted(id) {
      var failure = self
      failure.message = "#\(id) is deleted; 'restore \(id)' brings it back."
      return failure
    }
    guard kind == .conflict, field?.isIdentical(to: "completedAt") ?? false, let id else {
      return self
    }
    let (was, isNow) = (expected != .json("null"), actual != .json("null"))
    var failure = self
    failure.message =
      "Somebody changed the complete of #\(id) meanwhile: you saw '\(was)', now it is '\(isNow)'."
    failure.field = "complete"
    failure.expected = .json("\(was)")
    failure.actual = .json("\(isNow)")
    return failure
  }
}
