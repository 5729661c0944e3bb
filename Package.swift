// swift-tools-version: 6.2
import PackageDescription

/// The rooms, one a folder: what each knows, which are rooms of the storeys below its own.
let rooms: [Target] = [
  // The stream, values, commands and patterns, which know no records, and no program.
  .toolkit("EventMVVM", ["Seams"]),
  .toolkit("JSONText"),
  .toolkit("EventValues", ["EventMVVM", "JSONText"]),
  .toolkit("EventCommands", ["EventMVVM", "EventValues", "JSONText", "Seams"]),
  .toolkit("EventPatterns", ["EventMVVM", "EventCommands", "EventValues", "JSONText"]),
  .toolkit("EventMVVMTesting", ["EventMVVM"]),

  // What is true of any stored value, which no command need know; and what people do with it.
  .records("EventRecords", ["EventMVVM", "EventValues", "JSONText"]),
  .records(
    "RecordCommands",
    ["EventMVVM", "EventValues", "EventCommands", "EventPatterns", "EventRecords", "JSONText"]
  ),
  .records(
    "EventRecordsTesting",
    ["EventMVVM", "EventMVVMTesting", "EventRecords", "SQLiteEngine"]
  ),

  // Where records are stored. libpq is opened when it is used: who has no store of PostgreSQL needs
  // none.
  .engine(
    "SQLiteEngine",
    [
      "CSQLite", "EventMVVM", "EventRecords", "JSONText", "Platform", "Seams",
      .grdb("GRDB"), .grdb("GRDBSQLite"),
    ],
    exclude: ["CSQLite"]
  ),
  .engine("PostgresEngine", ["EventMVVM", "EventRecords", "Seams"]),
  .target(
    name: "CSQLite",
    path: "Sources/Engines/SQLiteEngine/CSQLite",
    linkerSettings: [.linkedLibrary("sqlite3")]
  ),

  // Requests and answers of other processes.
  .serving("EventRPC", ["Platform", "EventMVVM", "JSONText", "Seams"]),
  .serving(
    "EventServing",
    [
      "Platform", "EventMVVM", "EventCommands", "EventPatterns", "EventValues", "EventRPC",
      "JSONText",
    ]
  ),

  // What the rooms above need of the system.
  .system("Seams"),
  .system("Platform", ["CSupervisor", "EventMVVM", "Seams"], exclude: ["CSupervisor"]),
  .target(name: "CSupervisor", path: "Sources/System/Platform/CSupervisor"),
  // The process around a domain, the list of all parts, and releases.
  .support(
    "EventApp",
    [
      "EventMVVM", "EventCommands", "EventValues", "EventPatterns", "EventRecords",
      "RecordCommands", "Platform", "JSONText",
    ]
  ),
  .support(
    "StandardParts",
    [
      "EventApp", "SQLiteEngine", "PostgresEngine", "Batch", "Completion", "Inspector", "JSONRPC",
      "REPL", "Analytics", "ExternalObserver", "SessionRecorder", "Trace", "UndoHistory",
    ]
  ),
  .support("ProcessTesting", ["EventCommands", "EventMVVM", "EventMVVMTesting", "JSONText"]),
  .plugin(
    name: "Release",
    capability: .command(
      intent: .custom(verb: "release", description: "Builds programs to be installed.")
    ),
    path: "Sources/Support/Release",
    exclude: ["icudata.c"]
  ),

  .frontend("Batch", ["Seams"]),
  .frontend("Completion"),
  .frontend("REPL", ["CEditLine", "EventPatterns", "Seams"], exclude: ["CEditLine"]),
  .target(
    name: "CEditLine",
    path: "Frontends/REPL/CEditLine",
    linkerSettings: [.linkedLibrary("edit")]
  ),
  .frontend("JSONRPC", ["EventRPC", "EventServing"]),
  // Its page is a package of its own in the same room, so that no other program links a web server.
  .frontend("Inspector", ["EventRPC", "EventServing"], in: "Inspector/Sources/Inspector"),

  .plugin("Analytics", ["EventRecords", "Seams"]),
  .plugin("Completing", ["EventRecords", "RecordCommands"]),
  .plugin("Recurring", ["EventRecords", "RecordCommands"]),
  .plugin("Scheduling", ["EventRecords", "RecordCommands"]),
  .plugin("ExternalObserver", ["EventRPC", "EventServing"]),
  .plugin("SessionRecorder"),
  .plugin("Trace"),
  .plugin("UndoHistory", ["EventRecords", "RecordCommands"]),

  // Todos, and the program for them.
  .todo("TodoModels", ["EventMVVM", "EventRecords", "EventValues"]),
  .todo(
    "TodoViewModels",
    [
      "Completing", "EventCommands", "EventValues", "EventMVVM", "EventPatterns", "EventRecords",
      "RecordCommands", "JSONText", "Recurring", "Scheduling", "TodoModels",
    ]
  ),
  .todo("TodoStores", ["EventRecords"]),
  .executableTarget(
    name: "todostream",
    dependencies: [
      "EventApp", "EventCommands", "EventMVVM", "RecordCommands", "StandardParts", "TodoModels",
      "TodoStores", "TodoViewModels",
    ],
    path: "Sources/Todo/todostream",
    exclude: ["todostream.1"],
    packageAccess: false
  ),
]

let tests: [Target] = [
  .tests("EventRecordsTesting", ["EventCommands", "EventValues", "EventMVVM", "EventRecords"]),
  .tests("EventMVVM", ["ProcessTesting"]),
  .testTarget(
    name: "EventMVVMTestingTests",
    dependencies: [
      "EventCommands", "EventValues", "EventMVVM", "EventMVVMTesting", "EventPatterns",
      "ProcessTesting",
    ]
  ),
  .tests("JSONText"),
  .tests("Platform", ["ProcessTesting"]),
  .tests("EventRPC", ["EventMVVM", "JSONText", "ProcessTesting"]),
  .tests("EventServing", ["EventMVVM", "EventCommands", "EventValues", "JSONText"]),
  .testTarget(
    name: "JSONRPCTests",
    dependencies: [
      "EventApp", "EventCommands", "EventMVVMTesting", "EventServing", "JSONText",
      "ProcessTesting", "todostream",
    ],
    exclude: ["Reference"]
  ),
  .tests("EventCommands", ["EventValues", "EventMVVM", "JSONText"]),
  .tests(
    "EventPatterns",
    ["EventMVVM", "EventCommands", "EventValues", "JSONText", "ProcessTesting"]
  ),
  .tests(
    "EventRecords",
    [
      "EventCommands", "EventMVVM", "EventPatterns", "EventValues", "JSONText", "PostgresEngine",
      "ProcessTesting",
      "RecordCommands", "RecordsAlone", "SQLiteEngine",
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
      "Platform", "EventCommands", "EventValues", "EventMVVM", "EventRecords", "JSONText",
      "TodoModels",
      .grdb("GRDB"),
    ]
  ),
  .testTarget(
    name: "TodoModelsTests",
    dependencies: [
      "EventCommands", "EventValues", "EventMVVM", "EventMVVMTesting", "EventRecords",
      "RecordCommands", "JSONText",
      "ProcessTesting", "SQLiteEngine", "TodoModels",
    ]
  ),
  .tests(
    "TodoStores",
    [
      "EventCommands", "EventMVVM", "EventRecords", "JSONText", "RecordCommands", "ProcessTesting",
      "SQLiteEngine",
      "TodoModels",
    ],
    excluding: ["Stores"]
  ),
  .tests(
    "TodoViewModels",
    [
      "Completing", "EventCommands", "EventValues", "EventMVVM", "EventPatterns", "EventRecords",
      "RecordCommands", "JSONText", "SQLiteEngine",
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
      "EventCommands", "EventValues", "EventMVVM", "EventRecords", "RecordCommands", "JSONText",
      "SQLiteEngine", "TodoModels",
      "TodoViewModels",
    ]
  ),
  .tests(
    "Analytics",
    [
      "EventMVVM", "EventRecords", "EventCommands", "EventValues", "JSONText", "ProcessTesting",
      "todostream",
    ]
  ),
  .tests(
    "Completing",
    [
      "EventCommands", "EventMVVM", "EventRecords", "EventValues", "JSONText", "RecordCommands",
      "SQLiteEngine",
    ]
  ),
  .tests(
    "Recurring",
    [
      "Completing", "EventCommands", "EventMVVM", "EventRecords", "EventValues", "JSONText",
      "ProcessTesting", "RecordCommands", "SQLiteEngine", "UndoHistory",
    ]
  ),
  .tests(
    "Scheduling",
    [
      "Completing", "EventCommands", "EventMVVM", "EventRecords", "EventValues", "RecordCommands",
      "SQLiteEngine",
    ]
  ),
  .tests(
    "ExternalObserver",
    ["EventMVVM", "JSONText", "ProcessTesting", "todostream"]
  ),
  .tests("SessionRecorder", ["EventCommands", "EventValues", "EventMVVM", "JSONText"]),
  .tests("Trace", ["EventMVVM", "EventCommands", "EventValues", "JSONText"]),
  .tests("Completion", ["JSONText", "ProcessTesting", "todostream"]),
  .tests(
    "REPL",
    ["EventCommands", "JSONText", "ProcessTesting", "LineEditorDriver", "todostream"]
  ),
  .executableTarget(
    name: "LineEditorDriver",
    dependencies: ["REPL", "EventCommands", "EventValues"],
    path: "Tests/Programs/LineEditorDriver"
  ),
  // Records without commands.
  .executableTarget(
    name: "RecordsAlone",
    dependencies: ["EventMVVM", "EventRecords", "EventValues", "SQLiteEngine"],
    path: "Tests/Programs/RecordsAlone"
  ),
  .testTarget(
    name: "TranscriptTests",
    dependencies: ["Demo", "EventMVVM", "EventMVVMTesting", "ProcessTesting", "todostream"],
    exclude: ["cases", "Recordings"]
  ),
  .testTarget(
    name: "CompositionTests",
    dependencies: [
      "EventApp", "EventMVVM", "EventMVVMTesting", "EventCommands", "EventValues", "EventRecords",
      "JSONText",
      "ProcessTesting", "SQLiteEngine", "StandardParts", "todostream",
    ]
  ),
  .testTarget(
    name: "EditorTests",
    dependencies: ["EventMVVMTesting", "ProcessTesting", "todostream"],
    exclude: ["emacs", "neovim", "vim"]
  ),
  .testTarget(
    name: "ProcessTests",
    dependencies: ["EventMVVMTesting", "JSONText", "ProcessTesting", "todostream"]
  ),
  .testTarget(
    name: "LinearizabilityTests",
    dependencies: ["EventMVVMTesting", "JSONText", "ProcessTesting", "todostream"]
  ),
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "Demo", "EventCommands", "EventValues", "EventMVVM", "EventMVVMTesting", "EventPatterns",
      "JSONText",
    ]
  ),
  .executableTarget(
    name: "Demo",
    dependencies: ["EventCommands", "EventValues", "EventMVVM", "JSONText"],
    path: "Tests/Programs/Demo"
  ),
  .testTarget(name: "WallTests", dependencies: ["EventMVVMTesting"]),
  .target(
    name: "FuzzChecks",
    dependencies: [
      "Batch", "EventApp", "EventCommands", "EventValues", "EventMVVM", "EventPatterns", "EventRPC",
      "EventRecords", "RecordCommands", "JSONText", "Platform", "SQLiteEngine", "SessionRecorder",
      "StandardParts",
      "TodoModels", "TodoViewModels", "UndoHistory",
      .grdb("GRDB"),
    ],
    path: "Tests/Programs/Fuzz/Checks"
  ),
  .testTarget(name: "FuzzTests", dependencies: ["EventMVVMTesting", "FuzzChecks"]),
]

let package = Package(
  name: "todostream",
  // What Synchronization needs.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "todostream", targets: ["todostream"]),
    .plugin(name: "Release", targets: ["Release"]),
  ] + rooms.compactMap(\.library),
  // Who switches it off fetches no other package, and has all but SQLiteEngine, EventRecordsTesting
  // and StandardParts.
  traits: [
    .default(enabledTraits: ["SQLite"]),
    .trait(name: "SQLite", description: "Records in a file of SQLite, by GRDB."),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ],
  targets: rooms + tests
)

// The fuzzers link libFuzzer, which brings the `main`, so they are there only for `Tests/Programs/Fuzz/run`.
if Context.environment["FUZZ"] != nil {
  package.targets.append(
    .executableTarget(name: "Fuzz", dependencies: ["FuzzChecks"], path: "Tests/Programs/Fuzz/Main")
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
      path: "Tests/CrashTests"
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
  /// A room: its storey, its name, and what it knows; its folder, if that has another name.
  static func room(
    _ storey: String,
    _ name: String,
    _ known: [Target.Dependency],
    in folder: String? = nil,
    exclude: [String] = []
  ) -> Target {
    .target(
      name: name,
      dependencies: known,
      path: "\(storey)/\(folder ?? name)",
      exclude: exclude
    )
  }

  /// What every frontend and every plugin knows: how commands are declared, and no domain.
  static let common: [Target.Dependency] = [
    "Platform", "EventMVVM", "EventCommands", "EventValues", "JSONText",
  ]

  static func toolkit(_ name: String, _ known: [Target.Dependency] = []) -> Target {
    room("Sources/Toolkit", name, known)
  }

  static func records(_ name: String, _ known: [Target.Dependency]) -> Target {
    room("Sources/Records", name, known)
  }

  static func engine(
    _ name: String,
    _ known: [Target.Dependency],
    exclude: [String] = []
  ) -> Target {
    room("Sources/Engines", name, known, exclude: exclude)
  }

  static func serving(_ name: String, _ known: [Target.Dependency]) -> Target {
    room("Sources/Serving", name, known)
  }

  static func system(
    _ name: String,
    _ known: [Target.Dependency] = [],
    exclude: [String] = []
  ) -> Target {
    room("Sources/System", name, known, exclude: exclude)
  }

  static func support(
    _ name: String,
    _ known: [Target.Dependency] = [],
    exclude: [String] = []
  ) -> Target {
    room("Sources/Support", name, known, exclude: exclude)
  }

  /// A room of the todo manager, which sees of the others what any domain sees.
  static func todo(_ name: String, _ known: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: known, path: "Sources/Todo/\(name)", packageAccess: false)
  }

  static func frontend(
    _ name: String,
    _ more: [Target.Dependency] = [],
    in folder: String? = nil,
    exclude: [String] = []
  ) -> Target {
    room("Frontends", name, common + more, in: folder, exclude: exclude)
  }

  /// A plugin that asks for a journal or for measures knows EventRecords, too, which has no domain and
  /// no engine.
  static func plugin(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    room("Plugins", name, common + more)
  }

  /// The library of a room; nil for a room that comes with another one's library, or is for our own.
  var library: Product? {
    let inner = [
      "CEditLine", "CSQLite", "CSupervisor", "EventRPC", "JSONText", "Platform", "Seams",
      "TodoModels", "TodoStores",
    ]
    guard type == .regular, !inner.contains(name) else { return nil }
    let with = [
      "EventCommands": ["EventValues", "JSONText"], "EventServing": ["EventRPC"],
      "EventRecords": ["EventValues"],
      "EventApp": ["EventPatterns", "EventRecords", "RecordCommands"],
      "StandardParts": ["Completing", "Recurring", "Scheduling"],
      "TodoViewModels": ["RecordCommands", "TodoModels", "TodoStores"],
    ]
    return .library(name: name, targets: [name] + with[name, default: []])
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
