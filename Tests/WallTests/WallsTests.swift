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

  @Test(
    arguments: [
      ("Sources/Toolkit/EventMVVM", "TodoModels", "EventMVVM knows nobody but the C library"),
      ("Sources/Toolkit/EventMVVM", "Foundation", "EventMVVM knows nobody but the C library"),
      ("Sources/Toolkit/JSONText", "EventMVVM", "JSONText knows nobody but the C library"),
      ("Sources/Todo/TodoModels", "GRDB", "only the engine knows the database library"),
      (
        "Sources/Todo/TodoViewModels", "SQLiteEngine",
        "the models do not know where they are stored"
      ),
      ("Frontends/Batch", "TodoViewModels", "a frontend knows no domain"),
      ("Frontends/Batch", "GRDB", "only the engine knows the database library"),
      ("Frontends/Batch", "REPL", "frontends and plugins do not know each other"),
      ("Frontends/REPL", "Batch", "frontends and plugins do not know each other"),
      ("Frontends/JSONRPC", "TodoViewModels", "a frontend knows no domain"),
      ("Sources/Serving/EventRPC", "EventCommands", "it is not in the table"),
      ("Frontends/Batch", "Analytics", "frontends and plugins do not know each other"),
      ("Plugins/Analytics", "UndoHistory", "frontends and plugins do not know each other"),
      ("Plugins/Analytics", "Batch", "frontends and plugins do not know each other"),
      ("Plugins/Trace", "TodoViewModels", "a plugin knows no domain"),
      ("Plugins/Analytics", "SQLiteEngine", "only the composition root knows the store"),
      ("Sources/Unheard", "EventMVVM", "the room is not in the table"),
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

/// Which room may import what.
enum Wall {
  private static let cLibrary: Set = ["Glibc", "Musl", "Darwin"]
  private static let events: Set = ["EventMVVM", "EventCommands", "JSONText"]

  private static let table: [String: Set<String>] = [
    "Sources/Support/Seams": cLibrary.union(["Synchronization"]),
    "Sources/Toolkit/EventMVVM": cLibrary.union(["Seams", "Synchronization"]),
    "Sources/Toolkit/JSONText": cLibrary,
    "Sources/Toolkit/EventCommands": cLibrary.union([
      "EventMVVM", "JSONText", "Seams", "Dispatch", "Synchronization",
    ]),
    "Sources/Toolkit/EventPatterns": events,
    "Sources/Support/Platform": ["CSupervisor", "EventMVVM", "Seams", "Foundation"],
    "Sources/Serving/EventRPC": [
      "Platform", "EventMVVM", "JSONText", "Seams", "Foundation", "Synchronization",
    ],
    "Sources/Serving/EventServing": events.union([
      "EventRPC", "Platform", "Foundation", "Dispatch", "Synchronization",
    ]),
    "Sources/Records/EventRecordsTesting": [
      "EventMVVM", "EventMVVMTesting", "EventRecords", "Foundation", "SQLiteEngine", "Testing",
    ],
    "Sources/Toolkit/EventMVVMTesting": cLibrary.union(["EventMVVM", "Foundation", "Testing"]),
    "Sources/Todo/TodoModels": ["EventCommands", "EventMVVM", "EventRecords"],
    "Sources/Records/EventRecords": events.union(["Dispatch"]),
    "Sources/Engines/SQLiteEngine": [
      "CSQLite", "Platform", "EventMVVM", "EventRecords", "JSONText", "GRDB", "GRDBSQLite",
      "Seams", "Foundation",
    ],
    "Sources/Engines/PostgresEngine": ["EventMVVM", "EventRecords", "Seams", "Foundation"],
    "Sources/Todo/TodoViewModels": events.union(["EventPatterns", "EventRecords", "TodoModels"]),
    "Sources/Todo/todostream": events.union([
      "EventApp", "EventPatterns", "EventRecords", "StandardParts", "TodoModels", "TodoStores",
      "TodoViewModels",
    ]),
    "Sources/Todo/TodoStores": ["EventRecords"],
    "Sources/Support/EventApp": events.union([
      "EventPatterns", "EventRecords", "Foundation", "Platform",
    ]),
    "Sources/Support/StandardParts": [
      "EventApp", "SQLiteEngine", "PostgresEngine", "Batch", "Completion", "Inspector", "JSONRPC",
      "REPL", "Analytics", "ExternalObserver", "SessionRecorder", "Trace", "UndoHistory",
    ],
    "Sources/Support/ProcessTesting": [
      "EventCommands", "EventMVVM", "EventMVVMTesting", "JSONText", "Foundation", "Dispatch",
    ],
    "Sources/Support/Release": ["Foundation", "PackagePlugin"],
    // EventRecords is the layer of stored values: no domain and no engine, so that a plugin may know
    // it.
    "Plugins/Analytics": events.union([
      "EventRecords", "Platform", "Seams", "Foundation", "Synchronization",
    ]),
    "Plugins/UndoHistory": events.union(["EventRecords"]),
    // `Swift` is named for what only its interface for reflection tells.
    "Plugins/SessionRecorder": events.union(["Platform", "Foundation", "Swift"]),
    "Plugins/ExternalObserver": events.union([
      "Platform", "EventRPC", "EventServing", "Foundation",
    ]),
    "Frontends/Inspector/Sources/Inspector": events.union([
      "Platform", "EventRPC", "EventServing", "Foundation",
    ]),
    // The inspector sees products alone, and its index no server.
    "Frontends/Inspector/Sources/CSearch": [],
    "Frontends/Inspector/Sources/RecordingIndex": [
      "CSearch", "Dispatch", "Foundation", "JSONText", "Synchronization",
    ],
    "Frontends/Inspector/Sources/todostream-inspector": [
      "ArgumentParser", "Foundation", "JSONText", "NIOCore", "NIOHTTP1", "NIOPosix",
      "RecordingIndex", "Synchronization",
    ],
    "Frontends/REPL": events.union([
      "CEditLine", "EventPatterns", "Platform", "Seams", "Foundation", "Dispatch",
      "Synchronization",
    ]),
    "Frontends/JSONRPC": events.union([
      "Platform", "EventRPC", "EventServing", "Foundation", "Dispatch",
    ]),
    "Benchmarks/Sources/Benchmarks": cLibrary.union([
      "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "JSONText", "CountedMemory",
      "AsyncAlgorithms", "OpenCombine", "Foundation", "Dispatch", "Synchronization",
    ]),
    "Benchmarks/Sources/CountedMemory": [],
    "Benchmarks/Sources/ServerBenchmark": ["Foundation"],
    "Examples/Observers/UrgentTodos": ["JSONText", "Foundation"],
    "Examples/Plugin/Sources/Streak": ["EventMVVM", "EventCommands"],
    "Examples/Frontend/Sources/LineServer": ["EventMVVM", "EventCommands", "Foundation"],
    "Examples/Frontend/Sources/todostream-lines": [
      "Batch", "EventApp", "EventCommands", "EventPatterns", "EventRecords", "LineServer",
      "REPL", "SQLiteEngine", "TodoModels", "TodoStores", "TodoViewModels", "UndoHistory",
    ],
    "Examples/Embedding/Sources/todostream-embedding": [
      "EventMVVM", "EventRecords", "SQLiteEngine", "TodoModels", "TodoStores", "TodoViewModels",
    ],
    "Examples/LabJournal/Sources/labjournal": [
      "EventApp", "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "Foundation",
      "LineServer", "StandardParts",
    ],
    "Examples/Template/Sources/notes": [
      "EventApp", "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "StandardParts",
    ],
    "Examples/Cart/Sources/todostream-cart": [
      "EventApp", "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "StandardParts",
    ],
    "Examples/Messages/Sources/todostream-messages": [
      "EventApp", "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "Foundation",
      "StandardParts",
    ],
    "Examples/Profile/Sources/todostream-profile": events.union([
      "EventApp", "EventPatterns", "EventRecords", "Foundation", "FoundationNetworking",
      "StandardParts",
    ]),
  ]

  /// What a target may import; nil if nobody has said.
  private static func allowed(_ room: String) -> Set<String>? {
    if let modules = table[room] { return modules }
    if room.hasPrefix("Frontends/") || room.hasPrefix("Plugins/") {
      return events.union(["Platform", "Seams", "Foundation", "Dispatch", "Synchronization"])
    }
    return nil
  }

  /// A sentence on an import that goes through a wall; nil if it goes through none.
  static func breach(_ room: String, _ module: String) -> String? {
    let allowed = allowed(room)
    guard allowed?.contains(module) != true else { return nil }
    let name = room.split(separator: "/").last ?? ""
    return "\(name) must not import \(module): \(wall(room, module, isKnown: allowed != nil))."
  }

  private static func wall(_ room: String, _ module: String, isKnown: Bool) -> String {
    guard isKnown else { return "the room is not in the table" }
    if module.hasPrefix("GRDB") { return "only the engine knows the database library" }
    switch room {
    case "Sources/Toolkit/EventMVVM": return "EventMVVM knows nobody but the C library"
    case "Sources/Toolkit/JSONText": return "JSONText knows nobody but the C library"
    default: break
    }
    if module == "SQLiteEngine" || module == "PostgresEngine" {
      return room.hasPrefix("Sources/")
        ? "the models do not know where they are stored"
        : "only the composition root knows the store"
    }
    guard room.hasPrefix("Frontends/") || room.hasPrefix("Plugins/") else {
      return "it is not in the table"
    }
    let guest = room.hasPrefix("Plugins/") ? "plugin" : "frontend"
    return module.hasPrefix("Todo")
      ? "a \(guest) knows no domain" : "frontends and plugins do not know each other"
  }
}

extension Wall {
  static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  /// The folders of all targets that are no tests.
  static let rooms: [String] = [
    "Sources/Toolkit", "Sources/Records", "Sources/Engines", "Sources/Serving", "Sources/Todo",
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
