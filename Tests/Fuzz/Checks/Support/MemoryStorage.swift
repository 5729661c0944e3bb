import EventPatterns
import EventMVVM
import TodoModels

/// A storage that lives in memory, so that an input costs microseconds.
final class MemoryStorage: TodoStorage {
  private struct State {
    var todos: [Todo] = []
    var beforeUnit: [Todo] = []
  }

  private let state = Locked(State())

  /// Keeps these todos.
  init(_ todos: [Todo]) {
    state.withLock { $0.todos = todos }
  }

  /// What it keeps.
  var todos: [Todo] { state.withLock { $0.todos } }

  // MARK: Reading

  func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try state.withLock { state in
      guard let references = query.predicate.references else { return state.todos }
      return try references.map { state.todos[try Self.index(of: $0, in: state.todos)] }
    }
  }

  func endSharing() {}

  func readAside(_ query: TodoQuery) throws -> [Todo] {
    try read(query, in: .committed)
  }

  func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    TodoPart(try read(query, in: .committed), rest: nil)
  }

  func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    todos.flatMap(\.tags).filter { $0.hasPrefix(prefix) }
  }

  private static func index(of reference: TodoReference, in todos: [Todo]) throws -> Int {
    let index = todos.firstIndex { todo in
      switch reference {
      case .number(let number): todo.number == number
      case .uuid(let uuid): todo.uuid == uuid
      case .prefix(let prefix): todo.uuid.text.hasPrefix(prefix)
      }
    }
    guard let index else { throw ModelError.notFound(reference) }
    return index
  }

  // MARK: Writing

  func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try state.withLock { state in
      var todos = state.todos
      let written = try writes.map { try Self.write($0, to: &todos) }
      state.todos = todos
      return written
    }
  }

  private static func write(_ write: TodoWrite, to todos: inout [Todo]) throws -> WrittenTodo {
    switch write {
    case .add(var todo):
      todo.number = todos.count + 1
      todo.revision = 1
      todos.append(todo)
      return WrittenTodo(todo, .added)
    case .change(let reference, let patch, _):
      let index = try index(of: reference, in: todos)
      let before = todos[index]
      todos[index] = patch.applied(to: before, seen: before)
      return WrittenTodo(todos[index], todos[index] != before ? .changed : nil)
    case .move(let reference, let side, let other, _):
      let index = try index(of: reference, in: todos)
      let beside = todos[try self.index(of: other, in: todos)]
      guard beside.number != todos[index].number else {
        throw ModelError.besideItself(number: beside.number)
      }
      let below = side == .before ? beside.standing : TodoPlace(number: beside.number - 1)
      guard let place = TodoPlace.between(below, nil) else {
        throw ModelError.noRoom(number: beside.number)
      }
      todos[index].place = place
      return WrittenTodo(todos[index], .changed)
    }
  }

  // MARK: Care

  private final class Watch: StoreWatching {}

  func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    Watch()
  }

  func examine() -> StoreReport {
    StoreReport(path: "memory", findings: [.init(.ok, "fine")])
  }

  func backUp(to path: String) -> StoreCopy {
    StoreCopy(path: path, count: todos.count, revision: 3)
  }

  func count(_ predicates: [TodoQuery.Predicate]) -> [Int] {
    predicates.map { _ in todos.count }
  }

  // MARK: Steps

  /// It keeps no journal.
  func steps(_ query: RequestReadSteps.Query, in view: StorageView) -> [TodoStep] { [] }

  func transitions(after place: TransitionPlace?, limit: Int) -> TodoTransitions {
    TodoTransitions([], upTo: place, isLast: true)
  }

  func revert(_ part: RequestRevertStep, by writer: Writer) -> RevertedTodos {
    RevertedTodos(todos: [], conflicts: [], rest: nil)
  }

  // MARK: Units

  func beginUnit() { state.withLock { $0.beforeUnit = $0.todos } }
  func keepUnit() {}
  func takeBackUnit() { state.withLock { $0.todos = $0.beforeUnit } }
}
