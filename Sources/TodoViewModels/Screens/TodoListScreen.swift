import EventMVVM
import EventPatterns

/// A list that stays as it should be while others change todos (S43–S45).
final class TodoListScreen: Screen {
  /// The name under which the catalogue has its commands.
  static let kind = "list"
  static let isNotOpen = "No list is open; 'open list' opens one."
  /// How many rows it shows at most.
  static let mostRows = 1000
  /// How many changed rows are taken in one by one; more are asked for together.
  private static let mostChanges = 50
  /// The request that filters nothing.
  private static let plain = RequestTodoViewModels().limited(to: mostRows)

  private let request: RequestTodoViewModels
  private let name: String
  private weak let navigator: Navigator?
  private let contents: StateContainer<TodoListViewModel>
  private let asking = Locked(Asking())

  private struct Asking {
    var isUnderWay = false
    var isStale = false
  }

  /// - Parameters:
  ///   - list: What is shown first.
  ///   - request: How to ask for it again.
  ///   - name: What a person calls the list.
  ///   - navigator: Is notified of changes; it holds the screen, and so is held weakly.
  ///   - stream: The shared stream.
  init(
    _ list: TodoListViewModel,
    _ request: RequestTodoViewModels,
    named name: String,
    _ navigator: Navigator,
    on stream: EventStream
  ) {
    self.request = request
    self.name = name
    self.navigator = navigator
    contents = StateContainer(list, name: Self.kind, on: stream)
  }

  /// The rows as they stand.
  var list: TodoListViewModel { contents.model }

  var view: ScreenView {
    ScreenView(kind: Self.kind, title: "\(name) (\(list.count(inSection: 0)))")
  }

  /// It is asked for at each appearance (S28).
  func reappear(_ turn: borrowing Turn) { ask(turn) }

  /// Takes over a change: where nothing is filtered, row by row, else by asking again.
  ///
  /// So too where it was another process: that arrives late, and a row may be there no longer.
  func hear(_ change: ResponseChangedTodoViewModels, _ turn: borrowing Turn) {
    let rows = change.viewModels
    let old = list
    guard request == Self.plain, rows.count <= Self.mostChanges,
      old.count(inSection: 0) + rows.count <= Self.mostRows,
      change.externalOrigin == nil, !asking.withLock({ $0.isUnderWay })
    else { return ask(turn) }
    contents.change(turn) { list in
      for row in rows { _ = list.incorporate(row) }
    }
    tell(old, list, turn)
  }

  /// Asks for the rows and gives them on, or why there are none.
  func refresh(
    _ turn: borrowing Turn,
    then: @escaping (Result<TodoListViewModel, Failure>, borrowing Turn) -> Void
  ) {
    turn.request(request) { [weak self] result, turn in
      let list = result.mapError(Failure.init).flatMap(\.result)
      if case .success(let list) = list { self?.take(list, turn) }
      then(list, turn)
    }
  }

  /// Asks for the rows; many askings at once are one.
  ///
  /// In a conversation of its own: cancelling a change does not cancel its display.
  private func ask(_ turn: borrowing Turn) {
    let isFree = asking.withLock { asking in
      asking.isStale = asking.isUnderWay
      defer { asking.isUnderWay = true }
      return !asking.isUnderWay
    }
    guard isFree else { return }
    turn.stream.request(request, isHousekeeping: true) { [weak self] result, turn in
      guard let self else { return }
      if let list = try? result.get().result.get() { take(list, turn) }
      let asksAgain = asking.withLock { asking in
        asking.isUnderWay = false
        return asking.isStale
      }
      if asksAgain { ask(turn) }
    }
  }

  private func take(_ list: TodoListViewModel, _ turn: borrowing Turn) {
    let old = self.list
    contents.change(turn) { _ = $0.incorporate(list) }
    tell(old, list, turn)
  }

  /// Sends the views of the session the changes of the rows, if there are any (S63).
  private func tell(
    _ old: TodoListViewModel,
    _ new: TodoListViewModel,
    _ turn: borrowing Turn
  ) {
    guard old != new, let navigator, let session = navigator.session(of: self) else { return }
    navigator.tellChange(of: self, turn)
    turn.send(ResponseRowChanges(session, view, old.changes(to: new)))
  }
}
