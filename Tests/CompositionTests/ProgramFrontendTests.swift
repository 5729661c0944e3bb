import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import ProcessTesting
import Testing
@testable import todostream

@testable import EventApp

/// An application lists its frontends as it lists its plugins, and with its line all of one is gone.
@Suite(.hangLimit) struct ProgramFrontendTests {
  private func application(_ frontends: [any ProgramFrontend]) -> Application {
    var application = Application(Todos())
    application.frontends = frontends
    return application
  }

  private func invocation(_ application: Application, _ words: String...) throws -> Invocation {
    let store = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)/todos.sqlite"
    return try Invocation(application, (["--store", store] + words).words, [])
  }

  private func help(_ application: Application) throws -> [String] {
    var options = ProcessOptions(application, [])
    options.store = "/nowhere/todos.sqlite"
    let invocation = Invocation(application, options, [], availablePlugins: [])
    return try Composition(invocation, .job(.reads)).lines(RequestHelp(topic: ["all"]))
  }

  private static let owned = [
    "repl": ["open", "--no-startup"], "batch": ["run"], "completion": ["completions"],
    "jsonrpc": ["serve"], "sockets": ["--listen[=PATH]"],
  ]

  @Test(arguments: ["repl", "batch", "completion", "jsonrpc", "sockets"])
  func `S105 with its line taken out, its words, their help and their completion are gone`(
    _ name: String
  ) throws {
    let all = Application(Todos())
    let others = application(all.frontends.filter { $0.name != name })
    let owned = try #require(Self.owned[name])
    for word in owned {
      let isNamed = { (lines: [String]) in lines.contains { $0.hasPrefix("  \(word) ") } }
      #expect(isNamed(try help(all)), "\(word)")
      let lines = try help(others).filter { !$0.hasPrefix("  open  ") }
      #expect(!isNamed(lines), "\(word)")
      let begun = String(word.prefix { $0 != "[" })
      let completed = { (application: Application) in
        application.catalogue([]).completion(ofProcess: [], prefix: begun).candidates.map(\.word)
      }
      #expect(completed(all).contains { $0.hasPrefix(begun) }, "\(word)")
      #expect(!completed(others).contains { $0.hasPrefix(begun) }, "\(word)")
    }
  }

  @Test func `the first of the list that can do it does it`() throws {
    let (first, second) = (Typist("first", types: "add"), Typist("second"))
    let application = application([first, second])
    let silent = Console { _, _ in nil }
    #expect(try invocation(application, "add", "Milk").run(silent) == .success)
    #expect(try invocation(application, "list").run(silent) == .success)
    #expect(try invocation(application).run(silent) == .success)
    #expect(first.calls.contains("run add"))
    #expect(!first.calls.contains("run list"))
    #expect(second.calls.filter { $0.hasPrefix("run") } == ["run list", "run nothing"])
  }

  @Test func `without one that can do it, the words are an error`() {
    #expect(throws: CommandError("a command is missing; 'todostream help' lists them")) {
      try invocation(application([]))
    }
    #expect(throws: CommandError("'list' can't be run by itself")) {
      try invocation(application([]), "list")
    }
  }

  @Test func `those beside a session are called around it, and get ports on its stream`() throws {
    let (main, beside) = (Typist("main"), Typist("beside"))
    let run = try invocation(application([main, beside]), "list")
    #expect(try run.run(Console { _, _ in nil }) == .success)
    #expect(beside.calls == ["prepare", "begin", "port", "finish"])
    #expect(main.calls == ["prepare", "begin", "port", "run list", "finish"])
  }

  @Test func `where one can't begin, nothing runs, and those before it finish`() throws {
    let (first, second) = (Typist("first"), Typist("second", isHoarse: true))
    let run = try invocation(application([first, second]), "list")
    #expect(throws: Failure(.usage, "second is hoarse.")) { try run.run(Console { _, _ in nil }) }
    #expect(first.calls.last == "finish")
    #expect(second.calls.suffix(2) == ["begin", "finish"])
  }

  @Test func `an option of a verb that takes them early may stand before it`() throws {
    let application = application([Typist("typist")])
    let printed = Locked("")
    let console = Console { bytes, _ in
      printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      return nil
    }
    #expect(try invocation(application, "--loud", "type", "Ann").run(console) == .success)
    #expect(printed.withLock { $0 } == "ANN\n")
    #expect(throws: CommandError("--loud is for 'type'", offset: 0)) {
      try invocation(application, "--loud", "list", "type")
    }
  }

  @Test func `a recording that named a frontend as a plugin is replayed`() throws {
    let setup = ReplaySetup(plugins: ["undo", "sockets"], isLasting: false, environment: .init())
    let store = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).sqlite"
    defer { try? FileManager.default.removeItem(atPath: store) }
    let composition = try Composition(Application(Todos()), setup, store: store)
    #expect(composition.plugins.map(\.name) == ["undo"])
  }
}

/// Notes what it is called for.
private struct Typist: ProgramFrontend {
  let name: String
  /// The verb of the commands that it runs; nil for all.
  var types: String?
  /// Whether it can't begin.
  var isHoarse = false
  private let noted = Locked<[String]>([])

  init(_ name: String, types: String? = nil, isHoarse: Bool = false) {
    (self.name, self.types, self.isHoarse) = (name, types, isHoarse)
  }

  var calls: [String] { noted.withLock { $0 } }

  private func note(_ call: String) { noted.withLock { $0.append(call) } }

  /// One of several has the verb.
  var verbs: [ProcessVerb] {
    guard name == "typist" else { return [] }
    return [
      ProcessVerb(TypeArguments.spec, TypeArguments(), takesEarlyOptions: true) {
        arguments,
        host in
        host.print(arguments.loud ? arguments.name.uppercased() : arguments.name)
          ? .success : .failed
      }
    ]
  }

  func run(atTerminal isAtTerminal: Bool) -> ProcessVerb.Run? {
    guard types == nil else { return nil }
    return { host in try host.run(.job(.reads)) { _ in Said("nothing", self.note) } }
  }

  func run(_ command: any Command) -> ProcessVerb.Run? {
    let verb = type(of: command).verb
    guard types == nil || types == verb else { return nil }
    return { host in try host.run(.job(.writes)) { _ in Said(verb, self.note) } }
  }

  func prepare(_ session: ProcessSession) { note("prepare") }

  func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {
    note("begin")
    if isHoarse { throw Failure(.usage, "\(name) is hoarse.") }
    if ports("\(name) 1").origin != .application { note("port") }
  }

  func finish(_ session: ProcessSession) { note("finish") }
}

private struct TypeArguments {
  var name = ""
  var loud = false

  static let spec = CommandSpec<Self>("type", "Types.")
    .word(\.name, "What", placeholder: "NAME")
    .option(\.loud, "In capitals", flag: "--loud")
}

/// A frontend that notes that it runs.
private struct Said: Frontend {
  let name = "said"
  private let what: String
  private let note: (String) -> Void

  init(_ what: String, _ note: @escaping (String) -> Void) {
    (self.what, self.note) = (what, note)
  }

  func run(_ port: ViewPort) -> EventCommands.ExitStatus {
    note("run \(what)")
    return .success
  }
}
