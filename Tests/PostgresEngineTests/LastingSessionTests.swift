import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// In a session that lasts, nothing of the network runs on the home thread.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct LastingSessionTests {
  private struct RequestTime: ModelEvent {}

  /// A session that lasts, and what it has answered.
  private final class Session: Sendable {
    let context: AppContext
    let answers = Arrivals<String>()
    var stream: EventStream { context.stream }

    init(_ list: List) throws {
      try list.engine().write { _ in }
      context = AppContext(home: .ownThread)
      context.stream.on(RequestTime.self) { [answers] _, _ in answers.add("time") }
      context.stream.on(ResponseStoreTrouble.self) { [answers] event, _ in
        answers.add(event.failure.isRetryable ? "lost" : event.failure.message)
      }
      context.stream.on(ResponseStoreRecovery.self) { [answers] _, _ in answers.add("back") }
      let engine = list.unopened(by: nil, makesSchema: true)
      context.add(
        RecordServer(engine, [Note.self], watchesExternalChanges: true, readsInBackground: true)
      )
    }

    @discardableResult func add(_ title: String) -> Conversation {
      stream.request(RequestWriteRecords<Note>([.add(Note(title: title))])) {
        [answers] result, _ in
        answers.add(Self.words(result.map(\.result)) { "added \($0[0].number)" })
      }
    }

    func count() {
      stream.request(RequestRecords<Note>()) { [answers] result, _ in
        answers.add(Self.words(result.map(\.result)) { "\($0.count) notes" })
      }
    }

    static func words<T>(
      _ answer: Result<Result<T, Failure>, Interruption>,
      _ body: (T) -> String
    ) -> String {
      switch answer {
      case .success(.success(let value)): body(value)
      case .success(.failure(let failure)):
        failure.isRetryable ? "again later" : failure.message
      case .failure(let interruption): "\(interruption)"
      }
    }
  }

  @Test func `the home thread is free while another program lets a write wait`() throws {
    let list = try List()
    let session = try Session(list)
    let other = list.engine()
    try other.beginUnit()
    session.add("one")
    session.count()
    session.stream.send(RequestTime())
    #expect(try session.answers.wait(for: 1, "the time is told") == ["time"])
    other.rollBackUnit()
    // The read comes after the write that was asked for before.
    #expect(
      try session.answers.wait(for: 3, "all is answered") == ["time", "added 1", "1 notes"]
    )
    session.context.leave()
  }

  @Test func `a write that waits ends when it is cancelled, and writes nothing`() throws {
    let list = try List()
    let session = try Session(list)
    let other = list.engine()
    try other.beginUnit()
    let conversation = session.add("one")
    try waitUntil("it waits for the lock") {
      try list.rows("SELECT count(*) FROM pg_locks WHERE NOT granted") != ["0"]
    }
    session.stream.cancel(conversation)
    let answers = try session.answers.wait(for: 1, "it is answered")
    #expect(answers == ["Cancelled; nothing was changed."])
    other.rollBackUnit()
    session.add("two")
    #expect(try session.answers.wait(for: 2, "it is answered")[1] == "added 1")
    session.context.leave()
    #expect(try list.rows("SELECT title FROM record_note") == ["two"])
  }

  @Test func `a unit is committed off the home thread, as a whole or not at all`() throws {
    let list = try List()
    let session = try Session(list)
    func unit(_ titles: [String], commits: Bool) {
      session.stream.begin(.allOrNothing) { [answers = session.answers] begun, _ in
        guard let unit = try? begun.get() else { return answers.add("refused") }
        for title in titles {
          unit.request(RequestWriteNote(title: title)) { result, _ in
            answers.add(Session.words(result.map(\.result)) { _ in title })
          }
        }
        let then: (Result<Void, Failure>, borrowing ViewTurn) -> Void = { result, _ in
          answers.add((try? result.get()) == nil ? "not committed" : "ended")
        }
        commits ? unit.commit(then: then) : unit.rollBack(then: then)
      }
    }
    session.stream.on(RequestWriteNote.self) { request, turn in
      turn.request(RequestWriteRecords<Note>([.add(Note(title: request.title))])) { result, turn in
        turn.send(
          ResponseWriteNote(
            result.mapError { Failure($0) }.flatMap { $0.result.map { _ in "" } }
          )
        )
      }
    }
    unit(["one", "two"], commits: true)
    #expect(try session.answers.wait(for: 3, "it ends") == ["one", "two", "ended"])
    unit(["three"], commits: false)
    #expect(try session.answers.wait(for: 5, "it ends")[3...] == ["three", "ended"])
    #expect(try list.rows("SELECT title FROM record_note ORDER BY title") == ["one", "two"])

    // While its commit waits for nobody, others' events have their turns; nothing else is written.
    unit(["four"], commits: true)
    session.count()
    _ = try session.answers.wait(for: 8, "all is answered")
    // The read does not wait for the unit: it may come before the commit.
    let answers = session.answers.all[5...].sorted()
    #expect(["2 notes", "3 notes"].contains(answers[0]))
    #expect(answers[1...] == ["ended", "four"])
    session.context.leave()
  }

  @Test func `a lost server is told once, everything fails at once, and it comes back by itself`()
    throws
  {
    let server = try PostgresServer()
    let session = try Session(List(on: server))
    session.add("one")
    _ = try session.answers.wait(for: 1, "it is stored")
    try server.stop()
    _ = try session.answers.wait(for: 2, "the loss is told")
    session.add("two")
    session.count()
    let unit = Arrivals<Bool>()
    session.stream.begin(.allOrNothing) { begun, _ in
      try? begun.get().commit { result, _ in unit.add((try? result.get()) == nil) }
    }
    #expect(
      try session.answers.wait(for: 4, "both fail")
        == ["added 1", "lost", "again later", "again later"]
    )
    #expect(try unit.wait(for: 1, "the unit fails") == [true])
    try server.start()
    #expect(try session.answers.wait(for: 5, "it is back")[4] == "back")
    session.add("three")
    #expect(try session.answers.wait(for: 6, "it is stored")[5] == "added 2")
    session.context.leave()
  }
}

/// A view's request for a note.
private struct RequestWriteNote: ViewModelEvent, Request {
  typealias Reply = ResponseWriteNote
  let title: String
}

private struct ResponseWriteNote: ViewModelEvent, Response {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}
