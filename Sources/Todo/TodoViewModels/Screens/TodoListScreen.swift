import RecordCommands
import EventMVVM
import EventPatterns
import JSONText

/// A list that is updated while todos change (S43–S45).
final class TodoListScreen: Screen {
  /// The name of its commands in the catalogue.
  static let kind = "list"
  static let isNotOpen = "No list is open; 'open list' opens one."
  /// How many rows it shows at most.
  static let mostRows = 1000
  /// How many changed rows are applied one by one; for more, the list is requested again.
  private static let mostChanges = 50
  /// The request that filters nothing.
  private static let plain = RequestTodoViewModels().limited(to: mostRows)

  private weak let navigator: Navigator?
  private let contents: StateContainer<Contents>
  private let asking = Locked(Asking())

  private struct Contents: Sendable, Equatable {
    var list: TodoListViewModel
    /// The request for its rows, with order and filter (S108).
    var request: RequestTodoViewModels
    /// The words of its link.
    var route: [String]

    var name: String { route.joined(separator: " ") }
  }

  private struct Asking {
    var isUnderWay = false
    var isStale = false
  }

  /// - Parameters:
  ///   - list: The initial rows.
  ///   - request: The request for its rows.
  ///   - route: The words of its link.
  ///   - navigator: Is notified of changes; it retains the screen, and so is referred to weakly.
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

  /// The current rows.
  var list: TodoListViewModel { contents.model.list }
  private var request: RequestTodoViewModels { contents.model.request }

  var view: ScreenView {
    let contents = contents.model
    let count = contents.list.count(inSection: 0)
    return ScreenView(kind: Self.kind, title: "\(contents.name) (\(count))")
  }

  /// Requests the rows at each appearance (S28).
  func reappear(_ turn: borrowing Turn) { ask(turn) }

  /// Applies a change: without a filter row by row, else by requesting the rows again.
  ///
  /// It also requests them again after an external change, which arrives late: a row may be gone.
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

  /// Requests the rows, with another order or filter if given, and passes them on, or why there are
  /// none.
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

  /// Requests the rows; several requests at once are combined.
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
      // The request for the rows may have changed meanwhile.
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

  /// Sends the changes of the rows to the views of the session (S63).
  private func tell(_ old: TodoListViewModel, _ turn: borrowing Turn) {
    guard let navigator, let session = navigator.session(of: self) else { return }
    navigator.tellChange(of: self, turn)
    turn.send(ResponseRowChanges(session, view, old.changes(to: list)))
  }
}

extension RequestTodoViewModels {
  /// Returns the request with the order and the filter that a view sets.
  fileprivate func arranged(_ rows: RequestRows) -> Self {
    var request = self
    if let sort = rows.sort { request.sort = sort }
    if let only = rows.only { (request.open, request.done) = (only == .open, only == .done) }
    return request
  }
}

extension RequestRows {
  /// Returns the link to the list with its new order and filter.
  fileprivate func route(_ route: [String]) -> [String] {
    var words: [String] = []
    var isKey = false
    // What follows is text to search for, whatever it looks like.
    let end = route.firstIndex { $0.isIdentical(to: "--") } ?? route.endIndex
    for word in route[..<end] {
      defer { isKey = sort != nil && word == "--sort" }
      let isOrder = sort != nil && (isKey || word.starts(withText: "--sort"))
      let isFilter = only != nil && (word == "--open" || word == "--done")
      if !isOrder && !isFilter { words.append(word) }
    }
    if let sort { words += ["--sort", (sort.isReversed ? "-" : "") + sort.key.rawValue] }
    if let only, only != .any { words.append("--\(only.rawValue)") }
    return words + route[end...]
  }
}
