import EventMVVM
import EventPatterns
import JSONText

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

  private weak let navigator: Navigator?
  private let contents: StateContainer<Contents>
  private let asking = Locked(Asking())

  private struct Contents: Sendable, Equatable {
    var list: TodoListViewModel
    /// Its order and what it shows: how to ask for it again (S108).
    var request: RequestTodoViewModels
    /// The words of the link that leads to it.
    var route: [String]

    var name: String { route.joined(separator: " ") }
  }

  private struct Asking {
    var isUnderWay = false
    var isStale = false
  }

  /// - Parameters:
  ///   - list: What is shown first.
  ///   - request: How to ask for it again.
  ///   - route: The words of the link that leads to it.
  ///   - navigator: Is notified of changes; it holds the screen, and so is held weakly.
  ///   - stream: The shared stream.
  init(
    _ list: TodoListViewModel,
    _ request: RequestTodoViewModels,
    _ route: [String],
    _ navigator: Navigator,
    on stream: EventStream
  ) {
    self.navigator = navigator
    let contents = Contents(list: list, request: request, route: route)
    self.contents = StateContainer(contents, name: Self.kind, on: stream)
  }

  /// The rows as they stand.
  var list: TodoListViewModel { contents.model.list }
  private var request: RequestTodoViewModels { contents.model.request }

  var view: ScreenView {
    let contents = contents.model
    let count = contents.list.count(inSection: 0)
    return ScreenView(kind: Self.kind, title: "\(contents.name) (\(count))")
  }

  /// It is asked for at each appearance (S28).
  func reappear(_ turn: borrowing Turn) { ask(turn) }

  /// Takes over a change: where nothing is filtered, row by row, else by asking again.
  ///
  /// So too where it was another process: that arrives late, and a row may be there no longer.
  func hear(_ change: ResponseChangedTodoViewModels, _ turn: borrowing Turn) {
    let rows = change.viewModels
    let old = list
    var changes: [TodoListViewModel.SingleChange] = []
    guard request == Self.plain, rows.count <= Self.mostChanges,
      old.count(inSection: 0) + rows.count <= Self.mostRows,
      change.externalOrigin == nil, !asking.withLock({ $0.isUnderWay })
    else { return ask(turn) }
    contents.change(turn) { contents in
      for row in rows { changes.append(contents.list.incorporate(row)) }
    }
    if changes.contains(where: { $0 != .none }) { tell(old, turn) }
  }

  /// Asks for the rows, in another order or others where that is wanted, and gives them on, or why
  /// there are none.
  func refresh(
    _ rows: RequestRows,
    _ turn: borrowing Turn,
    then: @escaping (Result<TodoListViewModel, Failure>, borrowing Turn) -> Void
  ) {
    let request = request.arranged(rows)
    turn.request(request) { [weak self] result, turn in
      let list = result.mapError(Failure.init).flatMap(\.result)
      if case .success(let list) = list {
        self?
          .take(list, turn) { contents in
            guard contents.request != request else { return }
            contents.request = request
            contents.route = rows.route(contents.route)
          }
      }
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
    let request = request
    turn.stream.request(request, isHousekeeping: true) { [weak self] result, turn in
      guard let self else { return }
      // Meanwhile other rows may be wanted.
      let isWanted = request == self.request
      if isWanted, let list = try? result.get().result.get() { take(list, turn) }
      let asksAgain = asking.withLock { asking in
        asking.isUnderWay = false
        return asking.isStale || !isWanted
      }
      if asksAgain { ask(turn) }
    }
  }

  private func take(
    _ list: TodoListViewModel,
    _ turn: borrowing Turn,
    _ change: (inout Contents) -> Void = { _ in }
  ) {
    let old = contents.model
    var group = TodoListViewModel.GroupChange.none
    contents.change(turn) { contents in
      group = contents.list.incorporate(list)
      change(&contents)
    }
    switch group {
    case .reload: tell(old.list, turn)
    case .none where old.route != contents.model.route: navigator?.tellChange(of: self, turn)
    case .none: break
    }
  }

  /// Sends the views of the session the changes of the rows (S63).
  private func tell(_ old: TodoListViewModel, _ turn: borrowing Turn) {
    guard let navigator, let session = navigator.session(of: self) else { return }
    navigator.tellChange(of: self, turn)
    turn.send(ResponseRowChanges(session, view, old.changes(to: list)))
  }
}

extension RequestTodoViewModels {
  /// The same list in the order and with the todos that a view wants from now on.
  fileprivate func arranged(_ rows: RequestRows) -> Self {
    var request = self
    if let sort = rows.sort { request.sort = sort }
    if let only = rows.only { (request.open, request.done) = (only == .open, only == .done) }
    return request
  }
}

extension RequestRows {
  /// The link to the list as it is arranged from now on.
  fileprivate func route(_ route: [String]) -> [String] {
    var words: [String] = []
    var isKey = false
    for word in route {
      defer { isKey = sort != nil && word == "--sort" }
      let isOrder = sort != nil && (isKey || word.starts(withText: "--sort"))
      let isFilter = only != nil && (word == "--open" || word == "--done")
      if !isOrder && !isFilter { words.append(word) }
    }
    if let sort { words += ["--sort", (sort.isReversed ? "-" : "") + sort.key.rawValue] }
    if let only, only != .any { words.append("--\(only.rawValue)") }
    return words
  }
}
