import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import RecordCommands
import Testing

private struct RequestAddBox: RecordAdd {
  typealias Reply = ResponseView<Message>
  var title = ""
  static let command = CommandSpec<Self>("add", "Adds a box.").text(\.title, "Its title")

  func record(_ turn: borrowing Turn) throws -> Box { try Box(title: title).titled() }

  func result(_ written: [RecordTransition<Box>], _ turn: borrowing Turn) throws -> Message {
    try written[0].stored.words
  }
}

private struct RequestEditBoxes: RecordEdit {
  typealias Reply = ResponseView<Message>
  var id = Target<Box>()
  var title = ""
  static let command = CommandSpec<Self>("edit", "Edits boxes.").records(\.id)
    .option(\.title, "The title")

  func change(_ box: inout Box, seen: Box, _ turn: borrowing Turn) throws {
    box = try Box(title: title, count: box.count + 1).titled()
  }

  func result(_ written: [RecordTransition<Box>], _ turn: borrowing Turn) throws -> Message {
    Message("\(try written.map { try $0.stored.words.text })")
  }
}

private struct RequestRemoveBoxes: RecordRemove {
  typealias Reply = ResponseView<Message>
  var id = Target<Box>()
  static let command = CommandSpec<Self>("remove", "Removes boxes.").records(\.id)

  func result(_ gone: [RecordTransition<Box>], _ turn: borrowing Turn) -> Message {
    Message("\(gone.map { "\($0.number) \($0.before?.title ?? "?")" })")
  }
}

/// Changes what is given, of a box that was seen at a revision.
private struct RequestCorrectBoxes: RecordEdit {
  typealias Reply = ResponseView<Message>
  var id = Target<Box>()
  var title: String?
  /// Counts one up from what was seen.
  var counts = false
  static let command = CommandSpec<Self>("correct", "Corrects boxes.").records(\.id)
    .revision(of: \.id)

  func change(_ box: inout Box, seen: Box, _ turn: borrowing Turn) {
    if let title { box.title = title }
    if counts { box.count = seen.count + 1 }
  }

  func result(_ written: [RecordTransition<Box>], _ turn: borrowing Turn) -> Message {
    Message("\(written.map { $0.before == $0.after ? "=" : $0.after?.title ?? "-" })")
  }
}

extension Target<Box> {
  fileprivate static func numbers(_ numbers: Int..., seen: Int? = nil) -> Self {
    var target = Self()
    target.references = numbers.map { .number($0) }
    target.seen = seen
    return target
  }
}

/// A domain whose commands answer themselves, and what was read for them.
private final class Boxes: Plugin {
  let name = "boxes"
  let read = Locked<[[Int?]]>([])

  func join(_ stream: EventStream) {
    stream.answer([
      RequestAddBox.self, RequestEditBoxes.self, RequestRemoveBoxes.self, RequestCorrectBoxes.self,
    ])
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
      try process.ask(RequestEditBoxes(id: .numbers(3, 1), title: "X")).text
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
    ) { try correct(RequestCorrectBoxes(id: .numbers(1, seen: 2), title: "A3")) }
    // Also where it is to be what it was then.
    #expect(throws: Failure.self) {
      try correct(RequestCorrectBoxes(id: .numbers(2, 1, seen: 2), title: "A"))
    }
    #expect(try process.boxes().map(\.title) == ["A2", "B"])
    #expect(try correct(RequestCorrectBoxes(id: .numbers(1, seen: 2), counts: true)) == #"["A2"]"#)
    #expect(try correct(RequestCorrectBoxes(id: .numbers(1, seen: 2), title: "A2")) == #"["="]"#)
    #expect(try correct(RequestCorrectBoxes(id: .numbers(1, seen: 4), counts: true)) == #"["A2"]"#)
    #expect(
      try correct(RequestCorrectBoxes(id: .numbers(1, 2), title: "C")) == #"["C", "C"]"#
    )
    #expect(try process.boxes().first == Box(title: "C", count: 3, note: "new"))
    #expect {
      try correct(RequestCorrectBoxes(id: .numbers(2, seen: 1), title: "D"))
    } throws: {
      ($0 as? Failure)?.field == "expectedRevision"
    }
  }

  @Test func `a number that comes twice counts once`() throws {
    for title in ["A", "B"] { _ = try process.ask(RequestAddBox(title: title)) }
    #expect(
      try process.ask(RequestEditBoxes(id: .numbers(2, 1, 2), title: "X")).text
        == #"["2 X × 2", "1 X × 2"]"#
    )
    #expect(try process.ask(RequestRemoveBoxes(id: .numbers(1, 1))).text == #"["1 X"]"#)
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
    #expect(throws: refusal) { try process.ask(RequestEditBoxes(id: .numbers(1), title: "")) }
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `it is all of them or none`() throws {
    _ = try process.ask(RequestAddBox(title: "A"))
    let missing = Failure(.notFound, "There is no box #2.", field: "id", id: 2)
    #expect(throws: missing) { try process.ask(RequestEditBoxes(id: .numbers(1, 2), title: "X")) }
    #expect(throws: missing) { try process.ask(RequestRemoveBoxes(id: .numbers(1, 2))) }
    #expect(try process.boxes() == [Box(title: "A")])
  }

  @Test func `one that can't be read is removed all the same, and not edited`() throws {
    _ = try process.ask(RequestAddBox(title: "A"))
    try store.addDamaged()
    #expect(throws: Failure.self) { try process.ask(RequestEditBoxes(id: .numbers(2), title: "X")) }
    #expect(try process.ask(RequestRemoveBoxes(id: .numbers(2, 1))).text == #"["2 ?", "1 A"]"#)
    #expect(try process.boxes() == [])
  }
}
