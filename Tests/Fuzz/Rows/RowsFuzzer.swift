import EventCommands
import EventMVVM
import FuzzSupport
import TodoModels
import TodoStore

/// Rows of any content through the store, the servers and the view models.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRows(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzz(start, count) { bytes in
    do {
      var choices = Choices(bytes)
      try store.fill(
        todos: [todo(1, &choices), todo(2, &choices)],
        changes: (2...3).map { change($0, &choices) }
      )
      let session = Session(store.database, World.of(bytes))
      for line in lines { check(line, session) }
    } catch {
      fatalError("the rows can't be stored: \(error)")
    }
  }
}

private let store: LooseStore = {
  do { return try LooseStore() } catch { fatalError("no store: \(error)") }
}()

/// Reads and writes; the stale edits have the change log read.
private let lines = [
  "list", "list --all --sort=-due", "list --tag=home --project=errands milk", "list --limit=1",
  "show 1", "show 0000", "edit 1 --title=Bread --expected-revision=1", "done 1 2",
  "edit 2 --tag=x --due=today --expected-revision=2", "list --sort=title",
]

/// A command shows todos, or fails with what is damaged, or as it does on sound todos.
private func check(_ line: String, _ session: Session) {
  let words = line.split(separator: " ").enumerated()
    .map { Word(text: String($1), offset: $0, isBare: true) }
  do {
    guard case .failure(let failure) = session.answer(try Session.catalogue.read(words)) else {
      return
    }
    let isNamed =
      ["todo #", "the change log of todo #"].contains(where: failure.message.hasPrefix)
      && failure.message.contains("is damaged")
    require(failure.kind != .store || isNamed, "'\(line)' fails with: \(failure.message)")
  } catch {
    fatalError("'\(line)' can't be read: \(error.message)")
  }
}

// MARK: - Rows

private func todo(_ number: Int64, _ choices: inout Choices) -> [String: Column] {
  let uuid: Column =
    number == 1
    ? "00000000-0000-4000-8000-000000000001" : "00000000-0000-4000-8000-000000000002"
  return [
    "number": number == 1 ? 1 : Column([2], &choices).key,
    "uuid": Column([uuid], &choices),
    "createdAt": Column([1000, 0, -1], &choices),
    "title": Column(["Milk", "Buy\u{1B}[31m milk", "\u{202E}"], &choices),
    "subtitle": Column(["", "two\nlines"], &choices),
    "priority": Column([0, 1], &choices),
    "completedAt": Column([.null, 2000], &choices),
    "deleted": Column([0, 0, 0, 1], &choices),
    "due": Column([.null, "2026-12-01", "2026-12-01T09:30", "9999-12-31"], &choices),
    "tags": Column(["[]", #"["home"]"#, #"["a","b"]"#], &choices),
    "project": Column([.null, "errands"], &choices),
    "revision": Column([3, 1], &choices),
    "folded": Column(["milk\n", "milk"], &choices),
  ]
}

private func change(_ revision: Int64, _ choices: inout Choices) -> [String: Column] {
  let fields: [Column] = [
    #"{"title":"Milk"}"#, .null, #"{"due":null,"completedAt":2000,"deleted":false}"#,
    #"{"tags":["a"],"project":"errands","priority":"high","subtitle":"x","due":"2026-12-01"}"#,
  ]
  return [
    "revision": .integer(revision),
    "todo": Column([1, 2], &choices),
    "before": Column(fields, &choices),
    "after": Column(fields, &choices),
    "session": Column([1], &choices),
    "root": Column([1], &choices),
    "origin": Column(["fuzz"], &choices),
    "at": Column([1000], &choices),
  ]
}

extension Column {
  /// A key that SQLite takes, other than 1.
  fileprivate var key: Column {
    guard case .integer(let number) = self, number != 1 else { return 2 }
    return self
  }
}
