import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
import SQLiteEngine
import TodoModels

/// A store on a fresh file in a folder of its own, gone with its test (S74).
final class FreshStore {
  let folder: String
  var path: String { folder + "/todos.sqlite" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/todos-" + UniqueID.random().text
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A server of todos in it, or in a file beside it.
  func server(_ path: String? = nil, readsInBackground: Bool = false) -> RecordServer {
    RecordServer(
      RecordDatabase(of: "todostream", path: path ?? self.path),
      [Todo.self],
      watchesExternalChanges: false,
      readsInBackground: readsInBackground,
      tellsViews: false
    )
  }
}

extension Kept<Todo> {
  /// A todo whose identity ends in a number, made that many seconds after the epoch.
  static func test(
    _ id: UInt64,
    _ title: String = "Milk",
    number: Int = 0,
    revision: Int = 0,
    _ edit: (inout Todo) -> Void = { _ in }
  ) -> Self {
    Kept(number, .test(id, title, edit), revision: revision)
  }

  /// What a write makes of it, out of a state before; it is new without one.
  func written(from before: Todo? = nil) -> RecordTransition<Todo> {
    RecordTransition(number, from: before, to: value, revision: revision)
  }
}

extension Todo {
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
