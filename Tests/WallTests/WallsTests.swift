import EventMVVMTesting
import Foundation
import Testing

/// The walls of the house: which target may import what, read off the sources themselves.
///
/// The manifest does not stop an import that slips through another target; this does.
@Suite(.hangLimit) struct WallsTests {
  @Test(arguments: Wall.rooms)
  func `a target imports what the table allows, and nothing else`(_ room: String) throws {
    for file in try Wall.sources(of: room) {
      let text = try String(contentsOf: file, encoding: .utf8)
      for module in ImportLine.modules(in: text) {
        if let sentence = Wall.breach(room, module) {
          Issue.record("\(file.lastPathComponent): \(sentence)")
        }
      }
    }
  }

  @Test(
    arguments: [
      ("Sources/Todo/TodoModels", "TodoViewModels"), ("Sources/Todo/TodoModels", "Batch"),
      ("Sources/Todo/TodoViewModels", "Batch"),
      ("Sources/Todo/TodoViewModels", "SQLiteEngine"), ("Frontends/Batch", "TodoModels"),
      ("Frontends/Batch", "SQLiteEngine"), ("Plugins/Trace", "TodoModels"),
      ("Plugins/Trace", "TodoViewModels"), ("Plugins/Trace", "Batch"),
    ])
  func `S8 models know no view models, view models no views, views no models`(
    _ room: String,
    _ module: String
  ) throws {
    #expect(Wall.breach(room, module) != nil)
    for file in try Wall.sources(of: room) {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(!ImportLine.modules(in: text).contains(module), "\(file.lastPathComponent)")
    }
  }

  @Test func `frontends, plugins and engines are named in the list of the standard parts alone`()
    throws
  {
    let listed = Set(
      Wall.rooms
        .filter { room in
          ["Plugins/", "Frontends/", "Sources/Engines/"].contains { room.hasPrefix($0) }
            && !Wall.overRoles.contains(room)
        }
        .map { String($0.split(separator: "/").last ?? "") }
    )
    let composing = Wall.rooms.filter {
      $0.hasPrefix("Sources/Support/") || $0.hasPrefix("Sources/Todo/")
    }
    var naming: [String] = []
    for file in try composing.flatMap({ try Wall.sources(of: $0) }) {
      let text = try String(contentsOf: file, encoding: .utf8)
      if ImportLine.modules(in: text).contains(where: listed.contains) {
        naming.append(file.lastPathComponent)
      }
    }
    #expect(naming == ["Parts+Standard.swift"])
  }

  @Test func `a plugin over roles knows records and their commands alone`()
    throws
  {
    for room in Wall.overRoles {
      var imported: Set<String> = []
      for file in try Wall.sources(of: room) {
        imported.formUnion(ImportLine.modules(in: try String(contentsOf: file, encoding: .utf8)))
      }
      let known: Set = [
        "EventCommands", "EventMVVM", "EventRecords", "EventValues", "JSONText", "RecordCommands",
      ]
      #expect(imported.subtracting(known) == [])
      #expect(imported.contains("RecordCommands"))
    }
  }

  @Test func `the core imports what each platform has, and of ours the seam alone`() throws {
    var imported: Set<String> = []
    for file in try Wall.sources(of: "Sources/Toolkit/EventMVVM") {
      imported.formUnion(ImportLine.modules(in: try String(contentsOf: file, encoding: .utf8)))
    }
    #expect(imported == ["Seams", "Synchronization", "Glibc", "Musl", "Darwin"])
  }

  @Test(arguments: Wall.rooms)
  func `every room has sources, and the README says what is in it`(_ room: String) throws {
    #expect(try !Wall.sources(of: room).isEmpty)
    let parts = room.split(separator: "/").map(String.init)
    guard ["Sources", "Plugins", "Frontends"].contains(parts[0]), !parts.contains("Inspector")
    else {
      return
    }
    let readme = try String(
      contentsOf: Wall.package.appending(path: "README.md"),
      encoding: .utf8
    )
    let storey = parts.count > 2 ? "  \(parts[1])/" : "\(parts[0])/"
    let lines = readme.split(separator: "\n").drop { !$0.hasPrefix(storey) }
    let described = lines.dropFirst().prefix { $0.hasPrefix("        ") }
    #expect(
      ([lines.first ?? ""] + described).contains { $0.contains(" \(parts[parts.count - 1]) ") }
    )
  }

  @Test(arguments: Wall.known.keys.sorted())
  func `the manifest itself goes through no wall`(_ room: String) throws {
    for module in try #require(Wall.known[room]) {
      #expect(Wall.breach(room, module) == nil)
    }
  }

  @Test func `all rooms of the package stand in the manifest, and nothing else does`() {
    let own = Wall.rooms.filter { room in
      ["Sources/", "Plugins/", "Frontends/"].contains { room.hasPrefix($0) }
        && (!room.hasPrefix("Frontends/Inspector/") || room.hasSuffix("/Inspector"))
    }
    #expect(Set(own) == Set(Wall.known.keys))
  }

  @Test(
    arguments: [
      ("Sources/Toolkit/EventMVVM", "TodoModels", "the toolkit knows itself alone"),
      ("Sources/Toolkit/EventMVVM", "Foundation", "it is built without Foundation"),
      ("Sources/Toolkit/JSONText", "EventMVVM", "the manifest does not name it"),
      ("Sources/Records/EventRecords", "SQLiteEngine", "records do not know where they are stored"),
      ("Sources/Records/EventRecords", "EventCommands", "records know no commands"),
      ("Sources/Todo/TodoModels", "EventCommands", "models know no commands"),
      ("Sources/Todo/TodoModels", "Completing", "the manifest does not name it"),
      ("Sources/Todo/TodoViewModels", "Analytics", "todos see what other domains see"),
      ("Plugins/Completing", "TodoModels", "a plugin knows no domain"),
      ("Plugins/Completing", "SQLiteEngine", "a plugin knows no engine"),
      ("Plugins/Completing", "EventApp", "frontends and plugins do not know each other"),
      ("Sources/Todo/TodoModels", "GRDB", "only the engine knows the database library"),
      ("Sources/Todo/TodoModels", "TodoViewModels", "the manifest does not name it"),
      ("Sources/Todo/TodoViewModels", "SQLiteEngine", "todos see what other domains see"),
      ("Sources/Engines/SQLiteEngine", "PostgresEngine", "an engine knows no other"),
      ("Frontends/Batch", "TodoViewModels", "a frontend knows no domain"),
      ("Frontends/Batch", "GRDB", "only the engine knows the database library"),
      ("Frontends/Batch", "REPL", "frontends and plugins do not know each other"),
      ("Frontends/REPL", "Batch", "frontends and plugins do not know each other"),
      ("Frontends/JSONRPC", "TodoViewModels", "a frontend knows no domain"),
      ("Frontends/JSONRPC", "EventRecords", "a frontend knows no records"),
      ("Sources/Serving/EventRPC", "EventCommands", "the manifest does not name it"),
      ("Frontends/Batch", "Analytics", "frontends and plugins do not know each other"),
      ("Plugins/Analytics", "UndoHistory", "frontends and plugins do not know each other"),
      ("Plugins/Analytics", "Batch", "frontends and plugins do not know each other"),
      ("Plugins/Trace", "TodoViewModels", "a plugin knows no domain"),
      ("Plugins/Analytics", "SQLiteEngine", "a plugin knows no engine"),
      ("Sources/Unheard", "EventMVVM", "the room is not in the manifest"),
    ])
  func `an import that goes through a wall is named`(
    _ room: String,
    _ module: String,
    _ wall: String
  ) {
    let name = room.split(separator: "/").last ?? ""
    #expect(Wall.breach(room, module) == "\(name) must not import \(module): \(wall).")
  }

  @Test(
    arguments: [
      ("import Foundation", "Foundation"),
      ("public import EventMVVM", "EventMVVM"),
      ("  package import EventMVVM // a comment", "EventMVVM"),
      ("internal import EventMVVM;", "EventMVVM"),
      ("@testable import Batch", "Batch"),
      ("@_spi(Testing) @preconcurrency private import Batch", "Batch"),
      ("@_exported import struct GRDB.Row", "GRDB"),
      ("fileprivate import class Foundation.Thread", "Foundation"),
      ("import protocol EventRecords.Record", "EventRecords"),
      ("import `Batch`", "Batch"),
      ("@testable\nimport Batch", "Batch"),
      ("import\tGRDB", "GRDB"),
      ("let x = 1; import GRDB", "GRDB"),
    ])
  func `an import is seen however it is written`(_ line: String, _ module: String) {
    #expect(ImportLine.modules(in: line) == [module])
  }

  @Test(
    arguments: [
      "// import GRDB", "/// import GRDB", "/* import GRDB */", "let text = \"import GRDB\"",
      "important(GRDB)", "self.import(GRDB)", "#if canImport(GRDB)",
    ])
  func `what only looks like an import is none`(_ line: String) {
    #expect(ImportLine.modules(in: line) == [])
  }
}

/// No test can hang: each has a limit, and waits with one.
@Suite(.hangLimit) struct LimitTests {
  @Test func `every suite has a limit`() throws {
    for file in try Wall.testSources() where file.lastPathComponent != "WallsTests.swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      let suites = text.matches(of: /@Suite(\([^)]*\))?/).map { String($0.output.0) }
      for suite in suites
      where !suite.contains(".hangLimit") && !suite.contains(".timeLimit(.minutes(") {
        Issue.record("\(file.lastPathComponent): a suite without a limit: \(suite)")
      }
      if text.contains("@Test"), suites.isEmpty {
        Issue.record("\(file.lastPathComponent): tests without a suite, and so without a limit")
      }
    }
  }

  @Test(
    arguments: [
      "DispatchSemaphore(", "DispatchGroup(", "withCheckedContinuation", "waitUntilExit(",
    ]
  )
  func `nobody waits without a limit`(_ waiting: String) throws {
    // A program that a test drives; a compiler whose output has ended; threads that all end with
    // their children.
    let excused = [
      "WallsTests.swift", "LineEditorDriver/main.swift", "ProcessTesting/Compiler.swift",
      "CrashTests/Support/Threads.swift",
    ]
    for file in try Wall.testSources() where !excused.contains(where: file.path.hasSuffix) {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains(waiting) {
        Issue.record("\(file.lastPathComponent): wait by `waitUntil`, not by \(waiting)…)")
      }
    }
  }
}

/// Which room may import what: what the manifest names, which in turn keeps to the storeys.
enum Wall {
  /// The storeys that the rooms of a storey may know, beside the two rooms below all of them.
  private static let below: [String: Set<String>] = [
    "Sources/System": ["Sources/Toolkit", "Sources/System"],
    "Sources/Toolkit": ["Sources/Toolkit"],
    "Sources/Records": ["Sources/Toolkit", "Sources/Records"],
    "Sources/Engines": ["Sources/Toolkit", "Sources/Records"],
    "Sources/Serving": ["Sources/Toolkit", "Sources/Serving"],
    "Frontends": ["Sources/Toolkit", "Sources/Serving"],
    "Plugins": ["Sources/Toolkit", "Sources/Records", "Sources/Serving"],
    // The list of all parts is here.
    "Sources/Support": [
      "Sources/Toolkit", "Sources/Records", "Sources/Engines", "Sources/Serving",
      "Sources/Support", "Frontends", "Plugins",
    ],
    "Sources/Todo": ["Sources/Toolkit", "Sources/Records", "Sources/Support", "Sources/Todo"],
  ]
  /// The plugins over roles, which a record names.
  static let overRoles: Set = ["Plugins/Completing", "Plugins/Recurring", "Plugins/Scheduling"]
  /// The rooms below all storeys: what a process needs of the system.
  private static let system: Set = ["Platform", "Seams"]
  /// Modules of the toolchain and of the system.
  private static let external: Set = [
    "Darwin", "Dispatch", "Foundation", "Glibc", "Musl", "PackagePlugin", "Swift",
    "Synchronization", "Testing",
  ]
  /// The rooms that run where there is no Foundation, or start without it.
  private static let withoutFoundation: Set = [
    "EventMVVM", "EventValues", "JSONText", "EventCommands", "EventPatterns", "EventRecords",
    "RecordCommands", "Seams",
    "TodoModels", "TodoStores", "TodoViewModels", "UndoHistory", "todostream",
  ]

  /// What each room of the manifest names.
  static let known: [String: Set<String>] = {
    let manifest = package.appending(path: "Package.swift")
    let text = (try? String(contentsOf: manifest, encoding: .utf8)) ?? ""
    let rooms = text.components(separatedBy: "let tests").first ?? ""
    var known: [String: Set<String>] = [:]
    let storeys = [
      "toolkit": "Sources/Toolkit", "records": "Sources/Records", "engine": "Sources/Engines",
      "system": "Sources/System", "serving": "Sources/Serving", "support": "Sources/Support",
      "todo": "Sources/Todo",
      "frontend": "Frontends", "plugin": "Plugins",
    ]
    let room =
      /\.(?<kind>\w+)\(\s*"(?<name>\w+)"(?:,\s*\[(?<known>[^\]]*)\])?(?:,\s*in: "(?<folder>[^"]+)")?/
    for match in rooms.matches(of: room) {
      guard let storey = storeys[String(match.kind)] else { continue }
      let names = (match.known ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
      let every =
        storey.hasPrefix("Sources")
        ? [] : ["Platform", "EventMVVM", "EventCommands", "EventValues", "JSONText"]
      known["\(storey)/\(match.folder ?? match.name)"] = Set(names + every)
    }
    // The two that are no libraries.
    let program = /name: "todostream",\s*dependencies: \[([^\]]*)\]/
    let parts = rooms.firstMatch(of: program)?.output.1.matches(of: /"(\w+)"/) ?? []
    known["Sources/Todo/todostream"] = Set(parts.map { String($0.output.1) })
    known["Sources/Support/Release"] = []
    return known
  }()

  /// The storey of a module of the package; nil for any other module.
  private static let storeys: [String: String] = Dictionary(
    uniqueKeysWithValues: known.keys.map { room in
      (String(room.split(separator: "/").last ?? ""), storey(room))
    }
  )

  private static func storey(_ room: String) -> String {
    let parts = room.split(separator: "/")
    return parts.prefix(parts.first == "Sources" ? 2 : 1).joined(separator: "/")
  }

  /// A sentence on an import that goes through a wall; nil if it goes through none.
  static func breach(_ room: String, _ module: String) -> String? {
    let name = String(room.split(separator: "/").last ?? "")
    return wall(room, name, module).map { "\(name) must not import \(module): \($0)." }
  }

  private static func wall(_ room: String, _ name: String, _ module: String) -> String? {
    if external.contains(module) {
      let isBare = module == "Foundation" && withoutFoundation.contains(name)
      return isBare ? "it is built without Foundation" : nil
    }
    if module.hasPrefix("GRDB"), name != "SQLiteEngine", name != "Benchmarks" {
      return "only the engine knows the database library"
    }
    if module == "EventCommands", name == "EventRecords" { return "records know no commands" }
    if module == "EventCommands", name == "TodoModels" { return "models know no commands" }
    guard let named = known[room] else {
      // Another package sees products alone, as its own manifest says.
      let isOwn =
        ["Sources/", "Plugins/", "Frontends/"].contains { room.hasPrefix($0) }
        && !room.hasPrefix("Frontends/Inspector/")
      return isOwn ? "the room is not in the manifest" : nil
    }
    let storey = storey(room)
    let isOfRecord = storey == "Sources/Todo" && overRoles.contains("Plugins/\(module)")
    if let other = storeys[module], !system.contains(module), !isOfRecord,
      (name, module) != ("EventRecordsTesting", "SQLiteEngine"),
      below[storey]?.contains(other) != true
    {
      return wall(between: storey, other)
    }
    return named.contains(module) ? nil : "the manifest does not name it"
  }

  private static func wall(between storey: String, _ other: String) -> String {
    let guest = storey == "Plugins" ? "plugin" : "frontend"
    return switch (storey, other) {
    case ("Sources/Toolkit", _): "the toolkit knows itself alone"
    case ("Sources/Records", _): "records do not know where they are stored"
    case ("Sources/Engines", _): "an engine knows no other"
    case ("Sources/Todo", _): "todos see what other domains see"
    case (_, "Sources/Todo"): "a \(guest) knows no domain"
    case (_, "Sources/Engines"): "a \(guest) knows no engine"
    case (_, "Sources/Records"): "a \(guest) knows no records"
    default: "frontends and plugins do not know each other"
    }
  }
}

extension Wall {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The folders of all targets that are no tests.
  static let rooms: [String] = [
    "Sources/System", "Sources/Toolkit", "Sources/Records", "Sources/Engines", "Sources/Serving",
    "Sources/Todo",
    "Sources/Support", "Frontends", "Plugins", "Benchmarks/Sources", "Examples/Observers",
    "Examples/Plugin/Sources", "Examples/Frontend/Sources", "Examples/Cart/Sources",
    "Examples/Embedding/Sources", "Examples/Messages/Sources",
    "Examples/LabJournal/Sources", "Examples/Profile/Sources", "Examples/Template/Sources",
    "Frontends/Inspector/Sources",
  ]
  .flatMap { folder in
    let names = try? FileManager.default
      .contentsOfDirectory(atPath: package.appending(path: folder).path)
    return (names ?? []).filter { !$0.contains(".") }.sorted().map { "\(folder)/\($0)" }
  }
  // A package of its own, whose targets are listed.
  .filter { $0 != "Frontends/Inspector" }

  /// The sources of all tests.
  static func testSources() throws -> [URL] {
    try [
      "Tests", "Examples/Tests", "Examples/LabJournal/Tests", "Examples/Plugin/Tests",
      "Examples/Template/Tests", "Frontends/Inspector/Tests",
    ]
    .flatMap { try sources(of: $0) }
    .filter { $0.pathExtension == "swift" }
  }

  /// The sources of a target, in Swift and in C.
  static func sources(of room: String) throws -> [URL] {
    let folder = package.appending(path: room)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }
      .map { folder.appending(path: $0) }
  }
}

/// Reads import declarations: any access level, any attributes, whole modules and parts of them.
enum ImportLine {
  /// The modules that a source imports, each as often as it does.
  static func modules(in source: String) -> [String] {
    // In C, where `#include` is all there is, nothing matches.
    let code = source.replacing(/\/\*.*?\*\//.dotMatchesNewlines(), with: " ")
    let declaration =
      /(?:^|;)\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:typealias|struct|class|enum|protocol|let|var|func|actor)\s+)?`?(\w+)/
      .anchorsMatchLineEndings()
    return code.matches(of: declaration).map { String($0.output.1) }
  }
}
