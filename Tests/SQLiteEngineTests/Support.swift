import EventCommands
import EventMVVM
import EventValues
import Foundation
import GRDB
import JSONText
import Testing
import TodoModels

@testable import EventRecords
@testable import SQLiteEngine

/// GRDB has one, too.
typealias RecordError = EventRecords.RecordError

/// A file of todos as one process has it: the SQLite engine, and the shared layer on it.
final class TodoDatabase {
  /// What the engine keeps.
  static let table = RecordTable(Todo.self)
  private static let types = RecordTypes(of: [table])

  let path: String
  let file: RecordDatabase
  /// The file, or what records or replays its uses.
  private(set) var records: any RecordEngine
  private var count = 0

  /// Names a file; nothing is opened or created yet.
  init(
    path: String,
    makesFolders: Bool = false,
    patience: TimeInterval = 5,
    isLasting: Bool = false
  ) {
    self.path = path
    file = RecordDatabase(
      of: "todostream",
      path: path,
      makesFolders: makesFolders,
      patience: patience,
      isLasting: isLasting
    )
    records = file
    records.open([Self.table])
  }

  // MARK: Reading

  /// What a query finds and can be read, and what is to be said of the rest.
  func part(_ query: Query<Todo>, in view: StorageView) throws -> RecordRest<Todo>.Part {
    try records.read(in: view) {
      try RecordRest<Todo>.Part.reading($0.rows(query.stored, of: Self.table)).0
    } ?? RecordRest<Todo>.Part()
  }

  func read(
    _ query: Query<Todo> = .newest,
    in view: StorageView = .committed
  ) throws
    -> [Kept<Todo>]
  {
    try part(query, in: view).records
  }

  /// The record that is referred to; the store is there.
  func todo(_ reference: RecordReference, in view: StorageView = .committed) throws -> Kept<Todo> {
    let todo = try records.read(in: view) { store in
      let number = try store.number(reference, of: Self.table)
      guard let row = try store.row(number, of: Self.table) else {
        throw RecordError.notFound(number, kind: Todo.kind)
      }
      return try Kept<Todo>(row)
    }
    return try #require(todo)
  }

  func count(_ condition: Condition<Todo> = .all()) throws -> Int? {
    try records.readCommitted { try $0.count(condition.stored, of: Self.table) }
  }

  /// The names in a set, or the texts in a field.
  func labels(
    _ field: String,
    prefix: String = "",
    in view: StorageView = .committed
  ) throws
    -> [String]
  {
    let column = try #require(Self.table.index(of: field))
    return try records.read(in: view) {
      try $0.labels(column, prefix: prefix, limit: 100, counted: false, of: Self.table).map(\.text)
    } ?? []
  }

  func steps(_ query: StepQuery) throws -> [Step] {
    try records.read(in: .committed) { try $0.steps(query) } ?? []
  }

  func endSharing() { records.endSharing() }

  // MARK: Writing

  @discardableResult
  func write(_ writes: [RecordWrite<Todo>], by author: Author) throws -> [RecordTransition<Todo>] {
    try transaction(by: author) { try $0.write(writes) }
  }

  /// Changes todos as they are or, if a revision was seen, as they were then.
  @discardableResult
  func change(
    _ numbers: Int...,
    seen: Int? = nil,
    by author: Author,
    _ edit: (inout Todo) -> Void
  ) throws -> [RecordTransition<Todo>] {
    try transaction(by: author) { transaction in
      let history = RecordHistory(transaction.store, Self.types)
      let writes = try numbers.map { number in
        let fields = try history.fields(of: number, Self.table, at: seen ?? .max)
        var todo = try fields.map { try Todo($0, number) } ?? Todo()
        edit(&todo)
        return RecordWrite.put(number, todo, seen: seen)
      }
      return try transaction.write(writes)
    }
  }

  /// Undoes a step, or redoes what it has undone.
  @discardableResult
  func revert(
    _ number: Int,
    force: Bool = false,
    by author: Author
  ) throws -> (changes: [SubjectChange], conflicts: [JournalConflict]) {
    let steps = try records.read(in: .insideUnit) { try $0.steps(.number(number)) }
    let step = try #require(steps?.first)
    return try transaction(by: author) { transaction in
      let reversal = try RecordReversal(step, force: force, &transaction)
      return (transaction.updates.map(\.reversed), reversal.conflicts)
    }
  }

  private func transaction<T>(
    by author: Author,
    _ body: (inout RecordTransaction) throws -> T
  ) throws -> T {
    count += 1
    return try records.write { store in
      var transaction = try RecordTransaction(
        store,
        Self.types,
        by: author,
        ordinal: count
      )
      return try body(&transaction)
    }
  }

  func beginUnit() throws { try records.beginUnit() }
  func commitUnit() throws { try records.commitUnit() }
  func rollBackUnit() { records.rollBackUnit() }

  // MARK: Care

  /// Hears what sessions but one commit.
  func watch(
    excluding session: UInt64,
    _ heard: @escaping @Sendable (Result<ExternalChange, StoreError>) -> Void
  ) -> any StoreWatching {
    records.watch { [types = Self.types] store, revision in
      let news = try RecordHistory(store, types)
        .external(after: revision, excluding: session, limit: 500)
      for change in news.changes { heard(.success(change)) }
      return (news.last, news.isEnd)
    } report: { error in
      if let error { heard(.failure(error)) }
    }
  }

  func examine() throws -> StoreReport {
    try records.examine { try RecordExamination.findings($0, Self.types) }
  }

  func backUp(to path: String) throws -> StoreCopy { try records.backUp(to: path) }

  // MARK: Recordings

  /// Notes what sessions but one commit; called before the first use.
  func noteExternalChanges(
    excluding session: UInt64,
    _ note: @escaping @Sendable (FoundChange) -> Void
  ) {
    let recorded = RecordedEngine(file, excluding: session, readsAside: false, note)
    recorded.open([Self.table])
    recorded.begin()
    records = recorded
  }

  /// Replays a session; called before the first use.
  func replay() -> (FoundChange) -> Void {
    let replayed = ReplayedEngine(file, readsAside: false)
    replayed.open([Self.table])
    records = replayed
    return replayed.expect
  }
}

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

  /// Another process on the same file.
  func other() -> TodoDatabase { TodoDatabase(path: path) }

  /// Another process on the same file, with a stream.
  func process() -> AppContext {
    let context = AppContext()
    let records = RecordDatabase(of: "todostream", path: path)
    context.add(RecordServer(records, [Todo.self], watchesExternalChanges: false))
    return context
  }

  /// Calls with the connection that the store writes through, inside of a transaction.
  func withWriter<T>(_ body: (Database) throws -> T) throws -> T {
    try database.records.write { store in
      try body(try #require(store as? SQLiteWriter).database)
    }
  }

  /// The files of the store, and what else is in its folder.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  // MARK: Writing and reading

  /// Writes with the origin and time that stand in every expected row.
  @discardableResult
  func write(_ writes: RecordWrite<Todo>...) throws -> [RecordTransition<Todo>] {
    try database.write(writes, by: .test)
  }

  /// Adds a todo whose identity ends in a number.
  @discardableResult
  func add(
    _ id: UInt64,
    _ title: String = "Milk",
    _ edit: (inout Todo) -> Void = { _ in }
  ) throws -> Kept<Todo> {
    try #require(try write(.add(.test(id, title, edit)))[0].kept)
  }

  /// Changes a todo.
  @discardableResult
  func change(_ number: Int, seen: Int? = nil, _ edit: (inout Todo) -> Void) throws -> Kept<Todo> {
    try #require(try database.change(number, seen: seen, by: .test, edit)[0].kept)
  }

  /// The todo of a number, as committed.
  func todo(_ number: Int) throws -> Kept<Todo> { try database.todo(.number(number)) }

  /// The numbers of the todos that a query finds, in its order.
  func numbers(_ query: Query<Todo> = .newest) throws -> [Int] {
    try database.read(query).map(\.number)
  }

  /// The numbers of the todos for which all of this holds, newest first.
  func numbers(where conditions: Condition<Todo>...) throws -> [Int] {
    try numbers(conditions.reduce(.newest) { $0.where($1) })
  }

  // MARK: SQL

  /// Runs SQL behind the store's back.
  func execute(_ sql: String) throws {
    try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: sql) }
  }

  /// Makes a table anew without types, rules and triggers but for a key, so that it takes any
  /// damage.
  func loosen(_ table: String, _ key: String) throws {
    let columns = try rows("SELECT name FROM pragma_table_info('\(table)')").dropFirst()
      .map { $0.replacingOccurrences(of: "'", with: "\"") }
      .joined(separator: ", ")
    try execute(
      """
      PRAGMA foreign_keys = OFF;
      CREATE TABLE loose AS SELECT * FROM "\(table)";
      DROP TABLE "\(table)";
      CREATE TABLE "\(table)" (\(key), \(columns));
      INSERT INTO "\(table)" SELECT * FROM loose;
      DROP TABLE loose
      """
    )
  }

  /// The rows that SQL finds behind the store's back, their columns joined by a bar.
  func rows(_ sql: String) throws -> [String] {
    try DatabaseQueue(path: path)
      .inDatabase { database in
        try Row.fetchAll(database, sql: sql)
          .map { row in
            row.databaseValues.map(text).joined(separator: " | ")
          }
      }
  }

  private func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): "'\(text)'"
    case .blob(let data): "\(data.count) bytes"
    }
  }
}

extension Query<Todo> {
  /// All of them, the newest first.
  static var newest: Self { Query().sorted(by: \.createdAt, descending: true).newestFirst() }
}

extension Author {
  static let test = of(3)

  static func of(_ root: UInt64, session: UInt64 = 7, _ origin: String = "tests") -> Author {
    Author(
      root: Root(session: session, number: root),
      origin: origin,
      time: Instant(milliseconds: 5000)
    )
  }
}

extension Todo {
  /// A todo whose identity ends in a number, made that many seconds after the epoch.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Todo {
    var todo = Todo(
      uuid: UniqueID(high: 0x4000, low: 0x8000_0000_0000_0000 | id),
      createdAt: Instant(milliseconds: Int64(id) * 1000)
    )
    todo.title = title
    edit(&todo)
    return todo
  }
}

extension RecordError {
  static func notFound(_ number: Int) -> RecordError { .notFound(number, kind: Todo.kind) }
}

extension AppContext {
  /// The value that a request is answered with, on the home thread.
  func ask<R: Request>(_ request: R) throws -> R.Reply.Value where R.Reply.Problem == Failure {
    var answer: Result<R.Reply, Interruption>?
    stream.request(request) { result, _ in answer = result }
    return try #require(answer).get().result.get()
  }
}

/// The error of the shared layer that a body throws; nil if it throws none.
func recordError(_ body: () throws -> Void) -> RecordError? {
  do {
    try body()
    return nil
  } catch {
    return error as? RecordError
  }
}

/// The message of the store error that a body throws, with the file's folder left out.
func storeMessage(_ store: FreshStore, _ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch let error as StoreError {
    return error.message.replacingOccurrences(of: store.folder + "/", with: "")
  } catch {
    return "no error of the store: \(error)"
  }
}
