import EventRecords
import EventCommands
import EventMVVM
import EventPatterns
import JSONText
import TodoModels

/// Opens, drives and closes the details of todos (S27, S29–S31).
final class TodoDetailFlow: Coordinator {
  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(successOf: ResponseTodoDetailViewModel.self, owner: navigator, Self.open)
    stream.on(ResponseChangedTodoViewModels.self, owner: navigator) { navigator, change, turn in
      for screen in navigator.screens(TodoDetailScreen.self) {
        var heard: Set<TodoDetailScreen.Heard> = []
        for todo in change.viewModels { heard.insert(screen.hear(todo, turn)) }
        if heard.contains(.change) { navigator.tellChange(of: screen, turn) }
        guard heard.contains(.conflict) else { continue }
        let text = "#\(screen.detail.number) was changed where it has edits here; 'save' says how."
        navigator.toast(text, on: screen, turn)
      }
    }
    joinEdits(stream, navigator)
    joinSave(stream, navigator)
  }

  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    guard route.count == 1 else { return false }
    if route[0].isIdentical(to: RequestNewTodoDetailViewModel.verb) {
      follow(RequestNewTodoDetailViewModel(), turn, then)
      return true
    }
    guard let reference = try? RecordReference(word: route[0]) else { return false }
    follow(RequestTodoDetailViewModel(reference), turn, then)
    return true
  }

  /// Opens the screen at the response, in the session that sent the request (S29).
  private func follow<R: Request>(
    _ request: R,
    _ turn: borrowing Turn,
    _ then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) where R.Reply == ResponseTodoDetailViewModel {
    turn.request(request) { result, turn in
      let details = result.mapError(Failure.init).flatMap(\.result)
      then(details.map { $0 as any CommandResult }, turn)
    }
  }

  // MARK: Opening

  /// Opens a todo that a session with screens has requested, and not a script, in that session and
  /// no other (S15).
  private static func open(
    _ navigator: Navigator,
    _ group: TodoDetailGroup,
    _ turn: borrowing Turn
  ) {
    // Room for it is checked first: most sessions have no screens.
    guard !turn.isInUnit, navigator.hasRoom(in: turn.origin), !group.isList,
      let detail = group.details.first
    else { return }
    let edited = navigator.screens(TodoDetailScreen.self, of: turn.origin)
      .first { $0.detail.uuid == detail.uuid && $0.detail.isEdited }
    if let edited { return navigator.raise(edited, turn) }
    let top = navigator.top(of: turn.origin, as: TodoDetailScreen.self)
    let seen = top.flatMap { $0.detail.isEdited ? nil : $0 }
    navigator.open(TodoDetailScreen(detail, turn), replacing: seen, turn)
  }

  // MARK: Editing

  private func joinEdits(_ stream: EventStream, _ navigator: Navigator) {
    stream.answer(RequestSetDetail.self, owner: navigator) { navigator, request, turn in
      try Self.edit(navigator, turn) { try $0.apply(request.todo, turn) }
    }
    stream.answer(RequestToggleDetail.self, owner: navigator) { navigator, request, turn in
      try Self.edit(navigator, turn) { try $0.toggle(request.field ?? .completed) }
    }
    stream.answer(RequestShowDetail.self, owner: navigator) { navigator, _, turn in
      TodoDraft(try navigator.topmost(TodoDetailScreen.self, turn).detail, at: turn.time)
    }
    stream.answer(RequestCancelDetail.self, owner: navigator) { navigator, _, turn in
      let screen = try navigator.topmost(TodoDetailScreen.self, turn)
      navigator.close(screen, turn)
      return TodoDraft(screen.detail, at: turn.time)
    }
  }

  private static func edit(
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    _ change: (inout TodoDetailViewModel) throws -> Void
  ) throws -> TodoDraft {
    let screen = try navigator.topmost(TodoDetailScreen.self, turn)
    // Closing the screen would lose the edits that are being stored.
    try screen.saving.checkIsIdle()
    try screen.edit(turn, change)
    navigator.tellChange(of: screen, turn)
    return TodoDraft(screen.detail, at: turn.time)
  }

  // MARK: Saving

  /// Requests that the ViewModelServer validates and stores the edits.
  ///
  /// Its answer, identified by its root (S75), closes the screen. Until then it stays,
  /// and its edits with it (S30).
  private func joinSave(_ stream: EventStream, _ navigator: Navigator) {
    stream.declareAnswerer(of: RequestSaveDetail.self)
    stream.on(RequestSaveDetail.self, owner: navigator) { navigator, request, turn in
      do {
        let screen = try navigator.topmost(TodoDetailScreen.self, turn)
        try screen.detail.checkIsThere()
        try screen.saving.begin(turn)
        var detail = screen.detail
        detail.overwrites = request.force
        turn.request(RequestUpdateDetailViewModel(detail)) { result, turn in
          let validated = result.mapError(Failure.init).flatMap(\.result)
          guard case .failure(let failure) = validated else { return }
          turn.send(ResponseTodoViewModel(.failure(failure)))
        }
      } catch {
        turn.send(ResponseTodoViewModel(.failure(Failure(error))))
      }
    }
    stream.on(ResponseTodoViewModel.self, owner: navigator) { navigator, response, turn in
      for screen in navigator.screens(TodoDetailScreen.self) where screen.saving.end(turn) {
        if response._problem == nil { navigator.close(screen, turn) }
      }
    }
  }
}

extension TodoDetailViewModel {
  /// Toggles a field.
  fileprivate mutating func toggle(_ field: DetailSwitch) throws(Failure) {
    switch field {
    case .completed: toggleCompleted()
    case .priority: togglePriority()
    case .deleted:
      guard !isNew else {
        throw Failure(.usage, "A new todo can't be deleted; 'cancel' gives it up.", field: "field")
      }
      toggleDeleted()
    }
  }

  /// Checks that the edited addition has not been undone.
  fileprivate func checkIsThere() throws(Failure) {
    guard isGone else { return }
    throw Failure(
      .notFound,
      "The addition of #\(number) was undone; 'redo' does it again, 'cancel' discards the edits.",
      field: "id",
      id: number
    )
  }
}
