import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

@testable import EventRecords

/// What follows the last part of a list that was read.
private final class Rest: Sendable {
  private let known = Locked<RecordRest<Reading>?>(nil)
  var latest: RecordRest<Reading>? { known.withLock { $0 } }

  init(on process: AppContext) {
    process.stream.on(ResponseRecords<Reading>.self, owner: self) { rest, reply, _ in
      rest.known.withLock { $0 = reply.rest }
    }
  }
}

/// Adds a reading, and reads the list in parts.
private final class Prober: Plugin {
  let name = "prober"
  let numbers = Locked<[Int]>([])

  func join(_ stream: EventStream) {
    stream.on(RequestProbe.self, owner: self) { _, _, turn in
      turn.request(RequestWriteRecords<Reading>([.add(Reading(title: "New"))])) { _, turn in
        turn.request(RequestRecords(Query<Reading>(), inPartsOf: 2)) { [weak self] result, turn in
          let records = (try? result.get().result.get()) ?? []
          self?.numbers.withLock { $0 = records.map(\.number) }
          turn.send(ResponseView<Message>(.success(Message(""))))
        }
      }
    }
  }
}

/// Lists that are read in parts or beside the home thread, and records as they were.
@Suite(.hangLimit) struct ListReadingTests {
  private func add(_ count: Int, to process: AppContext) throws {
    _ = try process.ask(
      RequestWriteRecords<Reading>(
        (1...count).map { .add(Reading(title: "Reading \($0)", count: $0)) }
      )
    )
  }

  private func parts(
    of query: Query<Reading>,
    by size: Int,
    _ process: AppContext,
    meanwhile: () throws -> Void = {}
  ) throws -> [[Int]] {
    let rest = Rest(on: process)
    var parts: [[Int]] = []
    var request: RequestRecords<Reading>? = RequestRecords(query, inPartsOf: size)
    while let asked = request {
      parts.append(try process.ask(asked).map(\.number))
      request = rest.latest.map { RequestRecords($0) }
      try meanwhile()
    }
    return parts
  }

  @Test(arguments: EngineKind.here)
  func `a list is read in parts`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    #expect(try parts(of: Query(), by: 3, process) == [[]])
    try add(7, to: process)
    let query = Query<Reading>().sorted(by: \.count, descending: true)
    #expect(try parts(of: query, by: 3, process) == [[7, 6, 5], [4, 3, 2], [1]])
    #expect(try parts(of: query.first(4), by: 3, process) == [[7, 6, 5], [4]])
    #expect(try parts(of: query, by: 7, process) == [[7, 6, 5, 4, 3, 2, 1]])
    // A part that is full may be the last.
    #expect(try parts(of: query.first(6), by: 3, process) == [[7, 6, 5], [4, 3, 2], []])
  }

  @Test(arguments: EngineKind.shared)
  func `all parts of a list are of one moment`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let (process, other) = (try rig.process(), try rig.process())
    try add(5, to: process)
    let found = try parts(of: Query(), by: 2, process) {
      try add(1, to: other)
      _ = try other.ask(
        RequestWriteRecords<Reading>([.put(5, Reading(title: "Changed"), seen: nil)])
      )
    }
    #expect(found == [[1, 2], [3, 4], [5]])
    #expect(try process.ask(RequestRecords<Reading>()).count == 8)
  }

  @Test func `inside of a unit the first part has all of them, those of the unit included`() throws
  {
    let rig = try EngineRig(.file)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    try add(3, to: process)
    let prober = Prober()
    process.add(prober)
    process.stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestProbe()) { _, _ in unit.commit { _, _ in } }
    }
    #expect(prober.numbers.withLock { $0 } == [1, 2, 3, 4])
  }

  @Test func `what frontends ask for is found beside the home thread, too`() async throws {
    let rig = try EngineRig(.file)
    defer { withExtendedLifetime(rig) {} }
    let process = AppContext(home: .ownThread)
    process.add(
      RecordServer(
        try rig.engine(),
        [Reading.self],
        watchesExternalChanges: false,
        readsInBackground: true
      )
    )
    _ = try await process.stream.request(
      RequestWriteRecords<Reading>((1...5).map { .add(Reading(title: "\($0)", count: $0)) })
    )
    let all = try await process.stream.request(RequestRecords<Reading>())
    #expect(all.map(\.number) == [1, 2, 3, 4, 5])
    let rest = Rest(on: process)
    let first = try await process.stream.request(RequestRecords(Query<Reading>(), inPartsOf: 4))
    #expect(first.map(\.number) == [1, 2, 3, 4])
    let last = try await process.stream.request(RequestRecords(try #require(rest.latest)))
    #expect(last.map(\.number) == [5])
    let counts = try await process.stream.request(
      RequestRecordCounts<Reading>([.greater(\.count, than: 3)])
    )
    #expect(counts == [2])
    await #expect(throws: Failure(.notFound, "There is no reading #9.", field: "id", id: 9)) {
      try await process.stream.request(RequestRecords<Reading>(9))
    }
  }

  @Test(arguments: EngineKind.here)
  func `S71 a record is read as it was at a revision`(_ kind: EngineKind) throws {
    let rig = try EngineRig(kind)
    defer { withExtendedLifetime(rig) {} }
    let process = try rig.process()
    try add(2, to: process)
    _ = try process.ask(
      RequestWriteRecords<Reading>([.put(1, Reading(title: "B", count: 9), seen: nil)])
    )
    _ = try process.ask(
      RequestWriteRecords<Reading>([.put(1, Reading(title: "C", count: 9), seen: nil)])
    )
    func kept(_ number: Int, at revision: Int) throws -> Kept<Reading> {
      try process.ask(RequestRecords<Reading>(number, at: revision))[0]
    }
    #expect(try kept(1, at: 1) == Kept(1, Reading(title: "Reading 1", count: 1), revision: 1))
    #expect(try kept(1, at: 2).value.title == "Reading 1")
    #expect(try kept(1, at: 3).value == Reading(title: "B", count: 9))
    #expect(try kept(1, at: 4).value.title == "C")
    for (number, revision) in [(2, 1), (1, 5), (1, 0)] {
      #expect {
        try kept(number, at: revision)
      } throws: {
        ($0 as? Failure)?.message
          == "Nobody can have seen #\(number) at revision \(revision) of this store; read it again."
      }
    }
  }
}
