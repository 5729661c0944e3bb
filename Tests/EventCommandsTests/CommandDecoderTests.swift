import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing

@testable import EventCommands

/// JSON parameters into requests.
@Suite(.hangLimit) struct CommandDecoderTests {
  private func paint(_ json: String) throws -> RequestPaint {
    try RequestPaint.read(parameters: JSON(parsing: json))
  }

  @Test func `every property is given by its name`() throws {
    let request = try paint(
      """
      {"title": "fence", "layers": [2, 1], "size": "large", "due": "2026-12-01",
       "dueBefore": "today", "colour": "red", "glossy": true, "matt": false, "alias": "x"}
      """
    )
    #expect(request.title == "fence")
    #expect(request.layers == [2, 1])
    #expect(request.size == .large)
    #expect(request.due == .set(try When(word: "2026-12-01")))
    #expect(request.dueBefore == .inDays(0))
    #expect(request.colour == (try Colour(word: "red")))
    #expect(request.alias == "x")
    #expect(!request.matt)
  }

  @Test(arguments: ["{}", "null", "[]"])
  func `no parameters are null, an empty object or an empty array`(_ json: String) throws {
    let request = try paint(json)
    #expect(request.title == "")
    #expect(request.due == .keep)
  }

  @Test func `absent is not null: null clears, and absent keeps`() throws {
    #expect(try paint(#"{"due": null}"#).due == .clear)
    #expect(try paint(#"{"due": ""}"#).due == .clear)
    #expect(try paint(#"{"title": "x"}"#).due == .keep)
    #expect(try paint(#"{"dueBefore": null}"#).dueBefore == nil)
  }

  @Test func `an array replaces what was there`() throws {
    var request = RequestPaint()
    request.layers = [9]
    try RequestPaint.command.read(JSON(parsing: #"{"layers": []}"#), into: &request)
    #expect(request.layers == [])
  }

  @Test(
    arguments: [
      ("[1]", "expected an object, found an array", ""),
      ("\"x\"", "expected an object, found a string", ""),
      (#"{"title": 3}"#, "/title: expected a string, found an integer", "/title"),
      (#"{"title": null}"#, "/title: expected a string, found null", "/title"),
      (#"{"size": "huge"}"#, "/size: 'huge' is not one of small, large", "/size"),
      (#"{"layers": 3}"#, "/layers: expected an array, found an integer", "/layers"),
      (#"{"layers": [1, "2"]}"#, "/layers/1: expected an integer, found a string", "/layers/1"),
      (#"{"layers": [1.5]}"#, "/layers/0: expected an integer, found 1.5", "/layers/0"),
      (#"{"layers": [1e300]}"#, "/layers/0: expected an integer, found 1e+300", "/layers/0"),
      (#"{"glossy": 1}"#, "/glossy: expected a boolean, found an integer", "/glossy"),
      (#"{"glossy": null}"#, "/glossy: expected a boolean, found null", "/glossy"),
      (#"{"dueBefore": {}}"#, "/dueBefore: expected a string, found an object", "/dueBefore"),
      (
        #"{"due": "soon"}"#,
        "/due: 'soon' is no date: it names no day; write one, or leave it out",
        "/due"
      ),
      (#"{"colou": "x"}"#, "paint has no parameter 'colou'; did you mean 'colour'?", "/colou"),
      (#"{"--size": "x"}"#, "paint has no parameter '--size'; did you mean 'size'?", "/--size"),
      (#"{"a/b~c": 1}"#, "paint has no parameter 'a/b~c'", "/a~1b~0c"),
      (
        "{\"~\u{301}/\u{301}\": 1}", "paint has no parameter '~\u{301}/\u{301}'",
        "/~0\u{301}~1\u{301}"
      ),
      (
        #"{"matt": true, "glossy": true}"#, "glossy and matt exclude each other", "/matt"
      ),
    ])
  func `an error has the path of the parameter`(
    _ json: String,
    _ message: String,
    _ path: String
  )
    throws
  {
    let error = #expect(throws: CommandError.self) { try paint(json) }
    #expect(error?.message == message)
    #expect(error?.path == path)
    #expect(error?.offset == nil)
  }

  @Test func `a flag that is false excludes nothing`() throws {
    #expect(try paint(#"{"glossy": false, "matt": true}"#).matt)
    #expect(try !paint(#"{"glossy": false, "matt": false}"#).glossy)
  }

  @Test func `a parameter that is given twice is refused`() {
    let twice = JSON.object([.init("title", "a"), .init("title", "b")])
    #expect(
      throws: CommandError("title is given twice", field: "title", path: "/title")
    ) { try RequestPaint.read(parameters: twice) }
  }

  @Test func `a word that is needed is a parameter that is needed`() {
    #expect(throws: CommandError("move needs from", field: "from", path: "/from")) {
      try RequestMove.read(parameters: ["limit": 3])
    }
  }

  @Test func `one option at least is needed, besides some`() {
    #expect(throws: CommandError("move needs at least one of limit", path: "")) {
      try RequestMove.read(parameters: ["from": "a", "seen": 3])
    }
  }

  @Test func `an error is a usage failure with the field`() {
    let error = CommandError("wrong", offset: 3, field: "due", path: "/due")
    #expect(error.failure == Failure(.usage, "wrong", field: "due"))
  }

  @Test func `the schema says what there is, of what type, and that there is no more`() throws {
    #expect(
      RequestPaint.command.schema.description
        == #"{"type":"object","properties":{"#
        + #""title":{"type":"string","description":"What to paint"},"#
        + #""layers":{"type":"array","items":{"type":"integer"},"#
        + #""description":"A layer (repeatable)"},"#
        + #""size":{"type":"string","enum":["small","large"],"description":"How big"},"#
        + #""due":{"anyOf":[{"type":"string","#
        + #""description":"a date as people write it, such as tomorrow 9am, fri, 1 dec, +3d, or ISO 8601"},{"type":"null"}],"#
        + #""description":"When it must be dry"},"#
        + #""dueBefore":{"anyOf":[{"type":"string","#
        + #""description":"a date as people write it, such as tomorrow 9am, fri, 1 dec, +3d, or ISO 8601"},{"type":"null"}],"#
        + #""description":"Before when"},"#
        + #""colour":{"anyOf":[{"type":"string"},{"type":"null"}],"#
        + #""description":"Which colour, of those that are there"},"#
        + #""glossy":{"type":"boolean","description":"With gloss"},"#
        + #""matt":{"type":"boolean","description":"Without gloss"},"#
        + #""alias":{"anyOf":[{"type":"string"},{"type":"null"}],"#
        + #""description":"What to call it"}},"additionalProperties":false}"#
    )
  }

  @Test func `the schema names what is needed`() {
    #expect(
      RequestMove.command.schema.description
        == #"{"type":"object","properties":{"#
        + #""from":{"type":"string","description":"From where"},"#
        + #""to":{"type":"array","items":{"type":"string"},"description":"To where"},"#
        + #""limit":{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"#
        + #""description":"How far at most"},"#
        + #""seen":{"anyOf":[{"type":"integer"},{"type":"null"}],"#
        + #""description":"The version that was seen"}},"#
        + #""required":["from"],"additionalProperties":false}"#
    )
  }

  @Test func `what stands under a further name is an array in the schema`() {
    #expect(
      RequestGather.command.schema.description
        == #"{"type":"object","properties":{"thing":{"type":"string","description":"Which"},"#
        + #""things":{"type":"array","items":{"type":"string"},"minItems":1,"#
        + #""description":"Which"}},"additionalProperties":false}"#
    )
  }
}

/// A property that is one thing under its name, and several under another.
struct Things: CommandProperty {
  var all: [String] = []

  static var arity: ValueArity { .some }
  static var shape: ValueShape { ValueShape("THING") }
  static func jsonNames(for name: String) -> [String] { [name, name + "s"] }

  mutating func take(word: String) throws(ValueError) {
    all.append(word)
  }

  mutating func take(json: JSON) throws(ValueError) {
    all = [try String(json: json)]
  }

  mutating func take(json: JSON, named name: String) throws(ValueError) {
    guard name.hasSuffix("s") else { return try take(json: json) }
    try all.take(json: json)
  }
}

struct RequestGather: Command {
  typealias Reply = ResponsePaint
  var thing = Things()
  static let command = CommandSpec<Self>("gather", "Gathers.").word(\.thing, "Which")
}

@Suite(.hangLimit) struct FurtherNameTests {
  @Test func `one or several, but not both`() throws {
    #expect(try RequestGather.read(parameters: ["thing": "a"]).thing.all == ["a"])
    #expect(try RequestGather.read(parameters: ["things": ["a", "b"]]).thing.all == ["a", "b"])
    #expect(throws: CommandError("things is given twice", field: "thing", path: "/things")) {
      try RequestGather.read(parameters: ["thing": "a", "things": ["b"]])
    }
    #expect(
      throws: CommandError(
        "/things/1: expected a string, found null",
        field: "thing",
        path: "/things/1"
      )
    ) { try RequestGather.read(parameters: ["things": ["a", nil]]) }
  }

  @Test func `at least one word is needed`() throws {
    #expect(try read(RequestGather.self, "gather a b").thing.all == ["a", "b"])
    #expect(
      mistake(RequestGather.self, "gather")
        == Mistake("gather needs THING", at: "gather", field: "thing")
    )
  }
}
