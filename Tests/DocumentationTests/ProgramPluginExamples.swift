@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
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

/// Announces that it is time for a break: every 25 minutes, or as often as `--break` says.
struct BreakTimer: ProgramPlugin {
  let name = "breaks"
  let wantsJobs = false
  let announcements: [any Announcement.Type] = [ResponseBreak.self]
  private let minutes = Locked(25)
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

  var options: OptionGroup? {
    OptionGroup(BreakOptions.spec, BreakOptions()) { [minutes] options in
      minutes.withLock { $0 = options.minutes.number }
    }
  }

  func join(_ stream: EventStream) {}

  func begin(_ session: ProcessSession) {
    guard let stream = session.stream else { return }
    let pause = Duration.seconds(60 * minutes.withLock { $0 })
    session.task { [clock] in
      while (try? await clock.sleep(for: pause)) != nil { stream.send(ResponseBreak()) }
    }
  }
}

/// The options of a process with a timer.
struct BreakOptions {
  var minutes = Count(25)

  static let spec = CommandSpec<Self>("breaks", "Options of a process with a timer.")
    .option(\.minutes, "How often to announce a break", flag: "--break", placeholder: "MINUTES")
}

/// Says that it is time for a break.
struct ResponseBreak: ViewModelEvent, Announcement, Codable {
  func announce(on page: inout Page) {
    page.write("Time for a break.", .notable)
    page.endLine()
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
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { Farewell() }
    PluginLaws.check { BreakTimer() }
  }

  @Test func `what it takes in a test`() throws {
    try Farewell().options?.take(["--goodbye", "Bye"])
  }

  @Test func `it announces each break, until the session ends`() throws {
    let (test, clock) = (TestContext(), TestClock())
    let timer = BreakTimer(clock: clock)
    test.add(timer)
    try timer.options?.take(["--break", "5"])
    var session = ProcessSession("demo", version: "1", Catalogue())
    session.stream = test.stream
    timer.begin(session)
    test.drain()
    clock.advance(by: .seconds(300))
    test.expect(ResponseBreak())
    session.cancelTasks()
    test.drain()
    #expect(clock.sleeperCount == 0)
  }

  @Test func `it says the word that it was given`() throws {
    let plugin = Farewell()
    try plugin.options?.take(["--goodbye", "Bye"])
    let remarks = Locked<[String]>([])
    var session = ProcessSession("demo", version: "1", Catalogue())
    session.remark = { remark in remarks.withLock { $0.append(remark) } }
    plugin.finish(session)
    #expect(remarks.withLock { $0 } == ["Bye from demo!"])
  }

  @Test func `a console`() {
    let written = Locked<[UInt8]>([])
    let console = Console { bytes, _ in
      written.withLock { $0 += bytes }
      return nil
    }
    #expect(console.print(Array("done\n".utf8)))
    #expect(written.withLock { $0 } == Array("done\n".utf8))
  }

  @Test func `a verb`() throws {
    let verb =
      ProcessVerb(WaveArguments.spec, WaveArguments()) { arguments, host in
        host.print("Goodbye, \(arguments.name)!") ? .success : .failed
      }
    #expect(verb.name == "wave")
  }
}
