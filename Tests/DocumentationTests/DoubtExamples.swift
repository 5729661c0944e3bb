import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// What the article on three doubts shows (S86).
@Suite(.hangLimit) struct DoubtExamples {
  @Test func `S86 a list in pages is one state, and what asks for more says no place`() {
    let test = TestContext()
    let letters = LettersViewModel()
    test.add(Post(), letters)
    var seen: [Letters] = []
    letters.state?.observe { value, _ in seen.append(value) }
    for _ in 1...3 { test.stream.send(RequestMore()) }
    test.skip()
    let all = ["a", "b", "c", "d", "e"]
    // All three were asked for before the first page was there, and so the page counts once.
    #expect(seen == [Letters(), Letters(rows: ["a", "b"], hasMore: true)])
    var answers: [Result<Int, Failure>] = []
    for _ in 1...3 {
      test.stream.request(RequestMore()) { result, _ in
        answers.append(result.mapError(Failure.init).flatMap(\.result))
      }
      test.skip()
    }
    #expect(answers == [.success(2), .success(1), .success(0)])
    #expect(
      seen.dropFirst(2) == [
        Letters(rows: Array(all[..<4]), hasMore: true), Letters(rows: all, hasMore: false),
      ]
    )
    let changes = ListChanges(from: seen[2].rows, to: seen[3].rows, by: \.self)
    #expect(changes.inserted == [.init(at: 4, "e")])
    #expect(changes.removed.isEmpty && changes.moved.isEmpty && changes.reloaded.isEmpty)
  }

  @Test func `S86 a view model is given another one's state, to be read`() {
    let test = TestContext()
    let hasCheck = State(false, name: "hasCheck", on: test.stream)
    let isEditing = State(false, name: "isEditing", on: test.stream)
    let button = OrderButton(hasCheck, isEditing, test.stream)
    var seen: [Bool] = []
    button.isEnabled.observe { value, _ in seen.append(value) }
    test.drain()
    for (state, value) in [(hasCheck, true), (isEditing, true), (isEditing, false)] {
      state.set(value)
      test.drain()
    }
    #expect(seen == [false, true, false, true])
    test.skip()
  }

  @Test func `S86 the initial state is there before anything has happened`() {
    let test = TestContext()
    let stream = test.stream
    let count = State(0, name: "count", on: stream)
    let label = count.map("label", on: stream) { $0 == 0 ? "nothing yet" : "\($0) pieces" }
    #expect(count.value == 0)
    #expect(label.value == "nothing yet")
    var seen: [String] = []
    label.observe { value, _ in seen.append(value) }
    count.set(3)
    test.drain()
    #expect(seen == ["nothing yet", "3 pieces"])
    test.skip()
  }
}

/// Asks for the next page.
private struct RequestMore: ViewModelEvent, Request {
  typealias Reply = ResponseMore
}

/// How many rows it has brought.
private struct ResponseMore: ViewModelEvent, Response {
  let result: Result<Int, Failure>
  init(_ result: Result<Int, Failure>) { self.result = result }
}

/// Asks for a page.
private struct RequestPage: ModelEvent, Request {
  typealias Reply = ResponsePage
  let first: Int
}

private struct ResponsePage: ModelEvent, Response {
  struct Page: Sendable, Equatable {
    let first: Int
    let rows: [String]
    let hasMore: Bool
  }

  let result: Result<Page, Failure>
  init(_ result: Result<Page, Failure>) { self.result = result }
}

/// What is shown: the rows so far.
private struct Letters: Sendable, Equatable {
  var rows: [String] = []
  var hasMore = true
}

private final class LettersViewModel: Plugin {
  let name = "letters"
  private let joined = Locked<ReadOnlyState<Letters>?>(nil)
  var state: ReadOnlyState<Letters>? { joined.withLock { $0 } }

  func join(_ stream: EventStream) {
    let store = Store(Letters(), name: "letters", on: stream)
      .reducing(ResponsePage.self) { letters, page in
        // A page that was asked for twice comes twice, and counts once.
        guard let page = try? page.result.get(), page.first == letters.rows.count else { return }
        letters.rows += page.rows
        letters.hasMore = page.hasMore
      }
    stream.bridge(RequestMore.self, owner: self) { _, _, _ in
      RequestPage(first: store.state.value.rows.count)
    } reply: { _, _, page, _ in
      page.rows.count
    }
    joined.withLock { $0 = store.state }
  }
}

/// Has five letters, and hands out two at once, which takes time.
private final class Post: Plugin {
  let name = "post"

  func join(_ stream: EventStream) {
    let letters = ["a", "b", "c", "d", "e"]
    stream.answerAsync(RequestPage.self) { request, _ in
      let rows = Array(letters.dropFirst(request.first).prefix(2))
      return ResponsePage.Page(
        first: request.first,
        rows: rows,
        hasMore: request.first + rows.count < letters.count
      )
    }
  }
}

final class OrderButton: Sendable {
  let isEnabled: DerivedState<Bool>

  init<First: ReadableState<Bool>, Second: ReadableState<Bool>>(
    _ hasCheck: First,
    _ isEditing: Second,
    _ stream: EventStream
  ) {
    isEnabled = hasCheck.combined(with: isEditing, "canOrder", on: stream) { $0 && !$1 }
  }
}
