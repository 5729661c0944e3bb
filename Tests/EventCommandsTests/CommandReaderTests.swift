import EventMVVM
import EventMVVMTesting
import EventValues
import Testing

@testable import EventCommands

/// Words into requests.
@Suite(.hangLimit) struct CommandReaderTests {
  // MARK: Values

  @Test func `the words of a text are joined by one space`() throws {
    #expect(
      try read(RequestPaint.self, "paint the   'big  fence' red").title == "the big  fence red"
    )
  }

  @Test func `an option stands before, between and behind words`() throws {
    for line in [
      "paint --size large the fence", "paint the --size large fence",
      "paint the fence --size large",
    ] {
      let request = try read(RequestPaint.self, line)
      #expect(request.title == "the fence")
      #expect(request.size == .large)
    }
  }

  @Test func `a value stands behind the option or behind an equals sign`() throws {
    #expect(try read(RequestPaint.self, "paint --size=large").size == .large)
    #expect(try read(RequestPaint.self, "paint --title=a=b").title == "a=b")
    #expect(try read(RequestPaint.self, "paint --due=").due == .clear)
    #expect(try read(RequestPaint.self, "paint --due ''").due == .clear)
  }

  @Test func `a value may look like an option`() throws {
    #expect(try read(RequestPaint.self, "paint --title --glossy").title == "--glossy")
    #expect(try read(RequestPaint.self, "paint --title --").title == "--")
  }

  @Test func `everything behind two hyphens is a word`() throws {
    let request = try read(RequestPaint.self, "paint --glossy a -- --matt -- b")
    #expect(request.title == "a --matt -- b")
    #expect(request.glossy)
    #expect(!request.matt)
  }

  @Test func `what is quoted or escaped is no option`() throws {
    #expect(
      try read(RequestPaint.self, #"paint '--matt' \--glossy "--""#).title == "--matt --glossy --"
    )
  }

  @Test func `a hyphen alone and a negative number are words`() throws {
    #expect(try read(RequestPaint.self, "paint - -5 -.5").title == "- -5 -.5")
  }

  @Test func `a flag takes no value and may be repeated`() throws {
    #expect(try read(RequestPaint.self, "paint --glossy --glossy x").title == "x")
    #expect(
      mistake(RequestPaint.self, "paint --glossy=yes")
        == Mistake("--glossy takes no value", at: "--glossy=yes", field: "glossy")
    )
  }

  @Test func `an array takes as many values as are given, in order`() throws {
    #expect(try read(RequestPaint.self, "paint --layer 3 --layer=1 --layer 3").layers == [3, 1, 3])
    #expect(try read(RequestMove.self, "move a b c --limit 1").to == ["b", "c"])
    #expect(try read(RequestMove.self, "move a --limit 1").to == [])
  }

  @Test func `a flag is named after its property, with hyphens`() throws {
    #expect(try read(RequestPaint.self, "paint --due-before today").dueBefore == .inDays(0))
  }

  // MARK: Alias

  @Test func `an alias is exactly the last two words`() throws {
    let request = try read(RequestPaint.self, "paint the fence --glossy as @fence")
    #expect(request.alias == "fence")
    #expect(request.title == "the fence")
    for line in [
      "paint as @fence now", "paint a fence as fence", "paint a fence 'as' @fence",
      "paint a fence as '@fence'", "paint a fence @fence", "paint as @fence --glossy",
    ] {
      #expect(try read(RequestPaint.self, line).alias == nil, "\(line)")
    }
  }

  @Test func `an alias is none where the command lists none`() throws {
    #expect(try read(RequestMove.self, "move a as @x --limit 1").to == ["as", "@x"])
    #expect(try read(RequestMove.self, "move --limit 1 a as @x").to == ["as", "@x"])
  }

  @Test func `an option has no value in the alias`() {
    #expect(
      mistake(RequestPaint.self, "paint x --due as @x")
        == Mistake("--due needs a value: DATE", at: "--due as @x", field: "due")
    )
  }

  // MARK: Errors, and where they stand

  @Test func `a value is missing`() {
    #expect(
      mistake(RequestPaint.self, "paint x --size")
        == Mistake("--size needs a value: small|large", at: "--size", field: "size")
    )
    #expect(
      mistake(RequestMove.self, "move --limit 1")
        == Mistake("move needs TEXT", at: "move --limit 1", field: "from")
    )
  }

  @Test func `a value that can't be read is pointed at, and its option named`() {
    #expect(
      mistake(RequestPaint.self, "paint x --layer one y")
        == Mistake("--layer: 'one' is not a whole number", at: "one y", field: "layers")
    )
    #expect(
      mistake(RequestPaint.self, "paint --size=huge y")
        == Mistake(
          "--size: 'huge' is not one of small, large",
          at: "--size=huge y",
          field: "size"
        )
    )
  }

  @Test func `an option is given twice`() {
    #expect(
      mistake(RequestPaint.self, "paint --size small --size large x")
        == Mistake("--size is given twice", at: "large x", field: "size")
    )
  }

  @Test func `a property is given by its words and by its option`() {
    #expect(
      mistake(RequestPaint.self, "paint fence --title wall")
        == Mistake("--title is given twice", at: "wall", field: "title")
    )
    #expect(
      mistake(RequestPaint.self, "paint --title wall fence now")
        == Mistake("the title is given twice", at: "fence now", field: "title")
    )
  }

  @Test func `two exclude each other, and the later one is pointed at`() {
    #expect(
      mistake(RequestPaint.self, "paint --matt x --glossy y")
        == Mistake(
          "--glossy and --matt exclude each other",
          at: "--glossy y",
          field: "matt"
        )
    )
  }

  @Test func `one option at least is needed, besides some`() {
    let expected = Mistake("move needs at least one of --limit", at: "move a --seen 3")
    #expect(mistake(RequestMove.self, "move a --seen 3") == expected)
    #expect(mistake(RequestMove.self, "move a --limit 3") == nil)
  }

  @Test func `a word too many is pointed at, and shown short`() {
    #expect(
      mistake(RequestRest.self, "rest now please")
        == Mistake("rest takes no further word: 'now'", at: "now please")
    )
    let long = String(repeating: "x", count: 41)
    let short = String(repeating: "x", count: 39) + "…"
    #expect(
      mistake(RequestRest.self, "rest \(long)")
        == Mistake("rest takes no further word: '\(short)'", at: long)
    )
  }

  @Test func `an unknown option says what may have been meant`() {
    #expect(
      mistake(RequestPaint.self, "paint --glosy x")
        == Mistake("paint has no option '--glosy'; did you mean '--glossy'?", at: "--glosy x")
    )
    #expect(
      mistake(RequestPaint.self, "paint --layers=3 x")
        == Mistake("paint has no option '--layers'; did you mean '--layer'?", at: "--layers=3 x")
    )
    #expect(
      mistake(RequestPaint.self, "paint --whatever")
        == Mistake("paint has no option '--whatever'", at: "--whatever")
    )
    #expect(
      mistake(RequestPaint.self, "paint -g")
        == Mistake("no option '-g'; to give it as a word, write it after --", at: "-g")
    )
  }

  @Test func `a position counts the bytes before the word, quotes included`() {
    #expect(
      mistake(RequestPaint.self, "paint 'große 🖌' --layer 'not one'")
        == Mistake("--layer: 'not one' is not a whole number", at: "'not one'", field: "layers")
    )
  }

  // MARK: Options of others

  @Test func `an option that the command does not know goes to the other taker, once`() throws {
    var taken: [String] = []
    let request = try read(RequestPaint.self, "paint a --loud 3 b --glossy") {
      words,
      index throws(CommandError) in
      taken += [words[index].text, words[index + 1].text]
      index += 2
      return true
    }
    #expect(taken == ["--loud", "3"])
    #expect(request.title == "a b")
    #expect(request.glossy)
  }

  @Test func `one that the other taker does not know either is unknown`() {
    #expect(
      throws: CommandError("paint has no option '--loud'", offset: 6)
    ) { try read(RequestPaint.self, "paint --loud") { _, _ in false } }
  }

  @Test func `the other taker is not asked behind two hyphens`() throws {
    let request = try read(RequestPaint.self, "paint -- --loud") { _, _ in
      Issue.record("asked")
      return false
    }
    #expect(request.title == "--loud")
  }

  @Test func `an option of its own is read in front of a command, and the index moves on`() throws {
    var request = RequestPaint()
    var index = 0
    let line = words(of: "--layer 3 --glossy rest")
    #expect(try RequestPaint.command.readOption(line, at: &index, into: &request))
    #expect(index == 2)
    #expect(try RequestPaint.command.readOption(line, at: &index, into: &request))
    #expect(index == 3)
    #expect(try !RequestPaint.command.readOption(line, at: &index, into: &request))
    #expect(index == 3)
    #expect(request.layers == [3])
    #expect(request.glossy)
  }

  // MARK: Pointing at a property later

  @Test(
    arguments: [
      ("title", "fence --due today as @x"), ("due", "today as @x"), ("alias", "@x"),
    ])
  func `the word that gave a property its value is found again`(
    _ field: String,
    _ rest: String
  )
    throws
  {
    let line = "paint fence --due today as @x"
    let offset = RequestPaint.command.offset(of: field, in: words(of: line), from: 1)
    #expect(String(decoding: Array(line.utf8)[try #require(offset)...], as: UTF8.self) == rest)
  }

  @Test func `a property that got no value, or is unknown, is found nowhere`() {
    let line = words(of: "paint fence")
    #expect(RequestPaint.command.offset(of: "due", in: line, from: 1) == nil)
    #expect(RequestPaint.command.offset(of: "none", in: line, from: 1) == nil)
  }

  @Test func `an array's first value is the one that is found`() {
    let line = words(of: "paint --layer 1 --layer 2")
    #expect(RequestPaint.command.offset(of: "layers", in: line, from: 1) == 14)
  }

  // MARK: The list

  @Test func `a property that the list forgot is found`() {
    #expect(RequestForgetful.command.forgotten(in: RequestForgetful()) == ["left", "right"])
    #expect(RequestPaint.command.forgotten(in: RequestPaint()) == [])
    #expect(RequestHelp.command.forgotten(in: RequestHelp()) == [])
  }

  @Test func `its options are listed`() {
    #expect(
      RequestPaint.command.flags.sorted() == [
        "--colour", "--due", "--due-before", "--glossy", "--layer", "--matt", "--size", "--title",
      ]
    )
  }
}

/// What a mistyped word most likely meant.
@Suite(.hangLimit) struct ClosestTests {
  private let verbs = ["add", "delete", "done", "edit", "list", "reopen", "restore", "show"]

  @Test(
    arguments: [
      ("ad", "add"), ("dnoe", "done"), ("lsit", "list"), ("lists", "list"), ("shw", "show"),
      ("EDIT", "edit"), ("restroe", "restore"), ("del", "delete"), ("resto", "restore"),
    ])
  func `one or two edits, a swap, or the beginning of a word`(_ word: String, _ meant: String) {
    #expect(closest(to: word, among: verbs) == meant)
  }

  @Test(arguments: ["", "x", "frobnicate", "zzzz", "a"])
  func `nothing that is too far away`(_ word: String) {
    #expect(closest(to: word, among: verbs) == nil)
  }

  @Test func `a tie goes to the first in alphabetical order`() {
    #expect(closest(to: "bat", among: ["cat", "bar"]) == "bar")
  }

  @Test func `a word beyond all reason is not looked at`() {
    #expect(closest(to: String(repeating: "a", count: 65), among: verbs) == nil)
  }
}
