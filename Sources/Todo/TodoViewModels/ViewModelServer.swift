public import EventMVVM
import EventCommands
import EventPatterns
import EventRecords
import EventValues
import JSONText
import TodoModels

/// The only bridge between the layers (S7, S13): converts requests of views to model events, and
/// models to view models.
///
/// It depends on the stream alone. Its handlers send one event for each that they receive (S56).
public final class ViewModelServer: Plugin {
  /// Its name among the plugins.
  public let name = "view-models"

  /// Creates a server.
  public init() {}

  /// Subscribes to the requests that it answers.
  public func join(_ stream: EventStream) {
    joinReads(stream)
    joinWrites(stream)
    joinDetails(stream)
    stream.on(ResponseRecordChanges<Todo>.self, owner: self) { _, event, turn in
      turn.send(ResponseChangedTodoViewModels(event.changes, by: event.externalOrigin))
    }
  }

  // MARK: References

  /// Returns the store's reference for a session's reference.
  private func resolve(
    _ reference: Reference,
    _ turn: borrowing Turn,
    field: String = "id"
  ) throws -> RecordReference {
    do throws(Failure) {
      return try turn.resolve([reference.record], of: Todo.self)[0]
    } catch {
      var failure = error
      failure.field = field
      throw failure
    }
  }

  /// Returns the store's references for a session's references.
  func resolve(_ references: References, _ turn: borrowing Turn) throws -> [RecordReference] {
    try turn.resolve(references.list.map(\.record), of: Todo.self)
  }

  // MARK: Reading

  private func joinReads(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestTodoViewModels.self)
    stream.on(RequestTodoViewModels.self, owner: self) { _, request, turn in
      do {
        // Not by a bridge, as the reply carries the request for the rest.
        turn.request(try request.request(turn)) { result, turn in
          do {
            let response = ResponseTodoViewModels(try result.get())
            guard let field = request.labelled, response.isEmpty else { return turn.send(response) }
            Self.replyWithLabels(of: field, turn)
          } catch {
            turn.send(ResponseTodoViewModels(.failure(Failure(error))))
          }
        }
      } catch {
        turn.send(ResponseTodoViewModels(.failure(Failure(error))))
      }
    }
    stream.bridge(RequestTodoDetailViewModel.self, owner: self) { server, request, turn in
      RequestReadTodos(try server.resolve(request.id, turn))
    } reply: { _, request, todos, _ in
      TodoDetailGroup(todos.map { TodoDetailViewModel($0) }, isList: request.id.isList)
    }
    stream.bridge(RequestDeletionCheck.self, owner: self) { server, request, turn in
      RequestReadTodos(try server.resolve(request.id, turn))
    } reply: { _, _, todos, _ in
      if let todo = todos.first(where: \.value.deleted) {
        throw Todo.isDeleted(todo.number).ofTodo
      }
      return true
    }
    joinCounts(RequestTodoStatus.self, stream) { StatusText(open: $0, overdue: $1) }
    joinCounts(RequestTodoCounts.self, stream) { TodoCounts(open: $0, overdue: $1) }
    joinCounts(RequestGauges.self, stream) { [Gauge("open", $0), Gauge("overdue", $1)] }
  }

  /// Answers a request for a label that no todo has with the labels that there are.
  private static func replyWithLabels(of field: String, _ turn: borrowing Turn) {
    let request = RequestRecordLabels<Todo>(field, limit: TodoListViewModel.mostLabels + 1)
    turn.request(request) { result, turn in
      let labels = (try? result.get().result.get())?.map(\.text) ?? []
      turn.send(ResponseTodoViewModels(.success(TodoListViewModel(noneOf: labels))))
    }
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

  // MARK: Writing

  private func joinWrites(_ stream: EventStream) {
    joinWrite(RequestAddTodo.self, stream) { server, request, turn in
      let todo = try request.todo(turn)
      server.write([.add(todo)], as: request.alias, turn)
    }
    joinChange(RequestEditTodo.self, stream)
    joinChange(RequestToggleCompleteTodoViewModel.self, stream)
    joinChange(RequestCompleteTodo.self, stream)
    joinChange(RequestReopenTodo.self, stream)
    joinChange(RequestDeleteTodoViewModel.self, stream)
    joinChange(RequestRestoreTodo.self, stream)
    joinWrite(RequestMoveTodo.self, stream) { server, request, turn in
      let todo = try server.resolve(request.id, turn)
      let other = try server.resolve(request.other, turn, field: "other")
      let seen = request.expectedRevision
      server.write([.move(todo, request.side, of: other, in: \.place, seen: seen)], turn)
    }
  }

  /// Answers requests for one change of several todos: all of them, or none.
  private func joinChange<R: TodoEditing>(_ type: R.Type, _ stream: EventStream) {
    joinWrite(type, stream) { server, request, turn in
      try request.check(turn)
      if var todo = request.shown {
        let seen = todo.value
        try request.change(&todo.value, seen: seen, turn)
        return server.write([.put(todo.number, todo.value, seen: todo.revision)], turn)
      }
      let todos = try server.resolve(request.id, turn)
      turn.edit(todos, among: R.offered, seen: request.expectedRevision) {
        (todo: inout Kept<Todo>, seen, turn) in
        try request.change(&todo.value, seen: seen.value, turn)
      } then: { [weak server] result, turn in
        server?.reply(result, isList: request.isList, turn)
      }
    }
  }

  private func joinWrite<R: TodoChange>(
    _ type: R.Type,
    _ stream: EventStream,
    _ write: @escaping (ViewModelServer, R, borrowing Turn) throws -> Void
  ) {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: self) { server, request, turn in
      do {
        try write(server, request, turn)
      } catch {
        turn.send(ResponseTodoViewModel(.failure(Failure(error))))
      }
    }
  }

  /// Writes one todo, and replies with it.
  private func write(
    _ writes: [RecordWrite<Todo>],
    as alias: String? = nil,
    _ turn: borrowing Turn
  ) {
    turn.request(RequestWriteTodo(writes)) { [weak self] result, turn in
      let written = result.mapError { Failure($0) }.flatMap { $0.result }
      // Other todos may have moved to make room for it.
      self?.reply(written.map { Array($0.prefix(1)) }, as: alias, turn)
    }
  }

  private func reply(
    _ result: Result<[RecordTransition<Todo>], Failure>,
    as alias: String? = nil,
    isList: Bool = false,
    _ turn: borrowing Turn
  ) {
    if case .success(let written) = result, let todo = written.last?.kept {
      turn.name(todo, as: alias)
    }
    turn.send(
      ResponseTodoViewModel(
        result.map { TodoViewModelGroup($0, isList: isList) }.mapError(\.ofTodo)
      )
    )
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
    if detail.isNew { return write([.upsert(todo)], turn) }
    write(
      [detail.overwrites ? .overwrite(number, todo, seen: seen) : .put(number, todo, seen: seen)],
      turn
    )
  }
}

extension Failure {
  /// The failure as views see it: completion is one field to them, without its time; and a command
  /// brings back what is deleted, which models do not know.
  fileprivate var ofTodo: Failure {
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
