import EventPatterns
import EventMVVM
import EventMVVMTesting
import Foundation
import TodoModels
import TodoStore

/// A store on a fresh file in a folder of its own, gone with its test (S74).
final class FreshStore {
  let folder: String
  let path: String
  let database: TodoDatabase

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/todos-" + UniqueID.random().text
    path = folder + "/todos.sqlite"
    database = TodoDatabase(path: path)
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }
}

/// A storage that lives in memory, and fails when it is told to.
final class MemoryStorage: TodoStorage {
  struct State {
    var todos: [Todo] = []
    var failure: StoreError?
    var calls: [String] = []
    /// Whom to tell what other processes change.
    var heard: (@Sendable (Result<StoreChange, StoreError>) -> Void)?
  }

  let state = Locked(State())

  init(_ todos: [Todo] = []) {
    state.withLock { $0.todos = todos }
  }

  /// What was asked of it, in order.
  var calls: [String] { state.withLock { $0.calls } }

  func fail(_ failure: StoreError?) {
    state.withLock { $0.failure = failure }
  }

  private func perform<T>(_ call: String, _ body: (inout State) throws -> T) throws -> T {
    try state.withLock { state in
      state.calls.append(call)
      if let failure = state.failure { throw failure }
      return try body(&state)
    }
  }

  func read(_ query: TodoQuery, in view: StorageView) throws -> [Todo] {
    try perform("read \(view)") { $0.todos }
  }

  func endSharing() { state.withLock { $0.calls.append("end sharing") } }

  func readAside(_ query: TodoQuery) throws -> [Todo] {
    try perform("read aside") { $0.todos }
  }

  func count(_ predicates: [TodoQuery.Predicate]) throws -> [Int] {
    try perform("count \(predicates.count)") { state in predicates.map { _ in state.todos.count } }
  }

  func transitions(after place: TransitionPlace?, limit: Int) throws -> TodoTransitions {
    try perform("transitions \(limit)") { _ in TodoTransitions([], upTo: place, isLast: true) }
  }

  func labels(
    _ kind: RequestReadLabels.Kind,
    prefix: String,
    in view: StorageView
  ) throws -> [String] {
    try perform("labels \(kind) \(prefix) \(view)") { _ in ["\(prefix)me"] }
  }

  func write(_ writes: [TodoWrite], by writer: Writer) throws -> [WrittenTodo] {
    try perform("write by \(writer.origin) at \(writer.time.milliseconds)") { state in
      writes.compactMap { write in
        guard case .add(let todo) = write else { return nil }
        state.todos.append(todo)
        return WrittenTodo(todo, .added)
      }
    }
  }

  func read(_ query: TodoQuery, inPartsOf count: Int) throws -> TodoPart {
    try perform("read in parts of \(count)") { state in
      let rest = Array(state.todos.dropFirst(count))
      return TodoPart(
        Array(state.todos.prefix(count)),
        rest: rest.isEmpty ? nil : TodoCursor { TodoPart(rest, rest: nil) }
      )
    }
  }

  func steps(_ query: RequestReadSteps.Query, in view: StorageView) throws -> [TodoStep] {
    try perform("steps \(view)") { _ in [] }
  }

  func revert(_ part: RequestRevertStep, by writer: Writer) throws -> RevertedTodos {
    try perform("revert \(part.step) by \(writer.origin) at \(writer.time.milliseconds)") { _ in
      RevertedTodos(todos: [], conflicts: [], rest: nil)
    }
  }

  func watch(
    besides session: UInt64,
    _ heard: @escaping @Sendable (Result<StoreChange, StoreError>) -> Void
  ) -> any StoreWatching {
    state.withLock { $0.heard = heard }
    return Watch()
  }

  private final class Watch: StoreWatching {}

  func examine() throws -> StoreReport {
    try perform("examine") { _ in StoreReport(path: "memory", findings: [.init(.ok, "fine")]) }
  }

  func backUp(to path: String) throws -> StoreCopy {
    try perform("back up to \(path)") { StoreCopy(path: path, count: $0.todos.count, revision: 0) }
  }

  func beginUnit() throws { try perform("begin") { _ in } }
  func keepUnit() throws { try perform("keep") { _ in } }
  func takeBackUnit() { state.withLock { $0.calls.append("take back") } }
}

extension Todo {
  /// A todo whose identity ends in a number, made that many seconds after the epoch.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    number: Int = 0,
    revision: Int = 0,
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Todo {
    var todo = Todo(
      uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id),
      createdAt: Instant(milliseconds: Int64(id) * 1000),
      number: number
    )
    todo.title = title
    todo.revision = revision
    edit(&todo)
    return todo
  }
}

extension TodoPatch {
  static func test(_ edit: (inout TodoPatch) -> Void) -> TodoPatch {
    var patch = TodoPatch()
    edit(&patch)
    return patch
  }
}
