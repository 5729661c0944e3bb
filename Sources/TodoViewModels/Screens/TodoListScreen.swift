import EventMVVM
import EventPatterns
import TodoModels

/// A list that stays as it should be while others change todos (S43–S45).
final class TodoListScreen: Screen {
  /// The name under which the catalogue has its commands.
  static let kind = "list"
  /// How many rows it shows at most.
  static let mostRows = 1000
  /// How many changed rows are taken in one by one; more are asked for together.
  private static let mostChanges = 50
  /// The request that filters nothing.
  private static let plain = RequestTodoViewModels().limited(to: mostRows)

  private let request: RequestTodoViewModels
  private let name: String
  private weak let navigator: Navigator?
  private let state: Locked<Contents>

  private struct Contents {
    var list: TodoListViewModel
    var isAsking = false
    var isStale = false
  }

  /// - Parameters:
  ///   - list: What is shown first.
  ///   - request: How to ask for it again.
  ///   - name: What a person calls the list.
  ///   - navigator: Who is told of changes; it holds the screen, and so is held weakly.
  init(
    _ list: TodoListViewModel,
    _ request: RequestTodoViewModels,
    named name: String,
    _ navigator: Navigator
  ) {
    self.request = request
    self.name = name
    self.navigator = navigator
    state = Locked(Contents(list: list))
  }

  /// The rows as they stand.
  var list: TodoListViewModel { state.withLock { $0.list } }

  var view: ScreenView {
    ScreenView(kind: Self.kind, title: "\(name) (\(list.count(inSection: 0)))")
  }

  /// It is asked for at each appearance (S28).
  func reappear(_ turn: borrowing Turn) { ask(turn) }

  /// Takes over what somebody has changed: where nothing is filtered, row by row, else by asking again.
  func hear(_ rows: [TodoViewModel], _ turn: borrowing Turn) {
    let isNews: Bool? = state.withLock { state in
      let count = state.list.count(inSection: 0) + rows.count
      guard request == Self.plain, rows.count <= Self.mostChanges, count <= Self.mostRows,
        !state.isAsking
      else { return nil }
      return rows.map { state.list.incorporate($0) != .none }.contains(true)
    }
    guard let isNews else { return ask(turn) }
    if isNews { navigator?.tellChange(of: self, turn) }
  }

  /// Asks for the rows; many askings at once are one.
  private func ask(_ turn: borrowing Turn) {
    let isFree = state.withLock { state in
      state.isStale = state.isAsking
      defer { state.isAsking = true }
      return !state.isAsking
    }
    guard isFree else { return }
    turn.request(request) { [weak self] result, turn in
      self?.take(try? result.get().result.get(), turn)
    }
  }

  private func take(_ list: TodoListViewModel?, _ turn: borrowing Turn) {
    let (isNews, asksAgain) = state.withLock { state in
      let isNews = list.map { state.list.incorporate($0) == .reload } ?? false
      state.isAsking = false
      return (isNews, state.isStale)
    }
    if isNews { navigator?.tellChange(of: self, turn) }
    if asksAgain { ask(turn) }
  }
}
