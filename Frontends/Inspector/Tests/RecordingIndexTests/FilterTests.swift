import Testing

@testable import RecordingIndex

/// The language of the search field.
@Suite(.timeLimit(.minutes(5))) struct FilterTests {
  @Test(
    arguments: [
      ("", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
      ("milk", [1, 3, 10]), ("MILK", [1, 3, 10]), ("-milk type:RequestAdd", [6]),
      ("\"größe \\\"x\\\"\"", [6]), ("Größe", [6]), ("größe", [6]), ("grÖße", []),
      ("type:Request*", [1, 2, 6, 8, 9]), ("type:RequestAdd,ResponseAdd", [1, 4, 6, 7]),
      ("type:*<Note>", [2, 3, 9, 10]), ("type:*Write*Note>", [2, 3, 9, 10]), ("type:Nothing", []),
      ("origin:repl", [6, 7]), ("-origin:batch", [6, 7]), ("root:3", [8, 9, 10]),
      ("root:9", []), ("seq:3-5", [3, 4, 5]), ("seq:7", [7]),
      ("layer:model", [2, 3, 9, 10]), ("kind:fact", [5]), ("is:input", [1, 6, 8]),
      ("is:failed", [7]), ("is:failed,input seq:5-9", [6, 7, 8]),
      ("kind:fact,request", [1, 2, 5, 6, 8, 9]), ("-is:failed kind:response", [3, 4, 10]),
      ("is:housekeeping", [11]),
      ("title=Milk", [1, 3, 10]), ("id=1", [4]), ("number=1", [3, 10]), ("value=1", [5]),
      ("name=note/count", [5]), ("title=\"Milk\"", [1, 3, 10]), ("title=mil", []),
      ("/mil+k/i", [1, 3, 10]), ("/mil+k/", []), ("/^\\{\"title\":\"M/", [1]), ("/\\/y\\//", [6]),
      ("-/title/ root:1", [2, 4, 5]), ("00000000", []), ("http://x", []),
    ]
  )
  func `a filter finds`(_ filter: String, _ sequences: [Int]) throws {
    #expect(try Asked().sequences(filter) == sequences)
  }

  @Test func `what housekeeping leads to is housekeeping`() throws {
    let asked = try Asked(
      WrittenRecording.facts + [
        WrittenRecording.event(1, "RequestAdd", housekeeping: true, "{}"),
        WrittenRecording.event(2, cause: 1, "RequestWriteRecords<Note>", "{}"),
        WrittenRecording.event(3, cause: 2, "ResponseAdd", "{}"),
        WrittenRecording.event(4, root: 2, "RequestAdd", "{}"),
        WrittenRecording.end(4),
      ]
    )
    #expect(try asked.sequences("") == [4])
    #expect(try asked.sequences("is:housekeeping") == [1, 2, 3])
  }

  @Test func `housekeeping is found where all is wanted`() throws {
    #expect(try Asked().sequences("origin:repl", all: true) == [6, 7, 11])
  }

  @Test(
    arguments: [
      ("\"milk", 1, "this quotation has no end"),
      ("a /b", 3, "this expression has no '/' at its end"),
      ("layer:inner", 7, "'layer:' is one of model, none, viewModel"),
      ("x is:odd", 6, "'is:' is one of failed, housekeeping, input"),
      ("type:", 6, "'type:' needs a value"),
      ("seq:9-3", 5, "'seq:' is a number, or two with '-' between"),
      ("a -", 3, "'-' needs a word after it"),
      ("/a(b/", 5, "missing closing parenthesis"),
    ]
  )
  func `a filter that can't be read is refused with its place`(
    _ filter: String,
    _ column: Int,
    _ text: String
  ) throws {
    #expect(throws: Filter.Problem(text: text, column: column)) {
      _ = try Filter(filter, hidesHousekeeping: true)
    }
  }

  @Test func `an expression that takes too long matches nothing`() throws {
    let body = #"{"title":"\#(String(repeating: "a", count: 20_000))"}"#
    let asked = try Asked(
      WrittenRecording.facts + [
        WrittenRecording.event(1, "RequestAdd", input: true, body), WrittenRecording.end(1),
      ]
    )
    #expect(try asked.sequences("/(a+)+$/") == [])
    #expect(try asked.sequences("/a+/") == [1])
  }
}
