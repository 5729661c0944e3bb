import RecordCommands
import EventCommands
import EventMVVM
import TodoModels
import TodoViewModels

/// A view as rows S27 to S32 want it, with lines of text where others have pixels.
///
/// It knows a port and nothing else of the application. What is its own it knows by correlation: by
/// the root of its own requests, never by comparing values (S75).
final class ScriptedView {
  /// Something that can be done to a row.
  struct RowAction {
    let title: String
    let use: () -> Void
  }

  private let port: ViewPort
  private var loading: Set<Root> = []
  private var saving: Root?
  /// What the list shows.
  private(set) var list = TodoListViewModel()
  /// What the editor shows; nil while there is none.
  private(set) var editor: TodoDetailViewModel?
  /// What is wrong with it, shown in its place.
  private(set) var problem: Failure?
  /// How many changes of todos it heard of.
  private(set) var heard = 0
  /// What the list had to draw, in order.
  private(set) var drawn: [String] = []

  /// Registers its observers, once for all of its appearances (S28).
  init(_ port: ViewPort) {
    self.port = port
    observeLoading()
    observeList()
    observeEditor()
  }

  /// Whether the loading indicator is shown.
  var isLoading: Bool { !loading.isEmpty }

  // MARK: What a person does

  func appear() { port.send(RequestTodoViewModels()) }
  func add() { port.send(RequestNewTodoDetailViewModel()) }
  func select(_ row: Int) { port.send(RequestTodoDetailViewModel(list.rows[row])) }

  /// The actions of a row; each finds out what the row shows when it is used (S29).
  func actions(_ row: Int) -> [RowAction] {
    let shown = list.rows[row]
    return [
      RowAction(title: "Delete") { [self] in
        current(shown).map { port.send(RequestDeleteTodoViewModel($0)) }
      },
      RowAction(title: shown.completeActionTitle) { [self] in
        current(shown).map { port.send(RequestToggleCompleteTodoViewModel($0)) }
      },
    ]
  }

  private func current(_ shown: TodoViewModel) -> TodoViewModel? {
    list.rows.first { $0.isSame(as: shown) }
  }

  func edit(_ body: (inout TodoDetailViewModel) -> Void) {
    guard var detail = editor else { return }
    body(&detail)
    editor = detail
  }

  func save() {
    if let editor { port.send(RequestUpdateDetailViewModel(editor)) }
  }

  /// Closes the editor, and says nothing (S31).
  func cancel() { close() }

  private func close() {
    editor = nil
    problem = nil
    saving = nil
  }

  // MARK: What it observes

  /// On with its own request, off with the response or with the news that there is none (S32).
  private func observeLoading() {
    port.on(RequestTodoViewModels.self, owner: self) { view, _, turn in
      if turn.origin == view.port.origin { view.loading.insert(turn.root) }
    }
    port.on(ResponseUnanswered.self, owner: self) { view, _, turn in
      view.loading.remove(turn.root)
    }
  }

  /// Its own list, its own changes, and the changes of everybody else (S26).
  private func observeList() {
    port.on(ResponseTodoViewModels.self, owner: self) { view, response, turn in
      guard view.loading.remove(turn.root) != nil else { return }
      if case .success(let list) = response.result { view.incorporate(list) }
    }
    port.on(ResponseTodoViewModel.self, owner: self) { view, response, turn in
      guard turn.origin == view.port.origin, case .success(let group) = response.result else {
        return
      }
      for row in group.viewModels { view.incorporate(row) }
    }
    port.on(ResponseChangedTodoViewModels.self, owner: self) { view, response, _ in
      view.heard += 1
      for row in response.viewModels { view.incorporate(row) }
    }
  }

  private func observeEditor() {
    port.on(ResponseTodoDetailViewModel.self, owner: self) { view, response, turn in
      guard turn.origin == view.port.origin else { return }
      view.editor = try? response.result.get().details.first
    }
    port.on(RequestUpdateDetailViewModel.self, owner: self) { view, _, turn in
      if turn.origin == view.port.origin { view.saving = turn.root }
    }
    // The detail shows what is wrong, in place; the list closes the detail (S27).
    port.on(ResponseUpdateDetailViewModel.self, owner: self) { view, response, turn in
      guard turn.root == view.saving, case .failure(let failure) = response.result else { return }
      view.problem = failure
    }
    port.on(ResponseUpdateDetailViewModel.self, owner: self) { view, response, turn in
      guard turn.root == view.saving, case .success = response.result else { return }
      view.close()
    }
  }

  private func incorporate(_ list: TodoListViewModel) {
    if self.list.incorporate(list) == .reload { drawn.append("all") }
  }

  private func incorporate(_ row: TodoViewModel) {
    switch list.incorporate(row) {
    case .insert(let index): drawn.append("insert \(index)")
    case .reload(let index): drawn.append("reload \(index)")
    case .delete(let index): drawn.append("delete \(index)")
    case .none: break
    }
  }
}
