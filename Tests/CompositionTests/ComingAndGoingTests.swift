import EventCommands
import EventMVVM
import EventMVVMTesting
import ProcessTesting
import Testing

@testable import EventApp

/// Plugins come and go: a line of the composition root is all that one of them needs, and without
/// it, or where it is switched off, nothing of it is left, and nothing else is different.
@Suite(.hangLimit) struct ComingAndGoingTests {
  private static let names = [OptionalPlugin].todostream.map(\.name)

  private func verbs(of name: String) throws -> [String] {
    let optional = try #require([OptionalPlugin].todostream.first { $0.name == name })
    return ((optional.plugin as? any CommandPlugin)?.commands ?? []).map { $0.verb }
      + (optional.program?.verbs ?? []).map(\.name)
  }

  private func methods(of name: String) throws -> [String] {
    let optional = try #require([OptionalPlugin].todostream.first { $0.name == name })
    var catalogue = Catalogue()
    catalogue.add(optional.plugin)
    return catalogue.commands.map { catalogue.method(of: $0) }
  }

  /// The options of the process that a plugin brings.
  private func flags(of name: String) -> [String] {
    [OptionalPlugin].todostream.first { $0.name == name }?.program?.options?.flags ?? []
  }

  @Test(arguments: names)
  func `S13 with its line taken out a plugin is gone, and nothing else`(_ name: String) throws {
    let full = try Face("--with", name)
    let rest = try Face(from: [OptionalPlugin].todostream.filter { $0.name != name })
    let words = try verbs(of: name) + methods(of: name) + flags(of: name)
    #expect(rest == full.without(words, of: name))
    #expect(rest != full)
  }

  @Test(arguments: names)
  func `S13 switched off a plugin is gone as if its line were taken out`(_ name: String) throws {
    let off = try Face("--without", name)
    #expect(off == (try Face(from: [OptionalPlugin].todostream.filter { $0.name != name })))
    #expect(try Face("--without=\(name)") == off)
  }

  @Test func `each example is one that can be typed`() throws {
    let catalogue = Application.todostream.catalogue(.todostream)
    var count = 0
    for command in catalogue.commands + catalogue.screenCommands {
      for example in command.examples {
        count += 1
        let read = try catalogue.onScreen(nil).read(line: example)
        #expect(read.map { type(of: $0) == command } == true, "\(example)")
      }
    }
    #expect(count > 15)
  }

  @Test(arguments: names)
  func `every plugin keeps the plugin laws`(_ name: String) throws {
    for plugin in [OptionalPlugin].todostream where plugin.name == name {
      PluginLaws.check {
        [OptionalPlugin].todostream.first { $0.name == name }?.plugin ?? plugin.plugin
      }
    }
  }

  @Test(arguments: names)
  func `the built program without a plugin says nothing of it`(_ name: String) throws {
    let place = try Workplace()
    let verbs = try verbs(of: name)
    func lines(_ command: String) throws -> [String] {
      let outcome = try place.start(command).outcome()
      #expect(outcome.status == 0 && outcome.errors == [])
      return outcome.output
    }
    for command in ["help all", "commands"] {
      let full = try lines("todostream --with \(name) \(command)")
      let rest = try lines("todostream \(command) --without \(name)")
      let expected =
        command == "help all"
        ? full.without(verbs + flags(of: name))
        : full.filter { line in
          !verbs.contains { line == $0 || line.hasPrefix($0 + " ") }
        }
      #expect(rest == expected)
    }
    #expect(try !lines("todostream plugins --without=\(name)").contains(name))
    for verb in verbs {
      let outcome = try place.start("todostream --without \(name) \(verb)").outcome()
      #expect(outcome.status == 2)
      #expect(outcome.output == [])
      #expect(outcome.errors.first?.hasPrefix("error: no command '\(verb)'") == true)
      let script = try place.start("todostream --without \(name)", input: [verb]).outcome()
      #expect(script.status == 2)
    }
    for flag in flags(of: name) {
      let outcome = try place.start("todostream list --without \(name) \(flag) x").outcome()
      #expect(outcome.status == 2)
      #expect(outcome.errors == ["error: \(flag) needs the plugin '\(name)', which is off."])
    }
  }

  @Test func `a plugin that is off unless it is named is off`() throws {
    let plugins: [OptionalPlugin] = [.off(Whistler())]
    #expect(try Face(from: plugins) == (try Face(from: [])))
    #expect(try Face("--with", "whistler", from: plugins) == (try Face(from: [.on(Whistler())])))
    #expect(try Face("--with", "whistler", from: plugins).methods.contains("noise/whistle"))
    #expect(throws: CommandError("no command 'whistle'; 'help' lists the commands", offset: 0)) {
      try Invocation(.todostream, ["whistle"].words, plugins)
    }
    #expect(
      try Invocation(.todostream, ["whistle", "--with", "whistler"].words, plugins).plugins.count
        == 1
    )
  }

  @Test func `a plugin without commands comes and goes like any other`() throws {
    let face = try Face(from: [.on(Listener())])
    #expect(face.plugins.last == "listener")
    #expect(
      face.without([], of: "listener")
        == (try Face("--without", "listener", from: [.on(Listener())]))
    )
    #expect(try Face("--with", "listener", from: [.off(Listener())]) == face)
  }

  // MARK: The switches

  @Test(
    arguments: [
      (
        ["--without", "lissener", "list"],
        "--without: 'lissener' is none of the plugins that can be switched: "
          + "listener, whistler; did you mean 'listener'?"
      ),
      (
        ["list", "--with=models"],
        "--with: 'models' is none of the plugins that can be switched: listener, whistler"
      ),
      (
        ["--with", "", "list"],
        "--with: '' is none of the plugins that can be switched: listener, whistler"
      ),
      (
        ["--with", "whistler", "list", "--without", "whistler"],
        "--with and --without both name 'whistler'"
      ),
      (["list", "--with"], "--with needs a value: PLUGIN"),
    ])
  func `a switch that makes no sense is a usage error`(_ words: [String], _ message: String) {
    let plugins: [OptionalPlugin] = [.on(Listener()), .off(Whistler())]
    let error = #expect(throws: CommandError.self) {
      try Invocation(.todostream, words.words, plugins)
    }
    #expect(error?.message == message)
  }

  @Test func `where nothing can be switched, that is said`() {
    #expect(throws: CommandError("--without: no plugin can be switched")) {
      try Invocation(.todostream, ["--without", "trace", "list"].words, [])
    }
  }

  @Test func `a switch may be given twice, and for what is so already`() throws {
    let plugins: [OptionalPlugin] = [.on(Listener()), .off(Whistler())]
    func names(_ words: String...) throws -> [String] {
      try Invocation(.todostream, (words + ["list"]).words, plugins).plugins.map(\.name)
    }
    #expect(try names() == ["listener"])
    #expect(try names("--with", "listener", "--with", "listener") == ["listener"])
    #expect(try names("--without", "whistler") == ["listener"])
    #expect(try names("--without", "listener", "--with", "whistler") == ["whistler"])
    #expect(try names("--with", "whistler") == ["listener", "whistler"])
  }

  @Test func `a switch is none where it is a word or a value`() throws {
    let plugins: [OptionalPlugin] = [.on(Listener())]
    for words in [
      ["add", "A", "--subtitle", "--without", "listener"], ["add", "--", "--without", "listener"],
    ] {
      #expect(try Invocation(.todostream, words.words, plugins).plugins.map(\.name) == ["listener"])
    }
  }

  @Test func `an error behind a switch is one of what is on`() {
    let plugins: [OptionalPlugin] = [.on(Whistler())]
    #expect(throws: CommandError("no command 'whistl'; did you mean 'whistle'?", offset: 0)) {
      try Invocation(.todostream, ["whistl"].words, plugins)
    }
    #expect(throws: CommandError("no command 'whistl'; 'help' lists the commands", offset: 2)) {
      try Invocation(.todostream, ["--without", "whistler", "whistl"].words, plugins)
    }
  }

  // MARK: What does not fit

  private func problems(_ plugins: [OptionalPlugin]) -> [String] {
    let words = ["--store", "/nowhere/todos.sqlite", "list"].words
    let misfit = #expect(throws: ConfigurationError.self) {
      try Composition(Invocation(.todostream, words, plugins), .job(.reads))
    }
    return misfit?.problems ?? []
  }

  @Test func `two plugins that claim one verb do not start, and both are named`() {
    #expect(
      problems([.on(Whistler()), .on(Piper())]) == [
        "'whistle' is claimed by both 'whistler' (RequestWhistle) and 'piper' (RequestPipe)"
      ]
    )
    #expect(
      problems([.on(Lister())]) == [
        "'list' is claimed by both 'todo' (RequestTodoViewModels) and 'lister' (RequestOtherList)"
      ]
    )
  }

  @Test func `two plugins of one name do not start, and both are named`() {
    #expect(
      problems([.on(Listener()), .on(Listener(name: "records"))]) == [
        "two plugins are named 'records': RecordServer and Listener"
      ]
    )
  }

  @Test func `a command that nobody answers does not start`() {
    #expect(problems([.on(Silent())]) == ["nobody answers RequestWhistle"])
  }

  @Test func `what answers another's command does not start`() {
    let problem = "RequestWhistle is answered by both 'whistler' and 'imitator'"
    #expect(problems([.on(Whistler()), .on(Imitator())]) == [problem])
  }
}
