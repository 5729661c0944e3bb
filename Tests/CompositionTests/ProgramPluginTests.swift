import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import ProcessTesting
import Testing

@testable import EventApp

/// A plugin says in one declaration all that it is, and with its line all of it is gone.
@Suite(.hangLimit) struct ProgramPluginTests {
  private let cheerleader = Cheerleader()

  private func invocation(_ words: String...) throws -> Invocation {
    let store = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)/todos.sqlite"
    return try Invocation(
      .todostream,
      (["--store", store] + words).words,
      [.on(Listener()), .on(cheerleader)]
    )
  }

  /// Runs what was asked for; nothing is printed.
  private func run(_ invocation: Invocation) throws -> EventCommands.ExitStatus {
    try invocation.run(Console { _, _ in nil })
  }

  @Test func `it brings a command, an option, a verb, an announcement, a notice and an input`()
    throws
  {
    let composition = try Composition(try invocation("list"), .job(.reads))
    let catalogue = composition.catalogue
    #expect(catalogue["cheer"] == RequestCheer.self)
    #expect(catalogue.method(of: RequestCheer.self) == "cheer")
    #expect(catalogue.announcements.contains { $0 == ResponseBoo.self })
    #expect(catalogue.wire.notices.contains { $0 == ResponseBoo.self })
    #expect(composition.inputs.contains { $0 == ResponseBoo.self })
    let help = try Face(from: [.on(cheerleader)]).help
    #expect(help.contains("  --cheer WORD               Cheers with a word (repeatable)"))
    #expect(help.contains("  wave         Waves."))
    let options = catalogue.completion(ofProcess: [], prefix: "--che").candidates.map(\.word)
    #expect(options == ["--cheer"])
    #expect(catalogue.completion(ofProcess: ["--cheer"].words, prefix: "").placeholder == "WORD")
  }

  @Test func `it is handed the values of its options, once, wherever they stand`() throws {
    _ = try invocation("--cheer", "Go", "list", "--cheer=Hurrah", "--without", "listener")
    #expect(cheerleader.calls == ["take Go Hurrah"])
  }

  @Test func `it is handed nothing where none of its options is given`() throws {
    _ = try invocation("list")
    #expect(cheerleader.calls == [])
  }

  @Test func `it is called around a session, in order`() throws {
    #expect(try run(try invocation("--cheer", "Go", "help")) == .success)
    #expect(
      cheerleader.calls == [
        "take Go", "prepare reads", "join", "start", "begin reads", "finish", "leave",
        "trouble",
      ]
    )
  }

  @Test func `what it refuses is a usage error of its own`() {
    #expect(throws: CommandError("--cheer: 'Boo' is no cheer")) {
      try invocation("--cheer", "Boo", "list")
    }
  }

  @Test func `where it can't begin, nothing runs, and those before it finish`() throws {
    let (first, second) = (Cheerleader(), Cheerleader(name: "second", isHoarse: true))
    let words = ["--store", "/nowhere/todos.sqlite", "help"].words
    let invocation = try Invocation(.todostream, words, [.on(first), .on(second)])
    #expect(throws: ConfigurationError.self) { try run(invocation) }
    let alone = try Invocation(.todostream, words, [.on(Quiet(first)), .on(Quiet(second))])
    #expect(throws: Failure(.usage, "second is hoarse.")) { try run(alone) }
    #expect(first.calls.suffix(2) == ["begin reads", "finish"])
    #expect(second.calls.last == "begin reads")
  }

  @Test func `an option for sessions is refused by what holds none`() {
    #expect(throws: CommandError("--cheer is for a session, and '--version' is none")) {
      try invocation("--cheer", "Go", "--version")
    }
    #expect(throws: CommandError("--cheer is for a session, and 'wave' is none")) {
      try invocation("--cheer", "Go", "wave", "Ann")
    }
  }

  @Test func `its verb runs with the words after it`() throws {
    let printed = Locked("")
    let console = Console { bytes, _ in
      printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      return nil
    }
    let waving = try invocation("wave", "Ann")
    #expect(waving.launch?.noSession == "wave")
    #expect(try waving.run(console) == .success)
    #expect(printed.withLock { $0 } == "Waves to Ann.\n")
    #expect(throws: CommandError("wave needs NAME", offset: 2, field: "name")) {
      try invocation("wave")
    }
  }

  @Test func `switched off, its option and its verb are unknown, and so is its command`() throws {
    let off = try Face("--without", "cheerleader", from: [.on(Cheerleader())])
    #expect(off == (try Face(from: [])))
    let catalogue = try invocation("list", "--without", "cheerleader").catalogue
    #expect(!catalogue.announcements.contains { $0 == ResponseBoo.self })
    #expect(!catalogue.wire.notices.contains { $0 == ResponseBoo.self })
    let needs = "--cheer needs the plugin 'cheerleader', which is off."
    #expect(throws: CommandError(needs, offset: 5)) {
      try invocation("--without", "cheerleader", "list", "--cheer", "Go")
    }
    #expect(throws: CommandError("no command 'cheer'; 'help' lists the commands", offset: 4)) {
      try invocation("--without", "cheerleader", "cheer")
    }
    #expect(throws: CommandError("no command 'wave'; did you mean 'move'?", offset: 4)) {
      try invocation("--without", "cheerleader", "wave", "Ann")
    }
  }

  @Test func `with its line taken out, its option is one that there never was`() {
    let message = "no option '--cheer' before a command; 'todostream help' lists them"
    #expect(throws: CommandError(message, offset: 0)) {
      try Invocation(.todostream, ["--cheer", "Go", "list"].words, [])
    }
  }

  @Test func `one that keeps the stream is released with the composition`() throws {
    weak var released: Keeper?
    do {
      let keeper = Keeper()
      released = keeper
      let words = ["--store", "/nowhere/todos.sqlite", "help"].words
      let composition = try Composition(
        Invocation(.todostream, words, [.on(keeper)]),
        .job(.reads)
      )
      #expect(composition.catalogue.completion(ofProcess: [], prefix: "--k").candidates.count == 1)
    }
    #expect(released == nil)
  }

  @Test func `options are handed over in a test as in a process`() throws {
    let options = try #require(cheerleader.options)
    try options.take(["--cheer", "Go", "--cheer=Hurrah"])
    #expect(cheerleader.calls == ["take Go Hurrah"])
    #expect(throws: CommandError("--cheer: 'Boo' is no cheer")) {
      try options.take(["--cheer", "Boo"])
    }
    #expect(throws: CommandError("no option '--boo'", offset: 2)) {
      try options.take(["--cheer", "Go", "--boo"])
    }
  }

  @Test func `names, flags and verbs that are claimed twice are reported`() throws {
    var application = Application.todostream
    application.frontends.append(Claque())
    let plugins: [OptionalPlugin] = [
      .on(cheerleader), .on(Claquer()), .on(Listener(name: "claque")),
    ]
    #expect(
      application.clashes(plugins) == [
        "'--json' is claimed by both the process and the frontend 'claque'",
        "'--cheer' is claimed by both the plugin 'cheerleader' and the plugin 'claquer'",
        "'wave' is claimed by both the plugin 'cheerleader' and the plugin 'claquer'",
        "'claque' is claimed by both the frontend 'claque' and the plugin 'claque'",
      ]
    )
    let invocation = try Invocation(application, ["help"].words, plugins)
    #expect(throws: ConfigurationError(problems: application.clashes(plugins))) {
      try run(invocation)
    }
    #expect(Application.todostream.clashes(.todostream) == [])
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check(sending: [RequestCheer()]) { Cheerleader() }
  }
}

/// Claims what a cheerleader has.
private struct Claquer: ProgramPlugin {
  let name = "claquer"
  private let other = Cheerleader()

  var options: OptionGroup? { other.options }
  var verbs: [ProcessVerb] { other.verbs }
  func join(_ stream: EventStream) {}
}

/// Claims an option of the process.
private struct Claque: ProgramFrontend {
  let name = "claque"

  var options: OptionGroup? {
    OptionGroup(
      CommandSpec<Console>("claque", "").option(\.isJSON, "Claps", flag: "--json"),
      Console { _, _ in nil }
    ) { _ in }
  }
}
