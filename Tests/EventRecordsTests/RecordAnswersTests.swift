import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Testing

private struct RequestAddBox: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  let title: String
}

private struct RequestEditBoxes: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  let numbers: [Int]
  let title: String
}

private struct RequestRemoveBoxes: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  let numbers: [Int]
}

/// Changes what is given, of a box that was seen at a revision.
private struct RequestCorrectBoxes: ViewModelEvent, Request {
  typealias Reply = ResponseView<Message>
  let numbers: [Int]
  var title: String?
  /// Counts one up from what was seen.
  var counts = false
  let seen: Int?
}

/// A view-model server in three lines, and what it had read for it.
private final class Boxes: Plugin {
  let name = "boxes"
  let read = Locked<[[Int?]]>([])

  func join(_ stream: EventStream) {
    stream.add(RequestAddBox.self, owner: self) { _, request, _ in
      try Box(title: request.title).titled()
    } reply: { _, _, box, _ in
      box.words
    }
    stream.edit(RequestEditBoxes.self, \.numbers, owner: self) { _, request, box, _ in
      box = try Box(title: request.title, count: box.count + 1).titled()
    } reply: { _, _, boxes, _ in
      Message("\(boxes.map(\.words.text))")
    }
    stream.edit(RequestCorrectBoxes.self, \.numbers, seen: \.seen, owner: self) {
      (_, request, box: inout Box, seen, _) in
      if let title = request.title { box.title = title }
      if request.counts { box.count = seen.count + 1 }
    } reply: { _, _, transitions, _ in
      Message("\(transitions.map { $0.before == $0.after ? "=" : $0.after?.title ?? "-" })")
    }
    stream.remove(RequestRemoveBoxes.self, of: Box.self, \.numbers, owner: self) { _, _, gone, _ in
      Message("\(gone.map { "\($0.number) \($0.before?.title ?? "?")" })")
    }
    stream.on(RequestRecords<Box>.self, owner: self) { boxes, request, _ in
      boxes.read.withLock { $0.append(request.references.map { try? $0.number }) }
    }
  }
}

extension Box {
  fileprivate func titled() throws -> Box {
    guard !title.isEmpty else { throw Failure(.validation, "A box has a title.") }
    return self
  }
}

extension Kept<Box> {
  fileprivate var words: Message { "\(number) \(value.title) × \(value.count)" }
}

/// Adding, editing and removing, a line each in a domain.
@Suite(.hangLimit) struct RecordAnswersTests {
  private let store: FreshRecords
  private let process: AppContext
  private let boxes = Boxes()

  init() throws {
    store = try FreshRecords()
    process = store.process()
    process.add(boxes)
  }

  @Test func `what is added is replied, and nothing is read for it`() throws {
    #expect(try process.ask(RequestAddBox(title: "A")).text == "1 A × 1")
    #expect(try process.ask(RequestAddBox(title: "B")).text == "2 B × 1")
    #expect(boxes.read.withLock { $0 } == [])
    #expect(try process.boxes() == [Box(title: "A"), Box(title: "B")])
  }

  @Test func `what is edited is read alone, and replied in the order of its numbers`() throws {
    for title in ["A", "B", "C"] { _ = try process.ask(RequestAddBox(title: title)) }
    #expect(
      try process.ask(RequestEditBoxes(numbers: [3, 1], title: "X")).text
        == #"["3 X × 2", "1 X × 2"]"#
    )
    #expect(boxes.read.withLock { $0 } == [[3, 1]])
    #expect(try process.boxes().map(\.title) == ["X", "B", "X"])
    _ = try process.undo()
    #expect(try process.boxes().map(\.title) == ["A", "B", "C"])
  }

  @Test func `S71 what was changed since it was seen is a conflict, what was not is changed`()
    throws
  {
    for title in ["A", "B"] { _ = try process.ask(RequestAddBox(title: title)) }
    _ = try process.write(.put(1, Box(title: "A2", count: 1, note: "new"), seen: nil))
    func correct(_ request: RequestCorrectBoxes) throws -> String { try process.ask(request).text }
    #expect(
      throws: Failure(
        .conflict,
        "Somebody changed the title of #1 meanwhile: you saw 'A', now it is 'A2'.",
        field: "title",
        id: 1,
        expected: "A",
        actual: "A2"
      )
    ) { try correct(RequestCorrectBoxes(numbers: [1], title: "A3", seen: 2)) }
    // Also where it is to be what it was then.
    #expect(throws: Failure.self) {
      try correct(RequestCorrectBoxes(numbers: [2, 1], title: "A", seen: 2))
    }
    #expect(try process.boxes().map(\.title) == ["A2", "B"])
    #expect(try correct(RequestCorrectBoxes(numbers: [1], counts: true, seen: 2)) == #"["A2"]"#)
    #expect(try correct(RequestCorrectBoxes(numbers: [1], title: "A2", seen: 2)) == #"["="]"#)
    #expect(try correct(RequestCorrectBoxes(numbers: [1], counts: true, seen: 4)) == #"["A2"]"#)
    #expect(
      try correct(RequestCorrectBoxes(numbers: [1, 2], title: "C", seen: nil)) == #"["C", "C"]"#
    )
    #expect(try process.boxes().first == Box(title: "C", count: 3, note: "new"))
    #expect {
      try correct(RequestCorrectBoxes(numbers: [2], title: "D", seen: 1))
    } throws: {
      ($0 as? Failure)?.field == "expectedRevision"
    }
  }

  @Test func `a number that comes twice counts once`() throws {
    for title in ["A", "B"] { _ = try process.ask(RequestAddBox(title: title)) }
    #expect(
      try process.ask(RequestEditBoxes(numbers: [2, 1, 2], title: "X")).text
        == #"["2 X × 2", "1 X × 2"]"#
    )
    #expect(try process.ask(RequestRemoveBoxes(numbers: [1, 1])).text == #"["1 X"]"#)
  }

  @Test func `from one spelling of a character to another is a change`() throws {
    _ = try process.ask(RequestAddBox(title: "\u{E9}"))
    _ = try process.write(.put(1, Box(title: "e\u{301}"), seen: nil))
    let title = try #require(try process.boxes().first?.title)
    #expect(Array(title.utf8) == Array("e\u{301}".utf8))
    #expect(try process.ask(RequestSubjectJournal(of: "1", limit: 5)).count == 2)
  }

  @Test func `what its body refuses is not written`() throws {
    let refusal = Failure(.validation, "A box has a title.")
    #expect(throws: refusal) { try process.ask(RequestAddBox(title: "")) }
    _ = try process.ask(RequestAddBox(title: "A"))
    #expect(throws: refusal) { try process.ask(RequestEditBoxes(numbers: [1], title: "")) }
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `it is all of them or none`() throws {
    _ = try process.ask(RequestAddBox(title: "A"))
    let missing = Failure(.notFound, "There is no box #2.", field: "id", id: 2)
    #expect(throws: missing) { try process.ask(RequestEditBoxes(numbers: [1, 2], title: "X")) }
    #expect(throws: missing) { try process.ask(RequestRemoveBoxes(numbers: [1, 2])) }
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `one that can't be read is removed all the same, and not edited`() throws {
    _ = try process.ask(RequestAddBox(title: "A"))
    try store.addDamaged()
    #expect(throws: Failure.self) { try process.ask(RequestEditBoxes(numbers: [2], title: "X")) }
    #expect(try process.ask(RequestRemoveBoxes(numbers: [2, 1])).text == #"["2 ?", "1 A"]"#)
    #expect(try process.boxes() == [])
  }
}
