import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import Testing

/// Fills a box with labels, in one transaction.
struct RequestFill: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  var title = ""
  var labels = 0
  var fails = false
  var alias: String?
}

/// Counts a box's labels.
struct RequestLabels: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  static var writes: Bool { false }
  var box: RecordReference
}

/// A domain of boxes and labels.
private final class Filler: Plugin {
  let name = "filler"
  /// What belongs to the writes of boxes.
  private let rule: (@Sendable (RecordTransition<Box>, inout RecordTransaction) throws -> Void)?

  init(_ rule: (@Sendable (RecordTransition<Box>, inout RecordTransaction) throws -> Void)? = nil) {
    self.rule = rule
  }

  func join(_ stream: EventStream) {
    stream.transaction(RequestFill.self) { request, store in
      guard try store.count(where: .equals(\Box.title, request.title)) == 0 else {
        throw Failure(.conflict, "There is such a box.")
      }
      var box = try store.add(Box(title: request.title, count: 0))
      for index in 0..<request.labels {
        try store.add(Label(title: "\(request.title)-\(index)"))
        box = try store.change(box) { $0.count += 1 }
      }
      if request.fails { throw Failure(.validation, "It falls apart.") }
      try store.name(box, as: request.alias)
      return Message("#\(box.number) has \(box.value.count)")
    }
    stream.reading(RequestLabels.self) { request, store in
      let box = try store.record(request.box, of: Box.self, field: "box")
      let labels = try store.records(Query<Label>().newestFirst())
        .filter { $0.value.title.hasPrefix(box.value.title + "-") }
      return Message("\(box.value.title): \(labels.map { "#\($0.number)" }.joined(separator: " "))")
    }
    if let rule { stream.onWrite(of: Box.self, rule) }
  }
}

/// A command that is a transaction: several kinds, all or nothing, one step.
@Suite(.hangLimit) struct TransactionTests {
  private let store: FreshRecords

  init() throws { store = try FreshRecords() }

  private func process(
    _ rule: (@Sendable (RecordTransition<Box>, inout RecordTransaction) throws -> Void)? = nil
  ) -> AppContext {
    let context = store.process()
    context.add(Filler(rule))
    return context
  }

  private func labels(_ process: AppContext) throws -> [Label] {
    try process.ask(RequestRecords<Label>()).map(\.value)
  }

  @Test func `records of two kinds are one command, and one step of undo`() throws {
    let process = process()
    #expect(try process.ask(RequestFill(title: "A", labels: 2)).text == "#1 has 2")
    #expect(try process.boxes() == [Box(title: "A", count: 2)])
    #expect(try labels(process).map(\.title) == ["A-0", "A-1"])
    let undone = try process.undo()
    #expect(Set(undone.changes.map(\.id)) == [1, 2, 3])
    #expect(try process.boxes() == [])
    #expect(try labels(process) == [])
  }

  @Test func `what fails has written nothing, and told nobody`() throws {
    let (process, sink) = (process(), Sink())
    process.add(sink)
    let failing = RequestFill(title: "A", labels: 2, fails: true)
    #expect(throws: Failure(.validation, "It falls apart.")) { try process.ask(failing) }
    #expect(try process.boxes() == [])
    #expect(try labels(process) == [])
    #expect(sink.boxes.withLock { $0 }.isEmpty)
    #expect(sink.news.withLock { $0 }.isEmpty)
    #expect(try process.ask(RequestFill(title: "A", labels: 1)).text == "#1 has 1")
    #expect(sink.news.withLock { $0 }.map(\.changedIDs) == [[1, 2, 1]])
    #expect(sink.boxes.withLock { $0 }.flatMap(\.changes).map(\.revision) == [1, 3])
  }

  @Test func `in a unit it fails by itself, and goes with the unit`() throws {
    let (process, sink) = (process(), Sink())
    process.add(sink)
    var unit: StreamUnit?
    process.stream.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    let open = try #require(unit)
    func ask(_ request: RequestFill) throws -> String {
      var answer: Result<ResponseView<Message>, Interruption>?
      open.request(request) { result, _ in answer = result }
      return try #require(answer).get().result.get().text
    }
    #expect(try ask(RequestFill(title: "A", labels: 1)) == "#1 has 1")
    #expect(throws: Failure(.validation, "It falls apart.")) {
      try ask(RequestFill(title: "B", labels: 3, fails: true))
    }
    #expect(throws: Failure(.conflict, "There is such a box.")) { try ask(RequestFill(title: "A")) }
    #expect(try ask(RequestFill(title: "B", labels: 1)) == "#3 has 1")
    #expect(sink.news.withLock { $0 }.isEmpty)
    open.commit { _, _ in }
    #expect(try process.boxes().map(\.title) == ["A", "B"])
    #expect(try labels(process).map(\.title) == ["A-0", "B-0"])
    #expect(sink.news.withLock { $0.flatMap(\.changedIDs) } == [1, 2, 1, 3, 4, 3])
    _ = try process.undo()
    #expect(try process.boxes() == [])
  }

  @Test func `what it changed last and what it named is known to the session`() throws {
    let process = process()
    _ = try process.ask(RequestFill(title: "A", labels: 2, alias: "mine"))
    _ = try process.ask(RequestFill(title: "B", labels: 1))
    #expect(try process.ask(RequestLabels(box: .named("mine"))).text == "A: #3 #2")
    #expect(try process.ask(RequestLabels(box: .last)).text == "B: #5")
    let failure = Failure(.notFound, "#2 is a label, not a box.", field: "box", id: 2)
    #expect(throws: failure) { try process.ask(RequestLabels(box: .number(2))) }
    #expect(throws: Failure(.notFound, "There is no box #9.", field: "box", id: 9)) {
      try process.ask(RequestLabels(box: .number(9)))
    }
  }

  @Test func `one that reads makes no store, and what is not there is said`() throws {
    #expect(throws: Failure(.notFound, "There is no box #1.", field: "box", id: 1)) {
      try process().ask(RequestLabels(box: .number(1)))
    }
    #expect(try store.process().boxes() == [])
  }

  @Test func `without a store it is answered all the same`() throws {
    let context = AppContext()
    context.add(Filler())
    #expect(throws: Failure(.store, "Nothing is stored here: the program has no RecordServer.")) {
      try context.ask(RequestFill(title: "A"))
    }
  }

  // MARK: What belongs to a write

  @Test func `what belongs to a write is a part of its command, whichever that is`() throws {
    let process = process { change, store in
      guard change.before == nil, let box = change.kept else { return }
      try store.add(Label(title: "of \(box.number)"))
      try store.change(box) { $0.note = "labelled" }
    }
    let written = try process.write(.add(Box(title: "A")), .add(Box(title: "B")))
    #expect(written.map(\.number) == [1, 3])
    #expect(written.map(\.after?.note) == ["labelled", "labelled"])
    #expect(written.map(\.revision) == [3, 6])
    #expect(try labels(process).map(\.title) == ["of 1", "of 3"])
    // Two writes, one command: one step.
    _ = try process.undo()
    #expect(try process.boxes() == [])
    #expect(try labels(process) == [])
    _ = try process.ask(RequestFill(title: "C", labels: 1))
    #expect(try labels(process).map(\.title) == ["of 5", "C-0"])
  }

  @Test func `a rule that throws refuses the write it belongs to, and an undo runs none`() throws {
    let process = process { change, _ in
      guard change.after == nil else { return }
      throw Failure(.validation, "Boxes stay.")
    }
    _ = try process.write(.add(Box(title: "A")))
    #expect(throws: Failure(.validation, "Boxes stay.")) {
      try process.write(.add(Box(title: "B")), .remove(1))
    }
    #expect(try process.boxes() == [Box(title: "A")])
    _ = try process.undo()
    #expect(try process.boxes() == [])
  }

  @Test func `rules that lead to each other end`() throws {
    let process = process { change, store in
      guard let box = change.kept else { return }
      try store.change(box) { $0.count += 1 }
    }
    let problem =
      "Nothing was changed: what belongs to the change of box #1 leads to more and more changes."
    #expect(throws: Failure(.validation, problem)) { try process.write(.add(Box(title: "A"))) }
    #expect(try process.boxes() == [])
  }

  @Test func `a rule gets each change once, and a removal twice is one`() throws {
    let seen = Locked<[Int]>([])
    let process = process { change, _ in seen.withLock { $0.append(change.revision) } }
    _ = try process.write(.add(Box(title: "A")), .add(Box(title: "B")), .add(Box(title: "C")))
    let removed = try process.write(.remove(.numbers(1...3)), .remove(2))
    #expect(removed.map(\.number) == [1, 2, 3])
    #expect(seen.withLock { $0 } == [1, 2, 3, 4, 5, 6])
  }
}
