import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// Records on a real file: what a domain asks of those who keep them.
@Suite(.hangLimit) struct RecordServerTests {
  private let store: FreshRecords
  private let process: AppContext

  init() throws {
    store = try FreshRecords()
    process = store.process()
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check {
      RecordServer(
        RecordDatabase(of: "test", path: "nowhere"),
        [Box.self],
        watchesExternalChanges: false
      )
    }
  }

  @Test func `a text that could not be read again is refused, and nothing is written`() throws {
    let nul = RequestWriteRecords<Box>([.add(Box(title: "A")), .add(Box(title: "B\0"))])
    #expect(throws: Failure(.validation, "A box can't contain the character NUL (U+0000).")) {
      try process.ask(nul)
    }
    let six = Box(title: #"\u0000 and \\u0000"#)
    _ = try process.write(.add(six))
    #expect(try process.ask(RequestRecords<Box>()).map(\.value) == [six])
  }

  @Test func `S19 what is written is read again, by another process, too`() throws {
    let written = try process.write(
      .add(Box(title: "A", count: 3, note: "x")),
      .add(Box(title: "B"))
    )
    #expect(
      written == [
        RecordTransition(1, from: nil, to: Box(title: "A", count: 3, note: "x"), revision: 1),
        RecordTransition(2, from: nil, to: Box(title: "B"), revision: 2),
      ]
    )
    #expect(
      try store.process().ask(RequestRecords<Box>([2, 1])) == [
        Kept(2, Box(title: "B"), revision: 2),
        Kept(1, Box(title: "A", count: 3, note: "x"), revision: 1),
      ]
    )
  }

  @Test func `a file that is not there yet has no records, and reading makes none`() throws {
    #expect(try process.boxes() == [])
    #expect(try process.ask(RequestJournal(.newest(5))) == [])
    #expect(
      try process.ask(RequestMeasures(after: "", limit: 5))
        == MeasuredPart([], upTo: "", isLast: true)
    )
    #expect(!FileManager.default.fileExists(atPath: store.path))
  }

  @Test func `records of one type are not those of another`() throws {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.ask(RequestWriteRecords<Label>([.add(Label(title: "L"))]))
    #expect(try process.boxes() == [Box(title: "A")])
    #expect(throws: Failure(.notFound, "#2 is a label, not a box.", field: "id", id: 2)) {
      try process.ask(RequestRecords<Box>([2]))
    }
    #expect(throws: Failure(.notFound, "#2 is a label, not a box.", field: "id", id: 2)) {
      try process.write(.remove(2))
    }
  }

  @Test func `a number is never given again`() throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    _ = try process.write(.remove(2))
    #expect(try process.write(.add(Box(title: "C"))).map(\.number) == [3])
  }

  @Test func `S71 a field that somebody else changed is a conflict, and nothing is written`() throws
  {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    _ = try process.write(.put(1, Box(title: "A2"), seen: 1))
    #expect(
      throws: Failure(
        .conflict,
        "Somebody changed the title of #1 meanwhile: you saw 'A', now it is 'A2'.",
        field: "title",
        id: 1,
        expected: "A",
        actual: "A2"
      )
    ) {
      try process.write(.put(2, Box(title: "B2"), seen: 2), .put(1, Box(title: "A3"), seen: 1))
    }
    #expect(try process.boxes() == [Box(title: "A2"), Box(title: "B")])
  }

  @Test(arguments: [-1, 0, 1, 3, Int.max])
  func `S71 what nobody can have seen is a conflict: before the record, and beyond the end`(
    revision: Int
  ) throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    #expect(
      throws: Failure(
        .conflict,
        "Nobody can have seen #2 at revision \(revision) of this store; read it again.",
        field: "expectedRevision",
        id: 2
      )
    ) {
      try process.write(.put(2, Box(title: "Lost"), seen: revision))
    }
    _ = try process.write(.put(1, Box(title: "A2"), seen: 2))
    #expect(try process.boxes() == [Box(title: "A2"), Box(title: "B")])
  }

  @Test func `S71 what two change of one record is merged field by field`() throws {
    _ = try process.write(.add(Box(title: "A", count: 1, note: "n")))
    _ = try store.process().write(.put(1, Box(title: "A", count: 5, note: "n"), seen: 1))
    let written = try process.write(.put(1, Box(title: "B", count: 1), seen: 1))
    #expect(written.first?.after == Box(title: "B", count: 5))
    #expect(try process.boxes() == [Box(title: "B", count: 5)])
    // What both have changed to the same is no conflict, and no change.
    #expect(try process.write(.put(1, Box(title: "B", count: 5), seen: 1)).first?.revision == 3)
    #expect(try process.ask(RequestJournal(.newest(9))).count == 3)
  }

  @Test func `what changes nothing makes no step, and nobody is told`() throws {
    let sink = Sink()
    process.add(Renamed(sink))
    _ = try process.write(.add(Box(title: "A")))
    let same = try process.write(.put(1, Box(title: "A"), seen: nil))
    #expect(same == [RecordTransition(1, from: Box(title: "A"), to: Box(title: "A"), revision: 1)])
    #expect(try process.ask(RequestJournal(.newest(5))).count == 1)
    #expect(sink.boxes.withLock { $0.count } == 1)
    #expect(sink.news.withLock { $0.map(\.changedIDs) } == [[1]])
  }

  @Test func `what is added once is there once, whoever adds it and however often`() throws {
    let other = store.process()
    _ = try process.write(.add(Box(title: "A", count: 5)), .addOnce(Box(title: "B"), by: "title"))
    let again = try other.write(
      .addOnce(Box(title: "A"), by: "title"),
      .addOnce(Box(title: "C"), by: "title"),
      .addOnce(Box(title: "C", count: 7), by: "title")
    )
    #expect(again.map(\.number) == [1, 3, 3])
    #expect(again.map(\.before?.count) == [5, nil, 1])
    #expect(again.map(\.after?.count) == [5, 1, 1])
    #expect(again.map(\.revision) == [1, 3, 3])
    #expect(try process.boxes().map(\.title) == ["A", "B", "C"])
    _ = try process.write(.addOnce(Box(title: "A"), by: "title"))
    #expect(try process.ask(RequestJournal(.newest(5))).count == 2)
  }

  @Test func `what is added once is told apart byte by byte, and of its own kind`() throws {
    _ = try process.ask(RequestWriteRecords<Label>([.add(Label(title: "é"))]))
    _ = try process.write(
      .addOnce(Box(title: "é"), by: "title"),
      .addOnce(Box(title: "e\u{301}"), by: "title"),
      .addOnce(Box(title: "\"\\\n"), by: "title"),
      .addOnce(Box(title: "\"\\\n"), by: "title"),
      .addOnce(Box(title: ""), by: "title"),
      .addOnce(Box(title: ""), by: "title")
    )
    #expect(try process.boxes().map(\.title.utf8.count) == [2, 3, 3, 0])
  }

  @Test func `what is added once looks at what the same request has changed`() throws {
    let written = try process.write(
      .add(Box(title: "A")),
      .addOnce(Box(title: "A"), by: "title"),
      .put(1, Box(title: "B"), seen: nil),
      .addOnce(Box(title: "A"), by: "title"),
      .remove(1),
      .addOnce(Box(title: "B"), by: "title")
    )
    #expect(written.map(\.number) == [1, 1, 1, 2, 1, 3])
    #expect(try process.boxes().map(\.title) == ["A", "B"])
  }

  @Test func `what can't be read is in nobody's way who adds once what is called like it`() throws {
    try store.addDamaged(Box(note: "A"))
    try store.execute("UPDATE record_box SET note = CAST(x'FF' AS TEXT), title = 'A'")
    let written = try process.write(
      .addOnce(Box(title: "A"), by: "title"),
      .addOnce(Box(title: "B"), by: "title")
    )
    #expect(
      written == [
        RecordTransition(1, from: nil, to: nil, revision: 1),
        RecordTransition(2, from: nil, to: Box(title: "B"), revision: 2),
      ]
    )
    #expect(try process.boxes() == [Box(title: "B")])
  }

  @Test func `what can be read is read, and what can't is named once`() throws {
    let notices = Notices()
    process.add(notices)
    _ = try process.write(.add(Box(title: "A")))
    try store.addDamaged()
    try store.addDamaged()
    _ = try process.write(.add(Box(title: "B")))
    notices.all.withLock { $0 = [] }
    #expect(try process.boxes() == [Box(title: "A"), Box(title: "B")])
    #expect(
      notices.all.withLock { $0 } == [
        Failure(
          .store,
          "2 of 4 records can't be read and are left out: box #2, box #3. Of #2: 'title': its bytes are no text. "
            + "'doctor' says why of each. "
            + "Another version of the program may read it; else restore a backup.",
          id: 2
        )
      ]
    )
    // A command that reads more than once tells once, and the next one again.
    notices.all.withLock { $0 = [] }
    #expect(try process.ask(RequestProbe()).text == "3")
    #expect(notices.all.withLock { $0.count } == 1)
    #expect(try process.ask(RequestProbe()).text == "4")
    #expect(notices.all.withLock { $0.count } == 2)
  }

  @Test func `what is damaged is a failure that names it where it is asked for`() throws {
    try store.addDamaged()
    let damaged = Failure(
      .store,
      "The box #1 can't be read: 'title': its bytes are no text. "
        + "Another version of the program may read it; else restore a backup.",
      id: 1
    )
    #expect(throws: damaged) { try process.ask(RequestRecords<Box>([1])) }
    #expect(throws: damaged) { try process.ask(RequestChange(number: 1)) }
    #expect(throws: Failure(.notFound, "There is no box #2.", field: "id", id: 2)) {
      try process.ask(RequestChange(number: 2))
    }
  }

  @Test func `what is damaged hides nothing else of the history`() throws {
    _ = try process.write(.add(Box(title: "A")))
    _ = try process.write(.add(Box(title: "B")))
    try store.execute("UPDATE change SET after = 'no object' WHERE revision = 2")
    try store.damage(2)
    #expect(
      try process.ask(RequestJournal(.newest(5))).map(\.changes.first?.title) == ["box", "A"]
    )
    #expect(try process.ask(RequestSubjectJournal(of: "2", limit: 5)).map(\.count) == [1])
  }

  @Test func `one that is damaged can be taken away`() throws {
    try store.addDamaged()
    #expect(try process.write(.remove(1)) == [RecordTransition(1, from: nil, to: nil, revision: 2)])
    #expect(try process.boxes() == [])
  }

  @Test func `the removal of one that is damaged is taken back, as far as it can be read`() throws {
    try store.addDamaged(Box(title: "A", count: 7))
    _ = try process.write(.add(Box(title: "B")))
    _ = try process.write(.remove(1), .remove(2))
    #expect(try process.undo().changes.map(\.id) == [1, 2])
    #expect(try process.boxes() == [Box(title: "", count: 7), Box(title: "B")])
  }

  @Test func `a change of the log that can't be read is in nobody's way who reads on`() throws {
    _ = try process.write(.add(Box(title: "A", count: 2)), .add(Box(title: "B", count: 3)))
    try store.execute("UPDATE change SET after = 'no object' WHERE revision = 1")
    let part = try process.ask(RequestMeasures(after: "", limit: 9))
    #expect(part.measures.map(\.amount).last == 3)
    #expect(part.isLast)
    #expect(throws: Failure.self) {
      try process.ask(RequestMeasures(after: "\(Int.min) 0000000000000001-1", limit: 1))
    }
  }

  @Test func `a unit that is taken back leaves nothing of what was read in it`() throws {
    _ = try process.write(.add(Box(title: "A")))
    process.stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestProbe()) { _, _ in
        unit.request(RequestProbe()) { _, _ in unit.rollBack { _, _ in } }
      }
    }
    _ = try process.write(.add(Box(title: "C")))
    #expect(try process.boxes().map(\.title) == ["A", "C"])
  }

  @Test func `the file of another program is not taken for one's own`() throws {
    _ = try process.write(.add(Box(title: "A")))
    let other = AppContext()
    let database = RecordDatabase(of: "another", path: store.path)
    other.add(RecordServer(database, [Box.self], watchesExternalChanges: false))
    let failure = #expect(throws: Failure.self) { try other.boxes() }
    #expect(failure?.kind == .store)
    #expect(
      failure?.message
        .hasSuffix("is another application's database; name another file with --store") == true
    )
  }

  @Test func `references are completed with what they stand for`() throws {
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    _ = try process.ask(RequestWriteRecords<Label>([.add(Label(title: "L"))]))
    #expect(
      try process.ask(RequestSubjectCandidates(prefix: "")) == [
        Candidate("2", "B"), Candidate("1", "A"), Candidate("3", "L"),
      ]
    )
    #expect(try process.ask(RequestSubjectCandidates(prefix: "#2")) == [Candidate("2", "B")])
  }

  @Test func `one who follows records hears of many changes at once`() throws {
    let told = Locked<[[String]]>([])
    let owner = Sink()
    process.stream.follow(Box.self, owner: owner) { _, boxes, _ in
      told.withLock { $0.append(boxes.map(\.value.title)) }
    }
    process.stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestProbe()) { _, _ in
        unit.request(RequestProbe()) { _, _ in unit.commit { _, _ in } }
      }
    }
    _ = try process.write(.add(Box(title: "C")))
    #expect(told.withLock { $0 } == [["0", "1"], ["0", "1", "C"]])
  }

  // MARK: Units

  @Test func `promise 11 a unit that is taken back leaves nothing, and nobody is told`() throws {
    let sink = Sink()
    process.add(Renamed(sink))
    process.stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestProbe()) { _, _ in unit.rollBack { _, _ in } }
    }
    #expect(try process.boxes() == [])
    #expect(sink.boxes.withLock { $0 } == [])
    #expect(sink.news.withLock { $0 } == [])
  }

  @Test func `promise 11 a unit that is kept is one step`() throws {
    process.stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestProbe()) { _, _ in
        unit.request(RequestProbe()) { _, _ in unit.commit { _, _ in } }
      }
    }
    #expect(try process.boxes().map(\.title) == ["0", "1"])
    #expect(try process.ask(RequestJournal(.newest(5))).map(\.count) == [2])
  }

  // MARK: Others

  @Test func `what another process stores is told, with whose it was`() async throws {
    let here = AppContext(home: .ownThread)
    let sink = Sink()
    let told = Arrivals(ResponseChangedRecords.self, on: here.stream)
    here.add(RecordServer(store.database(), [Box.self], watchesExternalChanges: true), sink)
    _ = try process.write(.add(Box(title: "A", count: 2)))
    let news = try await told.wait("what the other process stored is told")[0]
    #expect(news.changedIDs == [1])
    #expect(news.externalOrigin == "application")
    #expect(
      sink.boxes.withLock { $0 } == [
        ResponseRecordChanges(
          [RecordTransition(1, from: nil, to: Box(title: "A", count: 2), revision: 1)],
          externalOrigin: "application"
        )
      ]
    )
  }

  @Test func `S45 people hear what has come, gone and changed, and of whom`() throws {
    let sink = Sink()
    process.add(Renamed(sink))
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B\u{1B}[31m")))
    _ = try process.write(.put(1, Box(title: "C"), seen: nil), .remove(2))
    let lines = sink.news.withLock { $0 }
      .map { news in
        var page = Page()
        news.announce(on: &page)
        return page.text
      }
    #expect(lines == ["+ #1 A\n+ #2 B\\u{1B}[31m\n", "~ #1 C\n- #2 B\\u{1B}[31m\n"])
  }

  @Test func `programs hear what a change made of a record, of which fields, and all of it`()
    throws
  {
    let sink = Sink()
    process.add(Renamed(sink))
    _ = try process.write(.add(Box(title: "A", count: 2)))
    _ = try process.write(.put(1, Box(title: "C", count: 2, note: "new"), seen: nil))
    _ = try process.write(.remove(1))
    let bodies = sink.news.withLock { $0 }
      .map { news in
        var json = JSONWriter()
        news.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
      }
    let changes = [
      #"{"novelty":"added","kind":"box","fields":["title","count"],"#
        + #""record":{"id":1,"title":"A","count":2,"note":null,"revision":1}}"#,
      #"{"novelty":"changed","kind":"box","fields":["title","note"],"#
        + #""record":{"id":1,"title":"C","count":2,"note":"new","revision":2}}"#,
      #"{"novelty":"removed","kind":"box","fields":["title","count","note"],"#
        + #""record":{"id":1,"title":"C","count":2,"note":"new","revision":3}}"#,
    ]
    #expect(bodies == changes.map { #"{"by":null,"changes":[\#($0)]}"# })
    let events = RecordServer.wire(ResponseChangedRecords.self).events
    #expect(events.contains { $0 == ResponseChangedRecords.self })
  }

  // MARK: Statistics

  @Test func `additions and removals that are taken back, and again, are counted as they stand`()
    throws
  {
    let context = AppContext()
    context.add(RecordServer(MemoryDatabase(), [Tally.self], watchesExternalChanges: false))
    func sums() throws -> [String: Int] {
      let part = try context.ask(RequestMeasures(after: "", limit: 99))
      return part.measures.reduce(into: [:]) { $0[$1.kind.name, default: 0] += $1.amount }
    }
    _ = try context.ask(RequestWriteRecords<Tally>([.add(Tally())]))
    _ = try context.undo()
    #expect(try sums() == ["added": 0])
    _ = try context.ask(RequestReversal(.toRedo(by: nil), conflicts: .skip))
    #expect(try sums() == ["added": 1])
    _ = try context.ask(RequestWriteRecords<Tally>([.remove(1)]))
    #expect(try sums() == ["added": 1, "removed": 1])
    _ = try context.undo()
    #expect(try sums() == ["added": 1, "removed": 0])
    _ = try context.ask(RequestReversal(.toRedo(by: nil), conflicts: .skip))
    #expect(try sums() == ["added": 1, "removed": 1])
  }

  @Test func `changes are measured from a place on`() throws {
    _ = try process.write(.add(Box(title: "A", count: 2)), .add(Box(title: "B", count: 1)))
    let first = try process.ask(RequestMeasures(after: "", limit: 1))
    #expect(first.measures.map(\.amount) == [2])
    #expect(!first.isLast)
    _ = try process.write(.put(1, Box(title: "A", count: 5), seen: nil), .remove(2))
    let rest = try process.ask(RequestMeasures(after: first.position, limit: 10))
    #expect(rest.measures.map(\.amount) == [1, 3, -1])
    #expect(rest.isLast)
    #expect(throws: Failure(.notFound, "The store has no such change.")) {
      try process.ask(RequestMeasures(after: "9 0000000000000001-1", limit: 10))
    }
    #expect(throws: Failure(.notFound, "'x' names no change.")) {
      try process.ask(RequestMeasures(after: "x", limit: 10))
    }
  }
}

/// The same plugin under another name.
private struct Renamed: Plugin {
  let name = "another sink"
  private let sink: Sink
  init(_ sink: Sink) { self.sink = sink }
  func join(_ stream: EventStream) { sink.join(stream) }
}

/// What counts how often one was added, or removed.
private struct Tally: Record {
  var title = ""
  static let fields = Fields<Self>("tally").field("title", \.title)

  static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure] {
    if before == nil { return [Measure(.count("added"), 1, at: time, by: [])] }
    return after == nil ? [Measure(.count("removed"), 1, at: time, by: [])] : []
  }
}
