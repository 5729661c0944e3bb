import Dispatch
import EventMVVMTesting
import EventPatterns
import EventMVVM
import Testing
import TodoModels
import TodoStore

@Suite(.hangLimit) struct WritingTests {
  // MARK: Numbers and revisions

  @Test func `a number belongs to one todo for ever`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    try store.change(2) { $0.deleted = true }
    #expect(try store.add(3).number == 3)
    #expect(try store.other().write([.add(.test(4))], by: .test).map(\.todo.number) == [4])
    #expect(try store.change(2) { $0.deleted = false }.number == 2)
  }

  @Test func `revisions rise through all of the store`() throws {
    let store = try FreshStore()
    #expect(try store.add(1).revision == 1)
    #expect(try store.add(2).revision == 2)
    #expect(try store.change(1) { $0.title = "Oat milk" }.revision == 3)
    let other = try store.other()
      .write(
        [.change(.number(2), .test { $0.title = "Rye" }, seen: nil)],
        by: .test
      )
    #expect(other.map(\.todo.revision) == [4])
    #expect(try store.change(1) { $0.subtitle = "two" }.revision == 5)
    #expect(try store.todo(2).revision == 4)
  }

  @Test func `each of several changes has a revision of its own`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    let patch = TodoPatch.test { $0.priority = .high }
    let written = try store.write(
      .change(.number(1), patch, seen: nil),
      .change(.number(2), patch, seen: nil)
    )
    #expect(written.map(\.todo.revision) == [3, 4])
  }

  @Test func `no change makes no revision and no row in the log`() throws {
    let store = try FreshStore()
    try store.add(1) {
      $0.completedAt = Instant(milliseconds: 2000)
      $0.tags = ["home"]
    }
    let written = try store.write(
      .change(
        .number(1),
        .test {
          $0.title = "Milk"
          $0.completion = .complete(Instant(milliseconds: 9000))
          $0.tags = .adjust(add: ["home"], remove: ["work"])
          $0.due = .clear
        },
        seen: nil
      )
    )
    #expect(written.map(\.isChanged) == [false])
    #expect(written.map(\.todo.revision) == [1])
    #expect(try store.rows("SELECT count(*) FROM change") == ["1"])
  }

  @Test func `S69 completing a todo again keeps the time at which it was completed`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.completion = .complete(Instant(milliseconds: 2000)) }
    try store.change(1) {
      $0.completion = .complete(Instant(milliseconds: 3000))
      $0.title = "Oat milk"
    }
    #expect(try store.todo(1).completedAt == Instant(milliseconds: 2000))
  }

  @Test func `processes that make and fill a store at once lose nothing`() throws {
    let store = try FreshStore()
    let failures = Locked<[String]>([])
    let path = store.path
    DispatchQueue.concurrentPerform(iterations: 4) { process in
      let database = TodoDatabase(path: path)
      for number in 0..<5 {
        do {
          _ = try database.write([.add(.test(UInt64(process * 5 + number)))], by: .test)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try store.rows("SELECT count(*), max(number) FROM todo") == ["20 | 20"])
    #expect(try store.rows("SELECT count(*), max(revision) FROM change") == ["20 | 20"])
  }

  // MARK: Upserts

  @Test func `S19 adding a todo that is there gives it the new content`() throws {
    let store = try FreshStore()
    try store.add(1) { $0.tags = ["home"] }
    try store.add(2)
    let again = try store.add(1, "Oat milk") { $0.tags = ["shop"] }
    #expect(again.number == 1)
    #expect(again.title == "Oat milk")
    #expect(again.tags == ["shop"])
    #expect(again.revision == 3)
    #expect(try store.rows("SELECT * FROM tag") == ["'shop' | 1"])
    #expect(try store.numbers() == [2, 1])
  }

  // MARK: Several

  @Test func `several references are one change, all or none`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.add(2)
    let patch = TodoPatch.test { $0.deleted = true }
    let error = modelError {
      try store.write(
        .change(.number(1), patch, seen: nil),
        .change(.number(7), patch, seen: nil),
        .change(.number(2), patch, seen: nil)
      )
    }
    #expect(error == .notFound(.number(7)))
    #expect(try store.numbers { $0.predicate.deleted = false } == [2, 1])
    #expect(try store.rows("SELECT count(*) FROM change") == ["2"])
  }

  @Test func `a todo that is named twice counts once`() throws {
    let store = try FreshStore()
    let todo = try store.add(1)
    let patch = TodoPatch.test { $0.completion = .toggle(Instant(milliseconds: 9000)) }
    let written = try store.write(
      .change(.number(1), patch, seen: nil),
      .change(.uuid(todo.uuid), patch, seen: nil),
      .change(.prefix("00000000-0000-4"), patch, seen: nil)
    )
    #expect(written.map(\.todo.number) == [1])
    #expect(written.map(\.todo.complete) == [true])
  }

  // MARK: Deleted todos

  @Test func `S37 a deleted todo can be shown and restored, and nothing else`() throws {
    let store = try FreshStore()
    try store.add(1)
    try store.change(1) { $0.deleted = true }
    #expect(try store.todo(1).deleted)
    let edits: [(inout TodoPatch) -> Void] = [
      { $0.title = "Oat milk" }, { $0.completion = .open }, { $0.deleted = true },
      { $0.tags = .adjust(add: ["home"], remove: []) },
    ]
    for edit in edits {
      #expect(modelError { try store.change(1, edit) } == .deleted(number: 1))
    }
    #expect(try store.change(1) { $0.deleted = false }.deleted == false)
    #expect(try store.change(1) { $0.title = "Oat milk" }.title == "Oat milk")
  }

  // MARK: References

  @Test func `a reference is a number, a UUID, or a prefix that fits one`() throws {
    let store = try FreshStore()
    try store.write(
      .add(Todo(uuid: UniqueID(high: 0xABCD_0000_0000_4000, low: 1), createdAt: .test)),
      .add(Todo(uuid: UniqueID(high: 0xABCD_EF00_0000_4000, low: 1), createdAt: .test))
    )
    func number(_ reference: TodoReference) throws -> [Int] {
      try store.database.read(TodoQuery([reference]), in: .committed).map(\.number)
    }
    #expect(try number(.number(2)) == [2])
    #expect(try number(.uuid(UniqueID(high: 0xABCD_0000_0000_4000, low: 1))) == [1])
    #expect(try number(.prefix("abcdef00-0")) == [2])
    #expect(
      modelError { _ = try number(.prefix("abcd")) }
        == .ambiguous(.prefix("abcd"), numbers: [1, 2])
    )
    #expect(modelError { _ = try number(.prefix("abce")) } == .notFound(.prefix("abce")))
    #expect(modelError { _ = try number(.number(3)) } == .notFound(.number(3)))
    #expect(
      modelError { _ = try number(.uuid(UniqueID(high: 1, low: 1))) }
        == .notFound(.uuid(UniqueID(high: 1, low: 1)))
    )
  }

  @Test func `several references are read in their order, each once`() throws {
    let store = try FreshStore()
    for id in 1...3 { try store.add(UInt64(id)) }
    let query = TodoQuery([.number(3), .number(1), .number(3)])
    #expect(try store.database.read(query, in: .committed).map(\.number) == [3, 1])
  }
}

extension Instant {
  fileprivate static let test = Instant(milliseconds: 1000)
}
