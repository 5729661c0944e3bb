import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// Something with a title, labels and a text to search.
struct Note: Record {
  var title = ""
  var labels: [String] = []

  static let fields = Fields<Self>("note")
    .field("title", \.title, [.searched, .indexed])
    .set("labels", \.labels)
}

/// A list of one test on the server of the process.
struct List {
  let name: String
  let server: PostgresServer
  private let database: String

  init() throws { self.init(on: try PostgresServer.shared) }
  init(on server: PostgresServer, named name: String? = nil, in database: String = "postgres") {
    self.server = server
    self.name = name ?? "t\(UUID().uuidString.replacing("-", with: "").lowercased())"
    self.database = database
  }

  /// A list in a database of its own, with options of `CREATE DATABASE`.
  init(inDatabaseOf options: String) throws {
    let list = try List()
    _ = try list.rows("CREATE DATABASE \(list.name) TEMPLATE template0 \(options)")
    self.init(on: list.server, named: list.name, in: list.name)
  }

  /// Its address, directly and as the owner of the server, unless another way or role is named.
  func address(by way: String? = nil, as role: String = "test") -> String {
    let way = (way ?? server.address).replacing("/postgres?", with: "/\(database)?")
    return "\(way)#\(name)".replacing("test@", with: "\(role)@")
  }

  /// Creates a role with the name of the list, which can connect, and may do what is named.
  func makeRole(_ settings: String..., granting rights: String...) throws -> String {
    let statements =
      ["CREATE ROLE \(name) LOGIN"] + settings.map { "ALTER ROLE \(name) SET \($0)" }
      + rights.map { "GRANT \($0) TO \(name)" }
    _ = try rows(statements.joined(separator: "; "))
    return name
  }

  /// An engine whose tables are named.
  func engine(
    by way: String? = nil,
    as role: String = "test",
    makesSchema: Bool = true
  ) -> PostgresEngine {
    let engine = unopened(by: way, as: role, makesSchema: makesSchema)
    engine.open([RecordTable(Note.self)])
    return engine
  }

  /// An engine whose tables are not named.
  func unopened(
    by way: String?,
    as role: String = "test",
    makesSchema: Bool
  ) -> PostgresEngine {
    var store = StoreConfiguration(of: "test", path: address(by: way, as: role))
    store.makesSchema = makesSchema
    return PostgresEngine(store)
  }

  /// A process that keeps notes in the list.
  func process(by way: String? = nil) -> AppContext {
    let context = AppContext()
    context.add(
      RecordServer(
        unopened(by: way, makesSchema: true),
        [Note.self],
        watchesExternalChanges: false
      )
    )
    return context
  }

  /// What the database itself finds, a text a row, its columns parted by `|`.
  func rows(_ sql: String) throws -> [String] {
    let place = try Workplace()
    defer { withExtendedLifetime(place) {} }
    let outcome =
      try place.start(
        "exec psql -X -q -A -t -v ON_ERROR_STOP=1 \"$1\" -c \"$2\" -c \"$3\"",
        [
          String(address().prefix { $0 != "#" }),
          "SET search_path = \(name); SET client_min_messages = error", sql,
        ]
      )
      .outcome()
    #expect(outcome.errors == [] && outcome.status == 0, "\(sql)")
    return outcome.output
  }
}

extension RecordReader {
  /// The titles of all notes, by their numbers.
  func titles() throws -> [String] {
    let rows = try rows(RecordQuery(), of: RecordTable(Note.self))
    var titles: [String] = []
    while let row = try rows.next() { titles.append(try Kept<Note>(row).value.title) }
    return titles
  }
}

extension AppContext {
  /// The answer to a request.
  func ask<R: Request>(_ request: R) throws -> R.Reply.Value where R.Reply.Problem == Failure {
    var answer: Result<R.Reply, Interruption>?
    stream.request(request) { result, _ in answer = result }
    return try #require(answer).get().result.get()
  }

  /// Adds a note.
  func add(_ title: String) throws {
    _ = try ask(RequestWriteRecords<Note>([.add(Note(title: title))]))
  }

  /// The titles of all notes.
  func titles() throws -> [String] { try ask(RequestRecords<Note>()).map(\.value.title) }
}
