package import EventMVVM
import EventCommands
import EventPatterns
import TodoModels

/// The only bridge between the layers (S7, S13): turns what views ask into model events, and models
/// into view models.
///
/// It depends on the stream alone. Its handlers send one event for each that they get (S56).
package final class ViewModelServer: Plugin {
  package let name = "view-models"
  private let names = Locked(SessionNames())

  /// Creates a server that knows nobody.
  package init() {}

  package func join(_ stream: EventStream) {
    joinReads(stream)
    joinWrites(stream)
    joinDetails(stream)
    joinJournal(stream)
    joinCare(stream)
    joinStrangers(stream)
    stream.on(RequestUnit.self, owner: self) { server, _, turn in
      let origin = turn.origin
      server.names.withLock { $0.unitBegins(origin) }
    }
    stream.on(ResponseUnit.self, owner: self) { server, event, _ in
      server.names.withLock { $0.unitEnds(event.outcome) }
    }
    stream.on(ResponseSessionEnd.self, owner: self) { server, _, turn in
      let origin = turn.origin
      server.names.withLock { $0.sessionEnds(origin) }
    }
  }

  /// What the store calls the todo that a session refers to.
  private func resolve(
    _ reference: Reference,
    _ turn: borrowing Turn,
    field: String = "id"
  ) throws -> TodoReference {
    let origin = turn.origin
    return try names.withLock { try $0.resolve(reference, for: origin, field: field) }
  }

  /// What the store calls the todos that a session refers to, each once.
  func resolve(_ references: References, _ turn: borrowing Turn) throws -> [TodoReference] {
    let origin = turn.origin
    let resolved = try names.withLock { names in
      try references.list.map { try names.resolve($0, for: origin) }
    }
    guard resolved.count > 1 else { return resolved }
    var seen: Set<TodoReference> = []
    return resolved.filter { seen.insert($0).inserted }
  }

  // MARK: Reading

  private func joinReads(_ stream: EventStream) {
    joinList(stream)
    stream.bridge(RequestTodoDetailViewModel.self, owner: self) { server, request, turn in
      RequestReadTodos(TodoQuery(try server.resolve(request.id, turn)))
    } reply: { _, request, todos, _ in
      TodoDetailGroup(todos.map(TodoDetailViewModel.init), isList: request.id.isList)
    }
    stream.bridge(RequestSubjectCandidates.self, owner: self) { _, _, _ in
      var query = TodoQuery()
      query.predicate.deleted = false
      query.limit = 1000
      return RequestReadTodos(query)
    } reply: { _, request, todos, _ in
      let prefix = Substring(request.prefix.utf8.drop { $0 == UInt8(ascii: "#") })
      return todos.filter { "\($0.number)".starts(withText: prefix) }
        .map { Candidate("\($0.number)", $0.title) }
    }
    stream.bridge(RequestTodoStatus.self, owner: self) { _, request, turn in
      RequestCountTodos(request.predicates(on: turn.zone.day(at: turn.time)))
    } reply: { _, _, counts, _ in
      StatusText(open: counts[0], overdue: counts[1])
    }
    stream.bridge(RequestTodoCounts.self, owner: self) { _, _, turn in
      RequestCountTodos(RequestTodoStatus().predicates(on: turn.zone.day(at: turn.time)))
    } reply: { _, _, counts, _ in
      TodoCounts(open: counts[0], overdue: counts[1])
    }
    stream.bridge(RequestLabelCandidates.self, owner: self) { _, request, _ in
      RequestReadLabels(request.kind, prefix: request.prefix)
    } reply: { _, _, labels, _ in
      labels.map { Candidate($0) }
    }
  }

  /// Like a bridge, and hands on how to ask for the rest.
  private func joinList(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestTodoViewModels.self)
    stream.on(RequestTodoViewModels.self, owner: self) { _, request, turn in
      do {
        let query = try request.query(at: turn.time, in: turn.zone)
        turn.request(RequestReadTodos(query, request.extent)) { result, turn in
          do {
            turn.send(ResponseTodoViewModels(try result.get()))
          } catch {
            turn.send(ResponseTodoViewModels(.failure(Failure(error))))
          }
        }
      } catch {
        turn.send(ResponseTodoViewModels(.failure(Failure(error))))
      }
    }
  }

  // MARK: Writing

  private func joinWrites(_ stream: EventStream) {
    joinWrite(RequestAddTodo.self, stream) { _, request, turn in
      [.add(try request.todo(turn))]
    }
    joinPatch(RequestEditTodo.self, stream)
    joinPatch(RequestToggleCompleteTodoViewModel.self, stream)
    joinPatch(RequestCompleteTodo.self, stream)
    joinPatch(RequestReopenTodo.self, stream)
    joinPatch(RequestDeleteTodoViewModel.self, stream)
    joinPatch(RequestRestoreTodo.self, stream)
    joinWrite(RequestMoveTodo.self, stream) { server, request, turn in
      [
        .move(
          try server.resolve(request.id, turn),
          request.side,
          of: try server.resolve(request.other, turn, field: "other"),
          seen: request.expectedRevision
        )
      ]
    }
  }

  /// One change of all the todos referred to: all of them, or none.
  private func joinPatch<R: TodoPatching>(_ type: R.Type, _ stream: EventStream) {
    joinWrite(type, stream) { server, request, turn in
      let patch = try request.patch(turn)
      return try server.resolve(request.id, turn)
        .map { .change($0, patch, seen: request.expectedRevision) }
    }
  }

  private func joinWrite<R: TodoChange>(
    _ type: R.Type,
    _ stream: EventStream,
    _ writes: @escaping (ViewModelServer, R, borrowing Turn) throws -> [TodoWrite]
  ) {
    stream.bridge(type, owner: self) { server, request, turn in
      RequestWriteTodo(try writes(server, request, turn))
    } reply: { server, request, written, turn in
      // Others may have had to make room for one.
      let asked = request.isList ? written : Array(written.prefix(1))
      server.note(asked, as: request.alias, turn)
      return TodoViewModelGroup(asked, isList: request.isList)
    } then: { server, written, turn in
      server.stateChanges(written, turn)
    }
  }

  /// States what has changed, if anything has.
  private func stateChanges(_ written: [WrittenTodo], _ turn: borrowing Turn) {
    if written.contains(where: \.isChanged) { turn.send(ResponseChangedTodoViewModels(written)) }
  }

  private func note(_ written: [WrittenTodo], as alias: String?, _ turn: borrowing Turn) {
    guard let todo = written.last(where: \.isChanged)?.todo else { return }
    let origin = turn.origin
    names.withLock { $0.note(todo, as: alias, for: origin) }
  }

  // MARK: Details

  private func joinDetails(_ stream: EventStream) {
    stream.answer(RequestNewTodoDetailViewModel.self) { _, turn in
      TodoDetailGroup(TodoDetailViewModel(Todo(uuid: turn.makeID(), createdAt: turn.time)))
    }
    stream.answer(RequestUpdateDetailViewModel.self) { request, _ in
      var detail = try request.detail.validate().get()
      detail.shouldSave = true
      return detail
    }
    stream.on(ResponseUpdateDetailViewModel.self, owner: self) { server, response, turn in
      guard case .success(let detail) = response.result, detail.shouldSave else { return }
      server.save(detail, turn)
    }
  }

  private func save(_ detail: TodoDetailViewModel, _ turn: borrowing Turn) {
    turn.request(RequestWriteTodo(detail.write(at: turn.time))) { [weak self] result, turn in
      do {
        let written = try result.get().result.mapError(Failure.init).get()
        self?.note(written, as: nil, turn)
        turn.send(ResponseTodoViewModel(.success(TodoViewModelGroup(written, isList: false))))
        self?.stateChanges(written, turn)
      } catch {
        turn.send(ResponseTodoViewModel(.failure(Failure(error))))
      }
    }
  }

  // MARK: Steps

  private func joinJournal(_ stream: EventStream) {
    stream.bridge(RequestJournal.self, owner: self) { _, request, _ in
      RequestReadSteps(.steps(request.query))
    } reply: { _, _, steps, _ in
      steps.map(JournalEntry.init)
    }
    stream.bridge(RequestSubjectJournal.self, owner: self) { server, request, turn in
      let reference = try server.resolve(try References(subject: request.reference), turn)[0]
      return RequestReadSteps(.todo(reference, request.limit))
    } reply: { _, _, steps, _ in
      steps.map(JournalEntry.init)
    }
    stream.bridge(RequestMeasures.self, owner: self) { _, request, _ in
      RequestReadTransitions(after: try TransitionPlace(text: request.place), limit: request.limit)
    } reply: { _, _, part, _ in
      MeasuredPart(part)
    }
    stream.bridge(RequestGauges.self, owner: self) { _, _, turn in
      RequestCountTodos(RequestTodoStatus().predicates(on: turn.zone.day(at: turn.time)))
    } reply: { _, _, counts, _ in
      [Gauge("open", counts[0]), Gauge("overdue", counts[1])]
    }
    stream.bridge(RequestReversal.self, owner: self) { _, request, _ in
      RequestRevertStep(step: request.step, force: request.force, after: request.last)
    } reply: { _, _, part, _ in
      ReversedPart(part)
    } then: { _, part, turn in
      let written = part.todos.map {
        WrittenTodo($0.todo, TodoNovelty(from: $0.before, to: $0.after), $0.differingFields)
      }
      if !written.isEmpty { turn.send(ResponseChangedTodoViewModels(written)) }
    }
  }

  // MARK: Care

  private func joinCare(_ stream: EventStream) {
    stream.bridge(RequestDoctor.self, owner: self) { _, _, _ in
      RequestExamineStore()
    } reply: { _, _, report, _ in
      StoreReportViewModel(report)
    }
    stream.bridge(RequestBackup.self, owner: self) { _, request, turn in
      RequestBackUpStore(path: try request.path(turn))
    } reply: { _, _, copy, _ in
      StoreCopyViewModel(copy, of: "todos")
    }
  }

  // MARK: Other processes

  /// What other processes change is news like any other.
  private func joinStrangers(_ stream: EventStream) {
    stream.on(ResponseStoreChange.self, owner: self) { _, response, turn in
      switch response.result {
      case .success(let change):
        turn.send(
          ResponseChangedTodoViewModels(change.todos, by: change.origin)
        )
      case .failure(let error): turn.send(ResponseStoreTrouble(Failure(error)))
      }
    }
  }
}
