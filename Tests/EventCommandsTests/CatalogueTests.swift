import EventMVVM
import EventMVVMTesting
import EventValues
import JSONText
import Testing

@testable import EventCommands

/// All commands together: lookup, help, completion, what does not fit.
@Suite(.hangLimit) struct CatalogueTests {
  private let catalogue: Catalogue = {
    var catalogue = Catalogue()
    catalogue.add("art", Painter.commands)
    catalogue.add("", CatalogueServer.commands)
    catalogue.add(CommandSpec<RequestRest>("run", "Runs scripts."))
    return catalogue
  }()

  private func answers() -> TestContext {
    let test = TestContext()
    test.add(Painter(), CatalogueServer(catalogue) { ["painter", "catalogue"] })
    return test
  }

  private func text<C: CommandResult>(_ result: C?) -> String {
    var page = Page()
    result?.show(on: &page)
    return page.text
  }

  private func json<C: CommandResult>(_ result: C?) -> String {
    var writer = JSONWriter()
    result?.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  // MARK: Reading

  @Test func `a verb names a command`() throws {
    let command = try catalogue.read(words(of: "paint fence --layer 2"))
    let paint = try #require(command as? RequestPaint)
    #expect(paint.title == "fence")
    #expect(paint.layers == [2])
    #expect(catalogue["paint"] == RequestPaint.self)
    #expect(catalogue["none"] == nil)
  }

  @Test(
    arguments: [
      ("pain fence", "no command 'pain'; did you mean 'paint'?", 0),
      ("frobnicate", "no command 'frobnicate'; 'help' lists the commands", 0),
      ("  'big word' x", "no command 'big word'; 'help' lists the commands", 2),
    ])
  func `an unknown verb says what may have been meant`(
    _ line: String,
    _ message: String,
    _ offset: Int
  ) {
    #expect(throws: CommandError(message, offset: offset)) { try catalogue.read(words(of: line)) }
  }

  @Test func `no words are no command`() {
    #expect(throws: CommandError("a command is missing")) { try catalogue.read([]) }
  }

  @Test(arguments: ["paint --help", "paint x --size huge --help", "move --help", "rest --help now"])
  func `--help behind a verb asks for its page`(_ line: String) throws {
    let help = try #require(try catalogue.read(words(of: line)) as? RequestHelp)
    #expect(help.topic == [String(line.prefix { $0 != " " })])
  }

  @Test func `--help is a word behind two hyphens, in quotes, and as a value`() throws {
    for line in ["paint -- --help", "paint '--help'", "paint --title --help"] {
      let paint = try #require(try catalogue.read(words(of: line)) as? RequestPaint, "\(line)")
      #expect(paint.title == "--help")
    }
  }

  @Test func `--help behind two hyphens hides no error`() {
    #expect(
      throws: CommandError("--layer: 'x' is not a whole number", offset: 14, field: "layers")
    ) { try catalogue.read(words(of: "paint --layer x -- --help")) }
  }

  @Test func `the word of a field is found by the verb`() {
    let line = words(of: "paint fence --due today")
    #expect(catalogue.offset(of: "due", in: line) == 18)
    #expect(catalogue.offset(of: "due", in: words(of: "nobody --due today")) == nil)
    #expect(catalogue.offset(of: "due", in: []) == nil)
  }

  @Test func `a method is the group and the verb, or the verb alone`() {
    #expect(catalogue.method(of: RequestPaint.self) == "art/paint")
    #expect(catalogue.method(of: RequestHelp.self) == "help")
    #expect(catalogue.method(of: RequestForgetful.self) == "forgetful")
  }

  // MARK: Help

  @Test func `a usage line shows how each property is written`() {
    #expect(
      RequestPaint.command.usage
        == "paint TITLE… [--layer N]… [--size small|large] [--due DATE] [--due-before DATE] "
        + "[--colour COLOUR] [--glossy] [--matt] [--title TEXT] [as @NAME]"
    )
    #expect(RequestMove.command.usage == "move TEXT [TEXT…] [--limit N] [--seen N]")
    #expect(RequestGather.command.usage == "gather THING [THING…]")
    #expect(RequestRest.command.usage == "rest")
  }

  @Test func `a page of help`() throws {
    let test = answers()
    let page = try test.request(RequestHelp(topic: ["paint"]))?.get().result.get()
    test.skip()
    #expect(
      text(page)
        == """
        Paints something.

          paint TITLE… [--layer N]… [--size small|large] [--due DATE] [--due-before DATE] [--colour \
        COLOUR] [--glossy] [--matt] [--title TEXT] [as @NAME]

          TITLE…              What to paint
          --layer N           A layer (repeatable)
          --size small|large  How big
          --due DATE          When it must be dry
          --due-before DATE   Before when
          --colour COLOUR     Which colour, of those that are there
          --glossy            With gloss
          --matt              Without gloss
          --title TEXT        The title, as an option
          as @NAME            What to call it

          DATE  tomorrow, fri, 1 dec, 15th, 3d, in 2 weeks, +1m, eom, next week, 2026-12-01; with a
                time in quotes, 'tomorrow 9am', 'fri 14:00', or as one word, tomorrowT9am. With an
                offset, such as 2026-12-01T09:30Z, it is converted to your time zone. 'help dates'
                has all forms.

        """
    )
  }

  @Test func `a page of help in colour has its verb in bold`() {
    var page = Page(hasColor: true)
    RequestRest.command.help(on: &page)
    #expect(page.text == "Does nothing.\n\n\u{1B}[1m  rest\u{1B}[0m\n")
  }

  @Test func `a heading wider than the column stands on a line of its own`() {
    var page = Page()
    page.columns([("short", "one"), (String(repeating: "x", count: 29), "two")])
    #expect(
      page.text == "  short                         one\n  " + String(repeating: "x", count: 29)
        + "\n                                two\n"
    )
  }

  @Test func `help is what people use daily, by topic and by example`() throws {
    let test = answers()
    let overview = try test.request(RequestHelp())?.get().result.get()
    #expect(
      text(overview)
        == """
        To look:
          rest  Does nothing.
        To change:
          paint TITLE…       Paints something.
          move TEXT [TEXT…]  Moves something.
        'help COMMAND' explains one; 'help dates', 'help all' the rest.

        """
    )
    test.skip()
  }

  @Test func `an overview of all commands, section by section`() throws {
    let test = answers()
    let overview = try test.request(RequestHelp(topic: ["all"]))?.get().result.get()
    #expect(
      text(overview)
        == """
          paint  Paints something.
          move   Moves something.
          rest   Does nothing.

          help      Explains the commands, or one of them.
          commands  Lists the commands, one a line.
          plugins   Lists the plugins that are on.

          run  Runs scripts.

        'help COMMAND' explains one of them, 'help dates' how dates are written.

        """
    )
    test.skip()
  }

  @Test func `help in JSON is its topic and its text`() throws {
    let test = answers()
    let page = try test.request(RequestHelp(topic: ["rest"]))?.get().result.get()
    #expect(json(page) == #"{"topic":"rest","text":"Does nothing.\n\n  rest\n"}"#)
    test.skip()
    let run = try test.request(RequestHelp(topic: ["run"]))?.get().result.get()
    #expect(text(run) == "Runs scripts.\n\n  run\n")
    test.skip()
  }

  @Test func `there is no page for what is no command`() throws {
    let test = answers()
    let page = try test.request(RequestHelp(topic: ["mov"]))?.get().result
    #expect(
      page == .failure(Failure(.usage, "no command 'mov'; did you mean 'move'?", field: "topic"))
    )
    test.skip()
  }

  // MARK: Commands and plugins

  @Test func `the commands are listed, a line each`() throws {
    let test = answers()
    let list = try test.request(RequestCommands())?.get().result.get()
    #expect(
      text(list)
        == """
        paint TITLE… [--layer N]… [--size small|large] [--due DATE] [--due-before DATE] [--colour \
        COLOUR] [--glossy] [--matt] [--title TEXT] [as @NAME]
        move TEXT [TEXT…] [--limit N] [--seen N]
        rest
        help [COMMAND…]
        commands [--manual]
        plugins

        """
    )
    test.skip()
  }

  @Test func `the commands in JSON have method, usage and schema`() throws {
    let test = answers()
    let list = try test.request(RequestCommands())?.get().result.get()
    guard case .array(let commands) = try JSON(parsing: json(list)) else {
      Issue.record("no array")
      return
    }
    #expect(commands.count == 6)
    #expect(
      commands[2].description
        == #"{"name":"rest","method":"art/rest","summary":"Does nothing.","usage":"rest","#
        + #""writes":false,"params":{"type":"object","properties":{},"#
        + #""additionalProperties":false}}"#
    )
    #expect(commands[0]["params"] == RequestPaint.command.schema)
    #expect(commands[0]["writes"] == true)
    test.skip()
  }

  @Test func `those who joined are listed`() throws {
    let test = answers()
    let list = try test.request(RequestPlugins())?.get().result.get()
    #expect(text(list) == "painter\ncatalogue\n")
    #expect(json(list) == #"[{"name":"painter"},{"name":"catalogue"}]"#)
    test.skip()
  }

  @Test func `the server keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestHelp(), RequestCommands(), RequestPlugins()]) {
      CatalogueServer(catalogue) { [] }
    }
    PluginLaws.check { Painter() }
  }

  // MARK: What does not fit

  @Test func `two commands of one name clash, and both are named`() {
    var clashing = catalogue
    clashing.add("other", [RequestOtherPaint.self])
    let problem = "'paint' is claimed by both 'art' (RequestPaint) and 'other' (RequestOtherPaint)"
    #expect(clashing.clashes == [problem])
    #expect(catalogue.clashes == [])
    #expect(clashing["paint"] == RequestPaint.self)
    let context = AppContext()
    context.add(Painter())
    #expect(throws: ConfigurationError(problems: [problem])) { try context.check(clashing) }
  }

  @Test func `two plugins that claim one verb are both named, however they were added`() {
    var clashing = catalogue
    clashing.add(OtherPainter())
    #expect(
      clashing.clashes == [
        "'paint' is claimed by both 'art' (RequestPaint) and 'other-painter' (RequestOtherPaint)"
      ]
    )
    var nameless = Catalogue()
    nameless.add("", [RequestPaint.self])
    nameless.add(OtherPainter())
    #expect(
      nameless.clashes
        == ["'paint' is claimed by both RequestPaint and 'other-painter' (RequestOtherPaint)"]
    )
  }

  @Test func `a plugin brings its commands, and one without any brings none`() {
    var catalogue = Catalogue()
    catalogue.add(OtherPainter())
    catalogue.add(Painter())
    #expect(catalogue.sections.map(\.name) == ["other-painter"])
    #expect(catalogue.method(of: RequestOtherPaint.self) == "other/paint")
    let plugin: any Plugin = OtherPainter()
    var other = Catalogue()
    other.add(plugin)
    #expect(other["paint"] == RequestOtherPaint.self)
  }

  @Test func `a command that nobody answers does not fit`() throws {
    let context = AppContext()
    context.add(CatalogueServer(catalogue) { [] })
    #expect(
      throws: ConfigurationError(problems: [
        "nobody answers RequestPaint", "nobody answers RequestMove", "nobody answers RequestRest",
      ])
    ) { try context.check(catalogue) }
    context.add(Painter())
    try context.check(catalogue)
  }
}

struct RequestOtherPaint: Command {
  typealias Reply = ResponsePaint
  static let command = CommandSpec<Self>("paint", "Paints, too.")
}

private struct OtherPainter: CommandPlugin {
  let name = "other-painter"
  let group = "other"
  let commands: [any Command.Type] = [RequestOtherPaint.self]
  func join(_ stream: EventStream) {}
}

/// What could stand where the cursor is.
@Suite(.hangLimit) struct CompletionTests {
  private let catalogue: Catalogue = {
    var catalogue = Catalogue()
    catalogue.add("art", Painter.commands)
    catalogue.add("", CatalogueServer.commands)
    return catalogue
  }()

  private func candidates(_ line: String, _ prefix: String) -> [String] {
    catalogue.completion(after: words(of: line), prefix: prefix).candidates.map(\.word)
  }

  @Test func `the first word is a verb`() {
    #expect(candidates("", "") == ["paint", "move", "rest", "help", "commands", "plugins"])
    #expect(candidates("", "p") == ["paint", "plugins"])
    #expect(candidates("", "x") == [])
    let first = catalogue.completion(after: [], prefix: "pa").candidates.first
    #expect(first == Candidate("paint", "Paints something."))
  }

  @Test func `help is followed by a verb`() {
    #expect(candidates("help", "m") == ["move"])
    #expect(candidates("help", "da") == ["dates"])
  }

  @Test func `behind a hyphen stand options`() {
    #expect(candidates("paint fence", "--d") == ["--due", "--due-before"])
    #expect(candidates("move", "-") == ["--limit", "--seen"])
    #expect(
      catalogue.completion(after: words(of: "move"), prefix: "--l").candidates
        == [Candidate("--limit", "How far at most")]
    )
  }

  @Test func `behind an option stand its choices`() {
    #expect(candidates("paint --size", "") == ["small", "large"])
    #expect(candidates("paint --size", "l") == ["large"])
    #expect(candidates("paint --due", "t") == [])
    let dates = catalogue.completion(after: words(of: "paint --due"), prefix: "t").live
    #expect((dates as? RequestDateCandidates)?.prefix == "t")
    #expect(candidates("paint --layer", "") == [])
  }

  @Test func `dates are completed with what they are`() throws {
    let test = TestContext()
    test.add(CatalogueServer(catalogue) { [] })
    func candidates(_ prefix: String) throws -> [Candidate]? {
      defer { test.skip() }
      return try test.request(RequestDateCandidates(prefix: prefix))?.get().result.get()
    }
    let dates = try #require(try candidates("tom"))
    #expect(dates.map(\.word) == ["tomorrow"])
    #expect(dates[0].summary.hasPrefix("tomorrow, "))
    #expect(try candidates("1d") == [Candidate("1d", dates[0].summary)])
    #expect(try candidates("xyz") == [])
  }

  @Test func `a flag has no value to complete`() {
    #expect(candidates("rest", "") == [])
    #expect(candidates("paint --glossy", "--m") == ["--matt"])
  }

  @Test func `where there is nothing to say about a word, options are offered`() {
    #expect(candidates("move a", "") == ["--limit", "--seen"])
    #expect(candidates("move a --limit 3", "b") == [])
  }

  @Test func `what only the domain knows is asked of it`() throws {
    let completion = catalogue.completion(after: words(of: "paint --colour"), prefix: "r")
    #expect(completion.prefix == "r")
    #expect(completion.candidates == [])
    let live = try #require(completion.live as? RequestColours)
    let test = TestContext()
    test.add(Painter())
    let answer = try test.request(live)?.get().result.get()
    #expect(answer == [Candidate("red"), Candidate("rose")])
    test.skip()
  }

  @Test func `behind an unknown verb there is nothing`() {
    #expect(candidates("frobnicate", "") == [])
  }
}
