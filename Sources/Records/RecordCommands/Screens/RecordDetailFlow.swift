import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues
import JSONText

/// Opens, drives and closes the details of records (S27, S29–S31).
final class RecordDetailFlow<R: CommandRecord>: Coordinator {
  private typealias Detail = RecordDetailScreen<R>

  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(successOf: RequestShow<R>.Reply.self, owner: navigator, Self.open)
    stream.on(ResponseChangedViews<R>.self, owner: navigator) { navigator, change, turn in
      for screen in navigator.screens(Detail.self) {
        var heard: Set<HeardChange> = []
        for item in change.items { heard.insert(screen.hear(item, turn)) }
        if heard.contains(.change) { navigator.tellChange(of: screen, turn) }
        guard heard.contains(.conflict) else { continue }
        let number = screen.detail.number
        let text = "#\(number) was changed by somebody else where you edited it; 'save' says how."
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
    let isNew = route.count == 1 && route[0].isIdentical(to: RequestNew<R>.verb)
    if isNew, R.commands.type(of: .add) != nil {
      follow(RequestNew<R>(), turn, then)
      return true
    }
    // With several kinds, a number follows the name of its kind.
    var words = route[...]
    let suffix = R.commands.suffix
    if !suffix.isEmpty {
      guard words.popFirst()?.isIdentical(to: String(suffix.dropFirst())) == true else {
        return false
      }
    }
    guard words.count == 1, let word = words.first,
      let reference = try? RecordReference(word: word)
    else { return false }
    follow(RequestShow<R>(Target(reference)), turn, then)
    return true
  }

  /// Opens the screen at the response, in the session that sent the request (S29).
  private func follow<Q: Request>(
    _ request: Q,
    _ turn: borrowing Turn,
    _ then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) where Q.Reply == RequestShow<R>.Reply {
    turn.request(request) { result, turn in
      let details = result.mapError(Failure.init).flatMap(\.result)
      then(details.map { $0 as any CommandResult }, turn)
    }
  }

  // MARK: Opening

  /// Opens a record that a session with screens has requested, and not a script, in that session and
  /// no other (S15).
  private static func open(
    _ navigator: Navigator,
    _ group: RecordDetails<R>,
    _ turn: borrowing Turn
  ) {
    // Room for it is checked first: most sessions have no screens.
    guard !turn.isInUnit, navigator.hasRoom(in: turn.origin), !group.isList, !group.isPast,
      let detail = group.details.first
    else { return }
    let edited = navigator.screens(Detail.self, of: turn.origin)
      .first { !detail.isNew && $0.detail.number == detail.number && $0.detail.isEdited }
    if let edited { return navigator.raise(edited, turn) }
    let top = navigator.top(of: turn.origin, as: Detail.self)
    let seen = top.flatMap { $0.detail.isEdited ? nil : $0 }
    navigator.open(Detail(detail, turn), replacing: seen, turn)
  }

  // MARK: Editing

  private func joinEdits(_ stream: EventStream, _ navigator: Navigator) {
    stream.answer(RequestSet<R>.self, owner: navigator) { navigator, request, turn in
      try Self.edit(navigator, turn) { try $0.apply(request.record, turn) }
    }
    stream.answer(RequestToggle<R>.self, owner: navigator) { navigator, request, turn in
      try Self.edit(navigator, turn) { try $0.toggle(request.field?.rawValue, turn) }
    }
    stream.answer(RequestShowOpen<R>.self, owner: navigator) { navigator, _, turn in
      RecordDraft(try navigator.topmost(Detail.self, turn).detail, at: turn.time)
    }
    stream.answer(RequestCancel<R>.self, owner: navigator) { navigator, _, turn in
      let screen = try navigator.topmost(Detail.self, turn)
      navigator.close(screen, turn)
      return RecordDraft(screen.detail, at: turn.time)
    }
  }

  private static func edit(
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    _ change: (inout RecordDetail<R>) throws -> Void
  ) throws -> RecordDraft<R> {
    let screen = try navigator.topmost(Detail.self, turn)
    // Closing the screen would lose the edits that are being stored.
    try screen.saving.checkIsIdle()
    try screen.edit(turn, change)
    navigator.tellChange(of: screen, turn)
    return RecordDraft(screen.detail, at: turn.time)
  }

  // MARK: Saving

  /// Requests that the edits are validated and stored.
  ///
  /// The answer, identified by its root (S75), closes the screen. Until then it stays,
  /// and its edits with it (S30).
  private func joinSave(_ stream: EventStream, _ navigator: Navigator) {
    stream.declareAnswerer(of: RequestSave<R>.self)
    stream.on(RequestSave<R>.self, owner: navigator) { navigator, request, turn in
      do {
        let screen = try navigator.topmost(Detail.self, turn)
        try screen.detail.checkIsThere()
        try screen.saving.begin(turn)
        var detail = screen.detail
        detail.overwrites = request.force
        turn.request(RequestUpdateDetail(detail)) { result, turn in
          let validated = result.mapError(Failure.init).flatMap(\.result)
          guard case .failure(let failure) = validated else { return }
          turn.send(RequestSave<R>.Reply(.failure(failure)))
        }
      } catch {
        turn.send(RequestSave<R>.Reply(.failure(Failure(error))))
      }
    }
    stream.on(RequestSave<R>.Reply.self, owner: navigator) { navigator, response, turn in
      for screen in navigator.screens(Detail.self) where screen.saving.end(turn) {
        if response._problem == nil { navigator.close(screen, turn) }
      }
    }
  }
}

extension RecordDetail {
  /// Sets a field to its other value; the first one unless it is named.
  fileprivate mutating func toggle(_ name: String?, _ turn: borrowing Turn) throws {
    let toggles = R.commands.allToggles
    guard let toggle = name.map({ name in toggles.first { $0.name == name } }) ?? toggles.first
    else { throw Failure(.usage, "\(R.article) has nothing to toggle.", field: "field") }
    guard !isNew || !toggle.isOfStored else {
      throw Failure(
        .usage,
        "A new \(R.kind) can't be \(toggle.name); 'cancel' gives it up.",
        field: "field"
      )
    }
    try toggle.change(&draft, original.value, turn)
  }
}
