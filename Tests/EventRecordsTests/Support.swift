import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import ProcessTesting
import SQLiteEngine
import Testing

/// Something with fields, to be kept.
struct Box: Record {
  var title = ""
  var count = 1
  var note: String?

  static let fields = Fields<Self>("box")
    .field("title", \.title)
    .field("count", \.count)
    .field("note", \.note)

  static func measures(from before: Box?, to after: Box?, at time: Instant) -> [Measure] {
    let change = (after?.count ?? 0) - (before?.count ?? 0)
    return change == 0 ? [] : [Measure(.level("things"), change, at: time, by: [])]
  }
}

/// Something else.
struct Label: Record {
  var title = ""
  static let fields = Fields<Self>("label").field("title", \.title)
}

/// Adds a box that is called by how many there are.
struct RequestProbe: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
}

/// Gives a box another title.
struct RequestChange: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  let number: Int
}

/// A file of records in a folder of its own, gone with its test.
final class FreshRecords {
  let path: String
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/records-\(UUID().uuidString)"
    path = folder + "/records.sqlite"
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: false
    )
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func database() -> RecordDatabase { RecordDatabase(of: "test", path: path) }

  /// Stores a box whose title is no text.
  func addDamaged(_ box: Box = Box(title: "A")) throws {
    let transition = try process().write(.add(box))[0]
    try damage(transition.number)
  }

  /// Makes the title of a box no text.
  func damage(_ number: Int) throws {
    try execute("UPDATE record_box SET title = CAST(x'FF' AS TEXT) WHERE _number = \(number)")
  }

  /// Changes the file behind the back of whoever uses it.
  func execute(_ sql: String) throws {
    let place = try Workplace()
    try #require(try place.start(#"exec sqlite3 "$1" "$2""#, [path, sql]).outcome().status == 0)
  }

  /// A process on the file, as far as a test can tell.
  func process(watchesExternalChanges: Bool = false) -> AppContext {
    let context = AppContext()
    context.add(
      RecordServer(
        database(),
        [Box.self, Label.self],
        watchesExternalChanges: watchesExternalChanges
      ),
      Prober()
    )
    return context
  }
}

/// Stands for a domain's view-model server.
private final class Prober: Plugin {
  let name = "prober"

  func join(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestProbe.self)
    stream.on(RequestProbe.self, owner: self) { _, _, turn in
      // It reads twice.
      turn.request(RequestRecords<Box>()) { result, turn in
        let count = (try? result.get().result.get().count) ?? 0
        turn.request(RequestWriteRecords([.add(Box(title: "\(count)"))])) { _, turn in
          turn.request(RequestRecords<Box>()) { result, turn in
            let count = (try? result.get().result.get().count) ?? 0
            turn.send(ResponseView<Message>(.success(Message("\(count)"))))
          }
        }
      }
    }
    stream.transaction(RequestChange.self) { request, store in
      try store.change(try store.record(request.number, of: Box.self)) { $0.title = "changed" }
      return Message("changed")
    }
  }
}

/// Hears facts, so that a test can look at them.
final class Sink: Plugin {
  let name = "sink"
  let boxes = Locked<[ResponseRecordChanges<Box>]>([])
  let news = Locked<[ResponseChangedRecords]>([])

  func join(_ stream: EventStream) {
    stream.on(ResponseRecordChanges<Box>.self) { [boxes] event, _ in
      boxes.withLock { $0.append(event) }
    }
    stream.on(ResponseChangedRecords.self) { [news] event, _ in news.withLock { $0.append(event) } }
  }
}

/// Hears what is wrong.
final class Notices: Plugin {
  let name = "notices"
  let all = Locked<[Failure]>([])

  func join(_ stream: EventStream) {
    stream.on(ResponseUnreadableRecords.self) { [all] event, _ in
      all.withLock { $0.append(event.failure) }
    }
  }
}

extension AppContext {
  /// The value that a request is answered with, on the home thread.
  func ask<R: Request>(_ request: R) throws -> R.Reply.Value where R.Reply.Problem == Failure {
    try response(to: request).result.get()
  }

  func response<R: Request>(to request: R) throws -> R.Reply {
    var answer: Result<R.Reply, Interruption>?
    stream.request(request) { result, _ in answer = result }
    return try #require(answer).get()
  }

  func write(_ writes: RecordWrite<Box>...) throws -> [RecordTransition<Box>] {
    try ask(RequestWriteRecords(writes))
  }

  func boxes() throws -> [Box] { try ask(RequestRecords<Box>()).map(\.value) }

  /// Takes the latest step back.
  func undo(force: Bool = false) throws -> ReversedStep {
    try #require(
      try ask(RequestReversal(.toUndo(by: nil), conflicts: force ? .overwrite : .skip))
    )
  }

  /// Reverts the step of a number.
  func revert(_ step: Int, force: Bool) throws -> ReversedStep {
    try #require(try ask(RequestReversal(.number(step), conflicts: force ? .overwrite : .skip)))
  }
}
