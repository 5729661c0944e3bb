// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "todostream",
  // What Synchronization needs.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "todostream", targets: ["todostream"]),
    .library(name: "EventCommands", targets: ["EventCommands", "JSONText"]),
    .library(name: "EventServing", targets: ["EventServing", "EventRPC"]),
    .library(name: "EventApp", targets: ["EventApp", "EventPatterns", "EventRecords"]),
    .plugin(name: "Release", targets: ["Release"]),
  ]
    + [
      "EventMVVM", "EventMVVMTesting", "EventPatterns", "EventRecords", "EventRecordsTesting",
      "ProcessTesting", "SQLiteEngine", "PostgresEngine", "TodoModels", "TodoViewModels", "TodoApp",
      "Batch",
      "Completion", "JSONRPC", "REPL", "Analytics", "ExternalObserver", "Inspector",
      "SessionRecorder", "Trace",
      "UndoHistory",
    ]
    .map { .library(name: $0, targets: [$0]) },
  // Who switches it off fetches no other package, and has all but SQLiteEngine, EventRecordsTesting,
  // EventApp and TodoApp.
  traits: [
    .default(enabledTraits: ["SQLite"]),
    .trait(name: "SQLite", description: "Records in a file of SQLite, by GRDB."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ],
  targets: [
    .target(name: "Seams"),
    .target(name: "EventMVVM", dependencies: ["Seams"]),
    .target(name: "JSONText"),
    .target(name: "EventCommands", dependencies: ["EventMVVM", "JSONText", "Seams"]),
    .target(name: "CSupervisor", path: "Sources/Platform/CSupervisor"),
    .target(
      name: "Platform",
      dependencies: ["CSupervisor", "EventMVVM", "Seams"],
      exclude: ["CSupervisor"]
    ),
    .target(name: "EventRPC", dependencies: ["Platform", "EventMVVM", "JSONText", "Seams"]),
    .target(
      name: "EventServing",
      dependencies: ["Platform", "EventMVVM", "EventCommands", "EventRPC", "JSONText"]
    ),
    .target(name: "EventMVVMTesting", dependencies: ["EventMVVM"]),
    .target(
      name: "EventRecordsTesting",
      dependencies: ["EventMVVM", "EventMVVMTesting", "EventRecords", "SQLiteEngine"]
    ),
    .tests("EventRecordsTesting", ["EventCommands", "EventMVVM", "EventRecords"]),
    .target(name: "EventPatterns", dependencies: ["EventMVVM", "EventCommands", "JSONText"]),
    .target(name: "TodoModels", dependencies: ["EventCommands", "EventMVVM", "EventRecords"]),
    .target(
      name: "CSQLite",
      path: "Sources/SQLiteEngine/CSQLite",
      linkerSettings: [.linkedLibrary("sqlite3")]
    ),
    .target(name: "EventRecords", dependencies: ["EventMVVM", "EventCommands", "JSONText"]),
    .target(
      name: "SQLiteEngine",
      dependencies: [
        "CSQLite", "EventMVVM", "EventRecords", "JSONText", "Platform", "Seams",
        .grdb("GRDB"), .grdb("GRDBSQLite"),
      ],
      exclude: ["CSQLite"]
    ),
    // libpq is opened when it is used: who has no store of PostgreSQL needs none.
    .target(name: "PostgresEngine", dependencies: ["EventMVVM", "EventRecords", "Seams"]),
    .target(
      name: "TodoViewModels",
      dependencies: [
        "EventCommands", "EventMVVM", "EventPatterns", "EventRecords", "JSONText", "TodoModels",
      ]
    ),
    .target(
      name: "CEditLine",
      path: "Frontends/REPL/CEditLine",
      linkerSettings: [.linkedLibrary("edit")]
    ),
    .frontend("Batch", ["Seams"]),
    .frontend("Completion"),
    .frontend("REPL", ["CEditLine", "EventPatterns", "Seams"], exclude: ["CEditLine"]),
    .frontend("JSONRPC", ["EventRPC", "EventServing"]),
    .plugin("UndoHistory", ["EventRecords"]),
    .plugin("Trace"),
    .plugin("Analytics", ["EventRecords", "Seams"]),
    .plugin("ExternalObserver", ["EventRPC", "EventServing"]),
    .plugin("SessionRecorder"),
    .plugin("Inspector", ["EventRPC", "EventServing"]),
    .target(
      name: "EventApp",
      dependencies: [
        "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "SQLiteEngine",
        "PostgresEngine", "EventServing", "Platform", "JSONText", "Batch", "Completion", "JSONRPC",
        "REPL",
        "Analytics", "ExternalObserver", "Inspector", "SessionRecorder", "Trace", "UndoHistory",
      ]
    ),
    .target(
      name: "TodoApp",
      dependencies: [
        "EventApp", "EventCommands", "EventMVVM", "EventPatterns", "EventRecords", "TodoModels",
        "TodoViewModels",
      ]
    ),
    .executableTarget(
      name: "todostream",
      dependencies: ["EventApp", "TodoApp"],
      exclude: ["todostream.1"]
    ),
    .plugin(
      name: "Release",
      capability: .command(
        intent: .custom(verb: "release", description: "Builds programs to be installed.")
      ),
      path: "Sources/Release",
      exclude: ["icudata.c"]
    ),

    .tests("EventMVVM", ["ProcessTesting"]),
    .testTarget(
      name: "EventMVVMTestingTests",
      dependencies: ["EventCommands", "EventMVVM", "EventMVVMTesting", "ProcessTesting"]
    ),
    .tests("JSONText"),
    .tests("Platform", ["ProcessTesting"]),
    .tests("EventRPC", ["EventMVVM", "JSONText", "ProcessTesting"]),
    .tests("EventServing", ["EventMVVM", "EventCommands", "JSONText"]),
    .testTarget(
      name: "JSONRPCTests",
      dependencies: [
        "EventApp", "EventCommands", "EventMVVMTesting", "EventServing", "JSONText",
        "ProcessTesting", "TodoApp", "todostream",
      ],
      exclude: ["Reference"]
    ),
    .tests("EventCommands", ["EventMVVM", "JSONText"]),
    .tests(
      "EventPatterns",
      ["EventMVVM", "EventCommands", "JSONText", "ProcessTesting"]
    ),
    .tests(
      "EventRecords",
      [
        "EventCommands", "EventMVVM", "JSONText", "PostgresEngine", "ProcessTesting",
        "SQLiteEngine",
      ]
    ),
    .tests(
      "PostgresEngine",
      [
        "EventCommands", "EventMVVM", "EventRecords", "JSONText", "ProcessTesting", "todostream",
      ],
      excluding: ["Lists"]
    ),
    .tests(
      "SQLiteEngine",
      [
        "Platform", "EventCommands", "EventMVVM", "EventRecords", "JSONText", "TodoModels",
        .grdb("GRDB"),
      ]
    ),
    .testTarget(
      name: "TodoModelsTests",
      dependencies: [
        "EventCommands", "EventMVVM", "EventMVVMTesting", "EventRecords", "JSONText",
        "ProcessTesting", "SQLiteEngine", "TodoModels",
      ],
      exclude: ["Stores"]
    ),
    .tests(
      "TodoViewModels",
      [
        "EventCommands", "EventMVVM", "EventPatterns", "EventRecords", "JSONText", "SQLiteEngine",
        "TodoModels",
      ]
    ),
    .tests(
      "Batch",
      [
        "EventCommands", "EventMVVM", "EventRecords", "JSONText", "Platform", "SQLiteEngine",
        "TodoModels", "TodoViewModels",
      ]
    ),
    .tests(
      "UndoHistory",
      [
        "EventCommands", "EventMVVM", "EventRecords", "JSONText", "SQLiteEngine", "TodoModels",
        "TodoViewModels",
      ]
    ),
    .tests(
      "Analytics",
      ["EventMVVM", "EventRecords", "EventCommands", "JSONText", "ProcessTesting", "todostream"]
    ),
    .tests(
      "ExternalObserver",
      ["EventMVVM", "JSONText", "ProcessTesting", "todostream"]
    ),
    .tests("SessionRecorder", ["EventCommands", "EventMVVM", "JSONText"]),
    .tests("Trace", ["EventMVVM", "EventCommands", "JSONText"]),
    .tests("Completion", ["ProcessTesting", "todostream"]),
    .tests(
      "REPL",
      ["EventCommands", "JSONText", "ProcessTesting", "LineEditorDriver", "todostream"]
    ),
    .executableTarget(
      name: "LineEditorDriver",
      dependencies: ["REPL", "EventCommands"],
      path: "Tests/LineEditorDriver"
    ),
    .target(
      name: "ProcessTesting",
      dependencies: ["EventCommands", "EventMVVM", "EventMVVMTesting", "JSONText"],
      path: "Tests/ProcessTesting"
    ),
    .testTarget(
      name: "Transcripts",
      dependencies: ["Demo", "EventMVVM", "EventMVVMTesting", "ProcessTesting", "todostream"],
      exclude: ["cases"]
    ),
    .testTarget(
      name: "CompositionTests",
      dependencies: [
        "EventApp", "EventMVVM", "EventMVVMTesting", "EventCommands", "EventRecords", "JSONText",
        "ProcessTesting", "SQLiteEngine", "TodoApp", "todostream",
      ]
    ),
    .testTarget(
      name: "EditorTests",
      dependencies: ["EventMVVMTesting", "ProcessTesting", "todostream"],
      exclude: ["emacs", "neovim", "vim"]
    ),
    .testTarget(
      name: "Processes",
      dependencies: ["EventMVVMTesting", "JSONText", "ProcessTesting", "todostream"]
    ),
    .testTarget(
      name: "Linearizability",
      dependencies: ["EventMVVMTesting", "JSONText", "ProcessTesting", "todostream"]
    ),
    .testTarget(
      name: "Documentation",
      dependencies: [
        "Demo", "EventCommands", "EventMVVM", "EventMVVMTesting", "EventPatterns", "JSONText",
      ]
    ),
    .executableTarget(
      name: "Demo",
      dependencies: ["EventCommands", "EventMVVM", "JSONText"],
      path: "Tests/Demo"
    ),
    .testTarget(name: "Walls", dependencies: ["EventMVVMTesting"]),
    .target(
      name: "FuzzChecks",
      dependencies: [
        "Batch", "EventApp", "EventCommands", "EventMVVM", "EventPatterns", "EventRPC",
        "EventRecords", "JSONText", "Platform", "SQLiteEngine", "SessionRecorder", "TodoModels",
        "TodoViewModels", "UndoHistory",
        .grdb("GRDB"),
      ],
      path: "Tests/Fuzz/Checks"
    ),
    .testTarget(name: "FuzzTests", dependencies: ["EventMVVMTesting", "FuzzChecks"]),
  ]
)

// The fuzzers link libFuzzer, which brings the `main`, so they are there only for `Tests/Fuzz/run`.
if Context.environment["FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "Fuzz", dependencies: ["FuzzChecks"], path: "Tests/Fuzz/Main")
  )
}

// The shim that fails, records and kills is for Linux; elsewhere `make crash` says so.
#if os(Linux)
  package.targets.append(
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "EventMVVMTesting", "ProcessTesting", "todostream",
        .grdb("GRDBSQLite"),
      ],
      path: "Tests/Crash",
      exclude: ["Shim"]
    )
  )
#endif

// For a sanitizer, which has objects of its own: the tests that are named, what they need, and
// nothing else.
let onlyTests = Context.environment["ONLY_TESTS"]?.split(separator: " ").map(String.init) ?? []
if !onlyTests.isEmpty {
  package.products = []
  package.targets = package.targets.needed(by: onlyTests)
}

extension Target.Dependency {
  /// A product of GRDB, which only the engine needs.
  static func grdb(_ product: String) -> Self {
    .product(name: product, package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
  }
}

extension Target {
  /// A frontend knows the Event… modules, and no domain.
  static func frontend(
    _ name: String,
    _ more: [Target.Dependency] = [],
    exclude: [String] = []
  ) -> Target {
    .target(
      name: name,
      dependencies: ["Platform", "EventMVVM", "EventCommands", "JSONText"] + more,
      path: "Frontends/\(name)",
      exclude: exclude
    )
  }

  /// A plugin knows EventMVVM and, if it brings commands, EventCommands and JSONText.
  ///
  /// One that asks for a journal or for measures knows EventRecords, too, which has no domain and no
  /// engine.
  static func plugin(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .target(
      name: name,
      dependencies: ["Platform", "EventMVVM", "EventCommands", "JSONText"] + more,
      path: "Plugins/\(name)"
    )
  }

  /// The tests of a room, beside what they know anyway: the room and how to wait.
  static func tests(
    _ name: String,
    _ more: [Target.Dependency] = [],
    excluding files: [String] = []
  ) -> Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: [.init(stringLiteral: name), "EventMVVMTesting"] + more,
      exclude: files
    )
  }
}

// A plugin of the package manager has no settings.
for target in package.targets where target.type != .plugin {
  target.swiftSettings = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
  ]
  .map { .enableUpcomingFeature($0) }
  // A turn is lent: the module says so in its own words, which whoever uses it does not need.
  if target.name == "EventMVVM" {
    target.swiftSettings?.append(.enableExperimentalFeature("Lifetimes"))
  }
  // Whoever builds the package from elsewhere is not stopped by a newer compiler's warning.
  if Context.environment["CI"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}

extension [Target] {
  /// Those of these names, and all that they depend on.
  func needed(by names: [String]) -> [Target] {
    var needed = Set(names)
    var rest = names
    while let name = rest.popLast(), let target = first(where: { $0.name == name }) {
      for case .byNameItem(let name, _) in target.dependencies where needed.insert(name).inserted {
        rest.append(name)
      }
    }
    return filter { needed.contains($0.name) }
  }
}
