@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

/// The options of a process that says goodbye.
struct FarewellOptions {
  var goodbye: String?

  static let spec = CommandSpec<Self>("farewell", "Options of a process that says goodbye.")
    .option(\.goodbye, "Ends with this word", flag: "--goodbye", placeholder: "WORD")
}

/// Says goodbye at the end of a session, with a word that is given.
struct Farewell: ProgramPlugin {
  let name = "farewell"
  private let word = Locked<String?>(nil)

  var options: OptionGroup? {
    OptionGroup(FarewellOptions.spec, FarewellOptions()) { [word] options in
      word.withLock { $0 = options.goodbye }
    }
  }

  func join(_ stream: EventStream) {}

  func finish(_ session: ProcessSession) {
    if let word = word.withLock({ $0 }) { session.remark("\(word) from \(session.program)!") }
  }
}

/// Runs commands that are given after `echo`, one a word.
struct Echo: ProgramFrontend {
  let name = "echo"
  var verbs: [ProcessVerb] {
    [
      ProcessVerb(EchoArguments.spec, EchoArguments(), isSession: true) { arguments, host in
        try host.run(.job(.writes)) { EchoFrontend($0.catalogue, arguments.lines) }
      }
    ]
  }
}

/// The words after `echo`.
struct EchoArguments {
  var lines: [String] = []

  static let spec = CommandSpec<Self>("echo", "Runs commands.")
    .word(\.lines, "A command", placeholder: "LINE")
}

/// The words after `wave`.
struct WaveArguments {
  var name = ""

  static let spec = CommandSpec<Self>("wave", "Waves.")
    .word(\.name, "To whom", placeholder: "NAME")
}

@Suite(.hangLimit) struct ProgramPluginExamples {
  private func words(_ line: String) -> [Word] {
    line.split(separator: " ").enumerated()
      .map { Word(text: String($1), offset: $0, isBare: true) }
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { Farewell() }
  }

  @Test func `it says the word that it was given`() throws {
    let plugin = Farewell()
    let reader = try #require(plugin.options).reader
    var index = 0
    #expect(try reader.read(words("--goodbye Bye"), &index))
    try reader.finish()
    let remarks = Locked<[String]>([])
    var session = ProcessSession("demo", version: "1", Catalogue())
    session.remark = { remark in remarks.withLock { $0.append(remark) } }
    plugin.finish(session)
    #expect(remarks.withLock { $0 } == ["Bye from demo!"])
  }

  @Test func `a verb`() throws {
    let verb =
      ProcessVerb(WaveArguments.spec, WaveArguments()) { arguments, host in
        host.print("Goodbye, \(arguments.name)!") ? .success : .failed
      }
    #expect(verb.name == "wave")
  }
}
