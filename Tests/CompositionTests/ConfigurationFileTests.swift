import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import ProcessTesting
import Testing
@testable import todostream

@testable import EventApp

/// Options of plugins and frontends stand in the user's configuration file, too.
@Suite(.hangLimit) final class ConfigurationFileTests {
  private let cheerleader = Cheerleader()
  private let clown = Clown()
  private let folder = FileManager.default.temporaryDirectory.path + "/file-\(UUID().uuidString)"
  private var path: String { folder + "/config/config.toml" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, mode: Int = 0o600) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/config",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @discardableResult
  private func invocation(_ words: String...) throws -> Invocation {
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.frontends.append(clown)
    return try Invocation(application, words.words, [.on(cheerleader), .on(Listener())])
  }

  @Test func `a plugin and a frontend are handed what their tables say`() throws {
    try write(
      """
      # What is said at each start.
      [plugins.cheerleader]
      cheer = ["Go", 'Hurrah!', # twice
        "\\"Olé\\""]

      [frontends."clown"]
      nose = true
      balls = 3
      """
    )
    let invocation = try invocation("list")
    #expect(cheerleader.calls == ["take Go Hurrah! \"Olé\""])
    #expect(clown.taken.withLock { $0 } == ["true 3"])
    #expect(invocation.warnings == [])
  }

  @Test func `words have precedence, and follow where an option can be repeated`() throws {
    try write(
      """
      plugins.cheerleader.cheer = "Go"
      [frontends.clown]
      balls = 3
      """
    )
    try invocation("--balls", "5", "list", "--cheer", "Hurrah")
    #expect(cheerleader.calls == ["take Go Hurrah"])
    #expect(clown.taken.withLock { $0 } == ["false 5"])
  }

  @Test func `what is no session does not read it`() throws {
    try write("nonsense")
    try invocation("--version")
    try invocation("wave", "Ann")
    #expect(cheerleader.calls == [])
  }

  @Test func `an option for sessions in it is not given to what refuses one`() throws {
    try write("[plugins.cheerleader]\ncheer = 'Go'\n")
    let invocation = try invocation("list")
    #expect(invocation.options.given.flagsForSessions == [])
  }

  @Test func `--listen from it holds in a session that lasts, and stops no command`() throws {
    try write("[frontends.sockets]\nlisten = true\n")
    let silent = Console { _, _ in nil }
    #expect(try invocation("help").run(silent) == .success)
    let failure = Failure(.usage, "--listen is for a session that lasts: the REPL, or 'serve'.")
    #expect(throws: failure) { try invocation("--listen", "help").run(silent) }
  }

  @Test func `what is unknown is a warning with its place, and all else holds`() throws {
    try write(
      """
      color = "never"
      [plugins.cheerleader]
      cheers = "Go"
        cheer = "Hurrah"
      [plugins.cheerleeder]
      cheer = "Boo"
      [plugins.listener]
      ear = true
      """
    )
    let invocation = try invocation("list")
    #expect(
      invocation.warnings == [
        "\(path):3:1: 'cheerleader' has no option 'cheers'; did you mean 'cheer'?",
        "\(path):8:1: 'listener' has no options",
        "\(path):1:1: 'color' is unknown",
        "\(path):6:1: there is no plugin 'cheerleeder'; did you mean 'cheerleader'?",
      ]
    )
    #expect(cheerleader.calls == ["take Hurrah"])
    let printed = Locked<[String]>([])
    let console = Console { bytes, descriptor in
      if descriptor == 2 { printed.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
      return nil
    }
    #expect(try invocation.run(console) == .success)
    #expect(printed.withLock { $0.first } == "warning: \(invocation.warnings[0])\n")
  }

  @Test func `the table of a plugin that is off says nothing`() throws {
    try write("[plugins.cheerleader]\ncheer = 'Boo'\n")
    let invocation = try invocation("--without", "cheerleader", "list")
    #expect(invocation.warnings == [])
    #expect(cheerleader.calls == [])
  }

  @Test(arguments: [
    ("[frontends.clown]\nballs = 'x'", ":2:1: --balls: 'x' is not a whole number from 0"),
    ("[frontends.clown]\nnose = 'x'", ":2:1: --nose takes no value"),
    ("[frontends.clown]\nballs = true", ":2:1: --balls needs a value: N"),
    ("[plugins.cheerleader]\ncheer = 'Boo'", ": --cheer: 'Boo' is no cheer"),
    ("a = 1\nb", ":2:2: '=' is missing"),
    ("a =\n", ":1:4: a value is missing: a text stands in quotes"),
    ("a = Go", ":1:5: a value is missing: a text stands in quotes"),
    ("a = 'Go\n'", ":1:5: the text that begins here has no end"),
    ("a = \"\\q\"", ":1:5: it can't be read"),
    ("a = \"\"\"x\"\"\"", ":1:5: texts of several lines are not read here"),
    ("a = {b = 1}", ":1:5: tables in braces are not read here"),
    ("[[a]]", ":1:2: arrays of tables are not read here"),
    ("[a", ":1:3: ']' is missing"),
    ("= 1", ":1:1: a key is missing"),
    ("a = [1, 2", ":1:10: ']' is missing"),
    ("a = 1 b = 2", ":1:7: one key, or one table, is a line"),
    ("a = 1\na = 2", ":2:1: 'a' is given twice"),
  ])
  func `a wrong value is a usage error with its place`(_ text: String, _ problem: String) throws {
    try write(text)
    #expect(throws: CommandError(path + problem)) { try invocation("list") }
  }

  @Test func `what the words say wrong is said as ever`() throws {
    try write("[plugins.cheerleader]\ncheer = 'Go'\n")
    #expect(throws: CommandError("--cheer: 'Boo' is no cheer")) {
      try invocation("list", "--cheer", "Boo")
    }
  }

  @Test func `one that others can change is not read`() throws {
    try write("[plugins.cheerleader]\ncheer = 'Go'\n", mode: 0o666)
    let doubt = "other users can change it; 'chmod go-w' forbids that."
    #expect(try invocation("list").warnings == ["'\(path)' is not read: \(doubt)"])
    #expect(cheerleader.calls == [])
  }
}

/// Brings options of a frontend.
private struct Clown: ProgramFrontend {
  let name = "clown"
  let taken = Locked<[String]>([])

  var options: OptionGroup? {
    OptionGroup(ClownOptions.spec, ClownOptions()) { [taken] options in
      taken.withLock { $0.append("\(options.nose) \(options.balls.number)") }
    }
  }
}

private struct ClownOptions {
  var nose = false
  var balls = Count(0)

  static let spec = CommandSpec<Self>("clown", "Options of a clown.")
    .option(\.nose, "With a nose", flag: "--nose")
    .option(\.balls, "How many it juggles", flag: "--balls")
}
