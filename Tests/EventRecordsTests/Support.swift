import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import Foundation
import ProcessTesting
import RecordStore
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

  /// Stores boxes, whatever their texts are.
  func add(_ bodies: String...) throws {
    let writer = Writer(
      root: Root(session: 1, number: .random(in: 1...1 << 40)),
      origin: "test",
      time: .init(milliseconds: 0)
    )
    let writes = bodies.map { StoredWrite.add(kind: "box", $0) }
    _ = try database().write(writes, by: writer, undoing: nil)
  }

  /// Changes the file behind the back of whoever uses it.
  func execute(_ sql: String) throws {
    let place = try Workplace()
    try #require(try place.start(#"exec sqlite3 "$1" "$2""#, [path, sql]).outcome().status == 0)
  }

  /// A process on the file, as far as a test can tell.
  func process(hearsOthers: Bool = false) -> AppContext {
    let context = AppContext()
    context.add(
      RecordServer(database(), [Box.self, Label.self], hearsOthers: hearsOthers),
      Prober()
    )
    return context
  }
}

/// Stands for a domain's view-model server.
private final class Prober: Plugin {
  let name = "prober"

  func join(_ stream: EventStream) {
    stream.change(RequestProbe.self, owner: self) { _, _, boxes in
      [.add(Box(title: "\(boxes.count)"))]
    } reply: { _, _, boxes, _ in
      Message("\(boxes.count)")
    }
    stream.change(RequestChange.self, owner: self) { _, request, boxes -> [RecordWrite<Box>] in
      try boxes.changed([RecordReference(request.number)]) { $0.title = "changed" }
    } reply: { _, _, _, _ in
      Message("changed")
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
    var answer: Result<R.Reply, Interruption>?
    stream.request(request) { result, _ in answer = result }
    return try #require(answer).get().result.get()
  }

  func write(_ writes: RecordWrite<Box>...) throws -> [RecordTransition<Box>] {
    try ask(RequestWriteRecords(writes))
  }

  func boxes() throws -> [Box] { try ask(RequestRecords<Box>()).map(\.value) }

  /// Takes the latest step back.
  func undo(force: Bool = false) throws -> ReversedPart {
    let entry = try #require(try ask(RequestJournal(.toUndo(by: nil))).first)
    return try ask(RequestReversal(step: entry.step.number, force: force))
  }
}
