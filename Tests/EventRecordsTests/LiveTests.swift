import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import SQLiteEngine
import Testing

@testable import EventRecords

/// Rows that follow the changes of a store.
@Suite(.hangLimit) struct LiveTests {
  /// How many changes are made in each way: a million by night.
  private static let rounds =
    ProcessInfo.processInfo.environment["LIVE_ROUNDS"].flatMap { Int($0) } ?? 2000

  // MARK: The window alone

  /// Whatever is asked for, the differences lead from the rows before to those of a fresh query.
  @Test(arguments: 1...8)
  func `after every change a window equals a fresh query`(_ seed: UInt64) throws {
    var chance = Chance(seed)
    for _ in 0..<max(1, Self.rounds / 200) {
      var records: [Int: Kept<Reading>] = [:]
      var (next, revision) = (1, 0)
      func add(_ chance: inout Chance) -> Int {
        revision += 1
        records[next] = Kept(next, Reading(chance: &chance), revision: revision)
        next += 1
        return next - 1
      }
      for _ in 0..<chance.below(60) { _ = add(&chance) }
      var query = RecordQuery()
      query.condition = RecordCondition(chance: &chance, depth: 2)
      query.order = (0..<chance.below(3)).map { _ in RecordOrder(chance: &chance) }
      query.isNewestFirst = [nil, false, true][chance.below(3)]
      query.limit = [nil, 0, 1, 3, 10][chance.below(5)]
      if chance.once(in: 4), let first = records.values.min(by: { $0.number < $1.number }) {
        query.start = RecordCursor(
          query.order.map { $0.key(first.value.stored($0.field), first.number) },
          number: first.number
        )
      }
      func fresh(_ count: Int?) throws -> [Kept<Reading>] {
        let found = try records.values.filter { record in
          guard try query.condition.holds(for: record) else { return false }
          return query.start.map { start in
            query.places(start, before: query.place(of: record))
          } ?? true
        }
        return Array(found.sorted { query.isBefore($0, $1) }.prefix(count ?? .max))
      }
      func read() throws -> LiveWindow<Reading> {
        let extent = LiveWindow<Reading>.extent(of: query.limit)
        let found = try fresh(extent)
        return LiveWindow(
          query,
          found,
          limit: query.limit,
          isWhole: extent.map { found.count < $0 } ?? true
        )
      }
      var window = try read()
      var shown = window.shown
      #expect(shown == (try fresh(query.limit)))
      for round in 0..<25 {
        var states: [LiveState<Reading>] = []
        var touched: Set<Int> = []
        for _ in 0...(chance.once(in: 4) ? chance.below(30) : 0) {
          let number =
            chance.once(in: 3) || records.isEmpty
            ? add(&chance) : records.keys.sorted()[chance.below(records.count)]
          guard touched.insert(number).inserted else { continue }
          if chance.once(in: 3) {
            records[number] = nil
          } else if chance.below(8) > 0 {
            revision += 1
            records[number] = Kept(number, Reading(chance: &chance), revision: revision)
          }
          states.append(LiveState(number: number, revision: revision, record: records[number]))
        }
        let before = window.shown
        let changes = window.take(states)
        if window.isShort {
          window = try read()
          shown.take(window.differences(from: before))
        } else {
          shown.take(changes)
          // No difference is for nothing.
          #expect(Set(changes.map(\.number)).count == changes.count)
        }
        #expect(shown == (try fresh(query.limit)), "seed \(seed), round \(round): \(query)")
        #expect(window.shown == shown)
      }
    }
  }

  // MARK: On a stream

  fileprivate final class Shown: Sendable {
    let pages = Locked<[LivePage<Reading>]>([])
    let rows = Locked<[Kept<Reading>]>([])

    func take(_ page: LivePage<Reading>) {
      pages.withLock { $0.append(page) }
      rows.withLock { rows in
        switch page {
        case .rows(let all, _): rows = all
        case .changes(let changes, _): rows.take(changes)
        case .failure: break
        }
      }
    }
  }

  private func write(_ process: AppContext, _ chance: inout Chance) throws {
    let known = try process.ask(RequestRecords<Reading>())
    func one(_ chance: inout Chance) -> RecordWrite<Reading> {
      guard !known.isEmpty, !chance.once(in: 3) else { return .add(Reading(chance: &chance)) }
      let number = known[chance.below(known.count)].number
      return .put(number, Reading(chance: &chance), seen: nil)
    }
    switch chance.below(6) {
    case 0 where !known.isEmpty:
      let number = known[chance.below(known.count)].number
      _ = try process.ask(RequestWriteRecords<Reading>([.remove(number)]))
    case 1:
      guard let step = try process.ask(RequestJournal(.toUndo(by: nil))).first?.step.number
      else { return }
      _ = try process.revert(step, force: true)
    case 2:
      _ = try process.ask(RequestWriteRecords((0..<12).map { _ in one(&chance) }))
    default: _ = try process.ask(RequestWriteRecords([one(&chance)]))
    }
  }

  private func query(_ chance: inout Chance) -> Query<Reading> {
    var query = Query<Reading>()
    query = query.where(Condition(stored: RecordCondition(chance: &chance, depth: 1)))
    // Those that are found by a value.
    if chance.once(in: 3) {
      query = query.where(.equals(\.batch, [nil, "A7", "B"][chance.below(3)]))
    }
    if chance.once(in: 4) { query = query.where(.isOne(of: [-3, 2], \.count)) }
    if chance.once(in: 2) { query = query.sorted(by: \.due) }
    if chance.once(in: 2) { query = query.sorted(alphabeticallyBy: \.title, descending: true) }
    if chance.once(in: 2) { query = query.first([1, 4, 9][chance.below(3)]) }
    return query
  }

  @Test(arguments: EngineKind.here)
  func `after every change a live query equals a fresh one`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    var chance = Chance(62)
    for _ in 0..<20 { _ = try process.ask(RequestWriteRecords([.add(Reading(chance: &chance))])) }
    for _ in 0..<(kind.isPostgres ? 2 : max(1, min(Self.rounds / 200, 100))) {
      let live = (0..<6).map { _ in (query: query(&chance), shown: Shown()) }
      for (query, shown) in live {
        process.stream.live(query, owner: shown) { shown, page, _ in shown.take(page) }
      }
      process.stream.deliver()
      for round in 0..<12 {
        try write(process, &chance)
        for (query, shown) in live {
          let fresh = try process.ask(RequestRecords(query))
          #expect(shown.rows.withLock { $0 } == fresh, "round \(round): \(query)")
        }
      }
      // After the first, differences alone were told.
      for (_, shown) in live {
        let pages = shown.pages.withLock { $0 }
        #expect(
          pages.dropFirst().allSatisfy { page in if case .changes = page { true } else { false } }
        )
      }
    }
  }

  /// Three processes write, and each sees what the others have written, in any order.
  @Test(arguments: EngineKind.shared)
  func `what others write is followed, too`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let processes = try (0..<3).map { _ in try rig.process(watchesExternalChanges: true) }
    var chance = Chance(63)
    _ = try processes[0].ask(RequestWriteRecords([.add(Reading(chance: &chance))]))
    let live = (0..<15)
      .map { index in
        let (process, query, shown) = (processes[index % 3], query(&chance), Shown())
        process.stream.live(query, owner: shown) { shown, page, _ in shown.take(page) }
        process.stream.deliver()
        return (process, query, shown)
      }
    for _ in 0..<max(60, min(Self.rounds / 100, 500)) {
      try write(processes[chance.below(3)], &chance)
    }
    for (process, query, shown) in live {
      let fresh = try process.ask(RequestRecords(query))
      try waitUntil("the rows are \(fresh.map(\.number))") {
        process.stream.deliver()
        return shown.rows.withLock { $0 } == fresh
      }
    }
    for process in processes { process.leave() }
  }

  /// A reader that falls behind is told all rows in place of what it has not read.
  @Test func `the pages are an asynchronous sequence, which ends with its task`() async throws {
    let process = AppContext(home: .ownThread)
    process.add(RecordServer(MemoryDatabase(), [Reading.self], watchesExternalChanges: false))
    defer { process.leave() }
    func add(_ titles: [String]) async throws {
      for title in titles {
        _ = try await process.stream.request(
          RequestWriteRecords<Reading>([.add(Reading(title: title))])
        )
      }
    }
    let query = Query<Reading>().sorted(by: \.title)
    let (shown, more) = (Shown(), AsyncStream.makeStream(of: Int.self))
    // It has subscribed before anything is written, as the first page says; it ends by being cancelled, at the latest by the suite's limit.
    let reader = Task {
      for await page in process.stream.live(query) {
        shown.take(page)
        more.continuation.yield(shown.rows.withLock(\.count))
      }
      more.continuation.finish()
    }
    var counts = more.stream.makeAsyncIterator()
    #expect(await counts.next() == 0)
    try await add(["B", "A"])
    #expect(await counts.next() == 1)
    #expect(await counts.next() == 2)
    #expect(shown.rows.withLock { $0.map(\.value.title) } == ["A", "B"])
    let slow = process.stream.live(query, buffer: 2)
    try await add(["C", "D", "E", "F"])
    var pages = slow.makeAsyncIterator()
    guard case .rows(let rows, _)? = await pages.next() else {
      Issue.record("the reader that fell behind was not told all rows")
      return
    }
    #expect(rows.count >= 4)
    reader.cancel()
    while await counts.next() != nil {}
  }

  @Test func `another query is asked in place of one, and ends with its owner`() throws {
    let rig = try EngineRig(.memory)
    let process = try rig.process()
    _ = try process.ask(
      RequestWriteRecords((1...5).map { .add(Reading(title: "\($0)", count: $0)) })
    )
    var shown: Shown? = Shown()
    let known = try #require(shown)
    let live = process.stream.live(Query().where(.less(\.count, than: 4)), owner: known) {
      shown,
      page,
      _ in shown.take(page)
    }
    process.stream.deliver()
    #expect(known.rows.withLock { $0.map(\.number) } == [1, 2, 3])
    process.stream.on(Asked.self) { _, turn in
      live.ask(Query().where(.greater(\.count, than: 2)), turn)
    }
    process.stream.send(Asked())
    process.stream.deliver()
    #expect(known.rows.withLock { $0.map(\.number) } == [3, 4, 5])
    guard case .changes(let changes, revision: 5)? = known.pages.withLock({ $0.last }) else {
      Issue.record("\(known.pages.withLock { $0 })")
      return
    }
    #expect(changes.map(\.number) == [1, 2, 4, 5])
    shown = nil
  }
}

private struct Asked: ViewModelEvent {}

extension LiveChange {
  fileprivate var number: Int {
    switch self {
    case .row(let row, _): row.number
    case .gone(let number): number
    }
  }
}

/// A record that may follow another one of its kind.
private struct Link: Record {
  var title = ""
  var next: Reference<Link>?

  static let fields = Fields<Self>("link")
    .field("title", \.title, .searched)
    .reference("next", \.next, onRemoval: .clear)
}

extension LiveTests {
  /// The title of what a row refers to is part of what is shown.
  @Test func `a row is told anew where what it refers to has another title`() throws {
    let process = AppContext()
    process.add(RecordServer(MemoryDatabase(), [Link.self], watchesExternalChanges: false))
    func write(_ write: RecordWrite<Link>) throws {
      _ = try process.ask(RequestWriteRecords([write]))
    }
    try write(.add(Link(title: "First")))
    try write(.add(Link(title: "Second", next: Reference(.number(1)))))
    let (owner, titles) = (Shown(), Locked<[String?]>([]))
    process.stream.live(Query<Link>(), owner: owner) { _, page, _ in
      guard case .changes(let changes, _) = page else { return }
      for case .row(let row, _) in changes where row.number == 2 {
        titles.withLock { $0.append(row.value.next?.title) }
      }
    }
    process.stream.deliver()
    try write(.put(1, Link(title: "Other"), seen: nil))
    #expect(titles.withLock { $0 } == ["Other"])
  }
}
