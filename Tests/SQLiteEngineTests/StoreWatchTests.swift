import EventMVVM
import EventMVVMTesting
import Foundation
import Testing
import TodoModels

@testable import EventRecords

/// What other processes commit is heard.
@Suite(.hangLimit) struct StoreWatchTests {
  /// Collects what a watch hears, and waits for it.
  private final class Ear: Sendable {
    private let heard = Arrivals<String>()

    func hear(_ result: Result<ExternalChange, StoreError>) {
      let text =
        switch result {
        case .success(let change):
          "\(change.origin) \(change.root): "
            + change.changes
            .map { "#\($0.number) \(Self.title($0)) @\($0.revision)" }
            .joined(separator: ", ")
        case .failure(let error): error.cause.prefix { $0 != ";" }.description
        }
      heard.add(text)
    }

    private static func title(_ change: StoredChange) -> String {
      let transition = try? RecordTransition<Todo>(change)
      return transition?.after?.title ?? "gone"
    }

    /// All that was heard, once there is so much of it.
    func wait(for count: Int) throws -> [String] {
      try heard.wait(for: count, "\(count) changes are heard")
    }
  }

  private func author(_ session: UInt64, _ number: UInt64, _ origin: String = "other") -> Author {
    .of(number, session: session, origin)
  }

  @Test func `what another process commits is heard in order, none twice and none missed`() throws {
    let store = try FreshStore()
    try store.add(1)
    let ear = Ear()
    let watch = store.database.watch(excluding: 7, ear.hear)
    let other = store.other()
    for number in 1...40 {
      let id = UInt64(number + 1)
      _ = try other.write([.add(.test(id, "Todo \(number)"))], by: author(9, UInt64(number)))
    }
    #expect(
      try ear.wait(for: 40)
        == (1...40).map { "other 0000000000000009-\($0): #\($0 + 1) Todo \($0) @\($0 + 1)" }
    )
    withExtendedLifetime(watch) {}
  }

  @Test func `one's own changes are not heard, between external ones`() throws {
    let store = try FreshStore()
    let ear = Ear()
    let watch = store.database.watch(excluding: 7, ear.hear)
    let other = store.other()
    _ = try other.write([.add(.test(1, "First"))], by: author(9, 1, "cli"))
    try store.add(2, "Mine")
    _ = try other.write([.add(.test(3, "Second"))], by: author(9, 2, "batch"))
    #expect(
      try ear.wait(for: 2) == [
        "cli 0000000000000009-1: #1 First @1", "batch 0000000000000009-2: #3 Second @3",
      ]
    )
    withExtendedLifetime(watch) {}
  }

  @Test func `each change shows the todo as that change left it`() throws {
    let store = try FreshStore()
    try store.add(1)
    let ear = Ear()
    let other = store.other()
    // Both are there before the watch reads, which then must not show the last state twice.
    try other.beginUnit()
    try other.change(1, by: author(9, 1)) { $0.title = "Oat milk" }
    let watch = store.other().watch(excluding: 7, ear.hear)
    try other.change(1, by: author(9, 2)) { $0.title = "Soy milk" }
    try other.commitUnit()
    #expect(
      try ear.wait(for: 2) == [
        "other 0000000000000009-1: #1 Oat milk @2", "other 0000000000000009-2: #1 Soy milk @3",
      ]
    )
    withExtendedLifetime(watch) {}
  }

  @Test func `a script of another process comes with one root, in parts of at most 500`() throws {
    let store = try FreshStore()
    try store.add(1)
    let parts = Locked<[Int]>([])
    let watch = store.database.watch(excluding: 7) { result in
      guard let change = try? result.get() else { return }
      #expect(change.root == Root(session: 9, number: 1))
      parts.withLock { $0.append(change.changes.count) }
    }
    let other = store.other()
    try other.beginUnit()
    for id in 2...1201 { _ = try other.write([.add(.test(UInt64(id)))], by: author(9, 1)) }
    try other.commitUnit()
    let seen = { "\(parts.withLock { $0 })" }
    try waitUntil("1200 todos are heard of", showing: seen) {
      parts.withLock { $0.reduce(0, +) } >= 1200
    }
    #expect(parts.withLock { $0 } == [500, 500, 200])
    withExtendedLifetime(watch) {}
  }

  @Test func `a store that comes to be is heard from its first change on`() throws {
    let store = try FreshStore()
    let ear = Ear()
    let watch = store.database.watch(excluding: 7, ear.hear)
    _ = try store.other().write([.add(.test(1, "First"))], by: author(9, 1))
    #expect(try ear.wait(for: 1) == ["other 0000000000000009-1: #1 First @1"])
    withExtendedLifetime(watch) {}
  }

  @Test func `a store that was moved away is a failure once, and is heard again when it is back`()
    throws
  {
    let store = try FreshStore()
    try store.add(1)
    let ear = Ear()
    let watch = store.other().watch(excluding: 7, ear.hear)
    let away = store.folder + "/away"
    try FileManager.default.moveItem(atPath: store.path, toPath: away)
    let failure =
      "is missing, but \(store.path)-wal with its last changes is there"
    #expect(try ear.wait(for: 1) == [failure])
    try FileManager.default.moveItem(atPath: away, toPath: store.path)
    _ = try store.other().write([.add(.test(2, "Second"))], by: author(9, 1))
    #expect(
      try ear.wait(for: 2) == [
        failure,
        "other 0000000000000009-1: #2 Second @2",
      ]
    )
    withExtendedLifetime(watch) {}
  }

  @Test func `a watch that is released ends`() throws {
    let store = try FreshStore()
    try store.add(1)
    weak var gone: AnyObject?
    do {
      let watch = store.database.watch(excluding: 7) { _ in }
      gone = watch
    }
    #expect(gone == nil)
  }

  @Test func `a watch that is released while it reads leaves no log behind`() throws {
    let store = try FreshStore()
    try store.add(1)
    let parts = Locked(0)
    var watch: (any StoreWatching)? = store.database.records.watch { _, revision in
      let count = parts.withLock { parts in
        parts += 1
        return parts
      }
      return (revision, count >= 500)
    } report: { _ in
    }
    try store.add(2)
    try waitUntil("the watch reads") { parts.withLock { $0 > 0 } }
    withExtendedLifetime(watch) {}
    watch = nil
    store.database.records.close()
    #expect(try !store.files().contains("todos.sqlite-wal"))
  }
}
