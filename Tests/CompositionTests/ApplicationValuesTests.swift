import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import ProcessTesting
import SQLiteEngine
import Testing
import StandardParts
@testable import todostream

@testable import EventApp

/// What an application is made of are values that it is given.
@Suite(.hangLimit) struct ApplicationValuesTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/values-\(UUID().uuidString)"

  /// What a run prints on standard output.
  private func run(_ application: Application, _ words: String...) throws -> String {
    let printed = Locked<[UInt8]>([])
    let console = Console { bytes, descriptor in
      if descriptor == 1 { printed.withLock { $0 += bytes } }
      return nil
    }
    let invocation = try Invocation(application, words.words, application.plugins)
    #expect(try invocation.run(console) == .success)
    return String(decoding: printed.withLock { $0 }, as: UTF8.self)
  }

  private func files() -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder))?.sorted() ?? []
  }

  @Test func `all that a program keeps is in the folder that it is given`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let paths = UserPaths(Todos().program, in: folder)
    #expect(try run(Application(Todos(), paths: paths), "add", "Milk") == "Added #1 Milk\n")
    #expect(files() == ["todos.sqlite", "todos.sqlite-bell"])
    #expect(paths.state("history") == folder + "/state/history")
    #expect(paths.configuration("startup.todo") == folder + "/config/startup.todo")
  }

  @Test func `records are kept by the engine that it is given`() throws {
    let memory = MemoryDatabase()
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.plugins = []
    application.engines = [Memory(memory)]
    #expect(try run(application, "add", "Milk") == "Added #1 Milk\n")
    #expect(try run(application, "list").contains("Milk"))
    #expect(files() == [])
  }

  @Test func `the store is closed at the end of a session, whoever still holds its stream`() throws
  {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let keeper = Timekeeper()
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.plugins = [.on(keeper)]
    #expect(try run(application, "add", "Milk") == "Added #1 Milk\n")
    #expect(keeper.stream.withLock { $0 } != nil)
    #expect(files() == ["todos.sqlite", "todos.sqlite-bell"])
  }

  @Test func `who joined last leaves first, and the store is there for all of them`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let left = Locked<[String]>([])
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.plugins = [.on(Leaver("first", left)), .on(Leaver("second", left))]
    #expect(try run(application, "list") == "")
    #expect(left.withLock { $0 } == ["second", "first"])
  }
}

extension ApplicationValuesTests {
  @Test func `a domain without screens has none of their words, commands and states`() throws {
    let application = Application(Bare(), paths: UserPaths(Bare().program, in: folder))
    let invocation = try Invocation(application, ["help"].words, application.plugins)
    let composition = try Composition(invocation, .job(.none))
    let catalogue = composition.catalogue
    #expect(catalogue.screenCommands.map { $0.verb } == ["answer"])
    #expect(catalogue.wire.states.isEmpty)
    let help = try composition.lines(RequestHelp(topic: ["all"])).joined(separator: "\n")
    let commands = try composition.lines(RequestCommands()).joined(separator: "\n")
    for word in ["open", "back", "screen"] {
      #expect(!help.contains(word) && !commands.contains(word), "\(word)")
    }
    #expect(help.contains("whistle") && commands.contains("whistle"))
    #expect(catalogue.completion(ofProcess: [], prefix: "o").candidates == [])
    #expect(throws: CommandError("no command 'open'; 'help' lists the commands", offset: 0)) {
      try Invocation(application, ["open", "x"].words, application.plugins)
    }
  }
}

/// Stores in the memory of the test.
private struct Memory: EngineProvider {
  let database: MemoryDatabase
  var addressForm: String? { nil }

  init(_ database: MemoryDatabase) { self.database = database }

  func recognizes(_ address: String) -> Bool { true }
  func engine(
    _ store: StoreConfiguration,
    file: (@Sendable (_ path: String) -> any RecordEngine)?
  ) -> any RecordEngine {
    database
  }
}

/// A domain with a command alone.
private struct Bare: Domain {
  let program = Program("bare", version: "1", summary: "Whistles.")
  let records: [any Record.Type] = []
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) { catalogue.add("", [RequestWhistle.self]) }
  func servers(_ setting: ServerConfiguration) -> Servers { Servers([Whistler()]) }
}

/// Keeps the stream, as a timer does.
private final class Timekeeper: Plugin {
  let name = "timekeeper"
  let stream = Locked<EventStream?>(nil)

  func join(_ stream: EventStream) { self.stream.withLock { $0 = stream } }
}

/// Notes when it leaves.
private struct Leaver: Plugin {
  let name: String
  let left: Locked<[String]>

  init(_ name: String, _ left: Locked<[String]>) {
    self.name = name
    self.left = left
  }

  func join(_ stream: EventStream) {}
  func leave() { left.withLock { $0.append(name) } }
}
