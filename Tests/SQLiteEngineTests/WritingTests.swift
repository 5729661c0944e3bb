import Dispatch
import EventMVVM
import EventMVVMTesting
import Testing
import TodoModels

@testable import EventRecords

/// Numbers, revisions, references, and what is written of several todos.
@Suite(.hangLimit) struct WritingTests {
  // MARK: Numbers and revisions

  @Test func `a number belongs to one todo for ever`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    try store.change(2) { $0.deleted = true }
    #expect(try store.add(3).number == 3)
    #expect(try store.other().write([.add(.test(4))], by: .test).map(\.number) == [4])
    #expect(try store.change(2) { $0.deleted = false }.number == 2)
  }

  @Test func `revisions rise through all of the store`() throws {
    let store = try FreshStore()
    #expect(try store.add(1).revision == 1)
    #expect(try store.add(2).revision == 2)
    #expect(try store.change(1) { $0.title = "Oat milk" }.revision == 3)
    let other = try store.other().change(2, by: .test) { $0.title = "Rye" }
    #expect(other.map(\.revision) == [4])
    #expect(try store.change(1) { $0.subtitle = "two" }.revision == 5)
    #expect(try store.todo(2).revision == 4)
  }

  @Test func `each of several changes has a revision of its own`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    let written = try store.database.change(1, 2, by: .test) { $0.priority = .high }
    #expect(written.map(\.revision) == [3, 4])
    #expect(try store.todo(2).value == .test(2) { $0.priority = .high })
  }

  @Test func `no change makes no revision and no row in the log`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.completedAt = Instant(milliseconds: 2000)
      $0.tags = ["home"]
    }
    let written = try store.database.change(1, by: .test) {
      $0.title = "Milk"
      $0.complete(true, at: Instant(milliseconds: 9000))
      $0.due = nil
    }
    #expect(written.map(\.isChange) == [false])
    #expect(written.map(\.revision) == [1])
    #expect(try store.rows("SELECT count(*) FROM change") == ["1"])
  }

  @Test func `S69 completing a todo again keeps the time at which it was completed`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.complete(true, at: Instant(milliseconds: 2000)) }
    try store.change(1) {
      $0.complete(true, at: Instant(milliseconds: 3000))
      $0.title = "Oat milk"
    }
    #expect(try store.todo(1).value.completedAt == Instant(milliseconds: 2000))
    #expect(try store.todo(1).value.title == "Oat milk")
  }

  @Test func `processes that make and fill a store at once lose nothing`() throws {
    let store = try FreshStore()
    let failures = Locked<[String]>([])
    let path = store.path
    DispatchQueue.concurrentPerform(iterations: 4) { process in
      let database = TodoDatabase(path: path)
      for number in 0..<5 {
        do {
          try database.write([.add(.test(UInt64(process * 5 + number)))], by: .test)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try store.rows("SELECT count(*), max(_number) FROM record_todo") == ["20 | 20"])
    #expect(try store.rows("SELECT count(*), max(revision) FROM change") == ["20 | 20"])
  }

  // MARK: Upserts

  @Test func `S19 adding a todo that is there gives it the new content`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.add(2)
    let again = try store.write(.upsert(.test(1, "Oat milk") { $0.tags = ["shop"] }))[0]
    #expect(again.number == 1)
    #expect(again.after == .test(1, "Oat milk") { $0.tags = ["shop"] })
    #expect(again.revision == 3)
    #expect(try store.rows("SELECT * FROM \"record_todo.tags\"") == ["'shop' | 1"])
    #expect(try store.numbers() == [2, 1])
  }

  @Test func `S19 when a todo was made stays, whatever is written over it`() throws {
    let store = try FreshStore()
    let known = try store.add(1).value
    var again = Todo.test(1, "Oat milk")
    again.createdAt = Instant(milliseconds: 9000)
    #expect(try store.write(.upsert(again))[0].after?.createdAt == known.createdAt)
    #expect(try store.todo(1).value == .test(1, "Oat milk"))
  }

  // MARK: Several

  @Test func `several todos are one change, all or none`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    let error = recordError {
      try store.database.change(1, 7, 2, by: .test) { $0.deleted = true }
    }
    #expect(error == .notFound(7))
    #expect(try store.numbers(where: .equals(\.deleted, false)) == [2, 1])
    #expect(try store.rows("SELECT count(*) FROM change") == ["2"])
  }

  // MARK: Deleted todos

  @Test func `S37 a deleted todo can be shown, listed and restored`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.change(1) { $0.deleted = true }
    #expect(
      try store.todo(1).value
        == .test(1) {
          $0.tags = ["home"]
          $0.deleted = true
        }
    )
    #expect(try store.numbers(where: .equals(\.deleted, true)) == [1])
    #expect(try store.numbers(where: .equals(\.deleted, false)) == [])
    #expect(try store.change(1) { $0.deleted = false }.value == .test(1) { $0.tags = ["home"] })
    #expect(try store.numbers(where: .equals(\.deleted, false)) == [1])
  }

  // MARK: References

  @Test func `a reference is a number, a UUID, or a prefix that fits one`() throws {
    let store = try FreshStore()
    let created = Instant(milliseconds: 1000)
    let (first, second) = (
      UniqueID(high: 0xABCD_0000_0000_4000, low: 1), UniqueID(high: 0xABCD_EF00_0000_4000, low: 1)
    )
    try store.write(
      .add(Todo(uuid: first, createdAt: created)),
      .add(Todo(uuid: second, createdAt: created))
    )
    func number(_ reference: RecordReference) throws -> Int {
      try store.database.todo(reference).number
    }
    #expect(try number(.number(2)) == 2)
    #expect(try number(RecordReference(first)) == 1)
    #expect(try number(.identity("abcdef00-0")) == 2)
    #expect(
      recordError { _ = try number(.identity("abcd")) }
        == .ambiguous(.identity("abcd"), kind: "todo", [1, 2])
    )
    for unknown in [RecordReference.identity("abce"), RecordReference(UniqueID(high: 1, low: 1))] {
      #expect(recordError { _ = try number(unknown) } == .unknown(unknown, kind: "todo"))
    }
    #expect(recordError { _ = try number(.number(3)) } == .notFound(3))
  }

  @Test func `several references are read in their order, each once`() throws {
    let store = try FreshStore()
    let todos = try (1...3).map { try store.add($0) }
    let references = [RecordReference(3), .number(1), RecordReference(todos[2].value.uuid)]
    #expect(try store.process().ask(RequestReadTodos(references)).map(\.number) == [3, 1])
  }
}
