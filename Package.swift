// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "todostream",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "todostream", targets: ["todostream"]),
    .library(name: "EventMVVM", targets: ["EventMVVM"]),
    .library(name: "EventCommands", targets: ["EventCommands", "JSONText"]),
    .library(name: "EventMVVMTesting", targets: ["EventMVVMTesting"]),
    .library(name: "EventApp", targets: ["EventApp", "EventPatterns", "EventRecords"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ],
  targets: [
    .target(name: "EventMVVM"),
    .target(name: "JSONText"),
    .target(name: "EventCommands", dependencies: ["EventMVVM", "JSONText"]),
    .target(name: "Descriptors"),
    .target(name: "EventRPC", dependencies: ["Descriptors", "EventMVVM", "JSONText"]),
    .target(
      name: "EventServing",
      dependencies: ["EventMVVM", "EventCommands", "EventRPC", "JSONText"]
    ),
    .target(name: "EventMVVMTesting", dependencies: ["EventMVVM"]),
    .target(name: "EventPatterns", dependencies: ["EventMVVM", "EventCommands", "JSONText"]),
    .target(name: "TodoModels", dependencies: ["EventMVVM", "EventPatterns"]),
    .target(
      name: "SQLiteStore",
      dependencies: [
        "EventMVVM", "EventPatterns", .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "EventRecords",
      dependencies: ["EventMVVM", "EventPatterns", "EventCommands", "JSONText"]
    ),
    .target(
      name: "RecordStore",
      dependencies: [
        "EventMVVM", "EventPatterns", "EventRecords", "SQLiteStore",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "TodoStore",
      dependencies: [
        "EventMVVM", "EventPatterns", "JSONText", "SQLiteStore", "TodoModels",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .target(
      name: "TodoViewModels",
      dependencies: ["EventMVVM", "EventPatterns", "EventCommands", "JSONText", "TodoModels"]
    ),
    .target(name: "CEditLine", linkerSettings: [.linkedLibrary("edit")]),
    .frontend("Batch"),
    .frontend("Completion"),
    .frontend("REPL", ["CEditLine", "EventPatterns"]),
    .frontend("JSONRPC", ["EventRPC", "EventServing"]),
    .plugin("UndoHistory"),
    .plugin("Trace"),
    .plugin("Analytics"),
    .target(name: "CSupervisor"),
    .plugin("ExternalObserver", ["EventRPC", "EventServing", "CSupervisor"]),
    .plugin("SessionRecorder"),
    .target(
      name: "EventApp",
      dependencies: [
        "EventMVVM", "EventCommands", "EventPatterns", "EventRecords", "RecordStore",
        "EventServing",
        "JSONText", "Batch", "Completion", "JSONRPC", "REPL", "Analytics", "ExternalObserver",
        "SessionRecorder",
        "Trace",
        "UndoHistory",
      ]
    ),
    .executableTarget(
      name: "todostream",
      dependencies: [
        "EventApp", "EventMVVM", "EventCommands", "EventPatterns", "SQLiteStore", "TodoModels",
        "TodoStore", "TodoViewModels",
      ],
      exclude: ["todostream.1"]
    ),

    .tests("EventMVVM", ["EventMVVMTesting"]),
    .tests("EventMVVMTesting", ["EventMVVM"]),
    .tests("JSONText", ["EventMVVMTesting"]),
    .tests("Descriptors", ["ProcessTesting"]),
    .tests("EventRPC", ["EventMVVM", "JSONText", "ProcessTesting"]),
    .tests("EventServing", ["EventMVVM", "EventCommands", "JSONText"]),
    .testTarget(
      name: "JSONRPCTests",
      dependencies: [
        "EventApp", "EventCommands", "EventServing", "JSONText", "ProcessTesting", "todostream",
      ],
      exclude: ["Reference"]
    ),
    .tests("EventCommands", ["EventMVVM", "EventMVVMTesting", "JSONText"]),
    .tests(
      "EventPatterns",
      ["EventMVVM", "EventMVVMTesting", "EventCommands", "JSONText", "ProcessTesting"]
    ),
    .tests(
      "EventRecords",
      [
        "EventCommands", "EventMVVM", "EventMVVMTesting", "EventPatterns", "JSONText",
        "RecordStore",
      ]
    ),
    .tests("TodoModels", ["EventMVVM", "EventMVVMTesting", "EventPatterns", "TodoStore"]),
    .tests(
      "TodoStore",
      [
        "EventMVVM", "EventMVVMTesting", "EventPatterns", "SQLiteStore", "TodoModels",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]
    ),
    .tests(
      "TodoViewModels",
      [
        "EventMVVM", "EventMVVMTesting", "EventCommands", "EventPatterns", "JSONText", "TodoModels",
        "TodoStore",
      ]
    ),
    .tests(
      "Batch",
      [
        "EventMVVM", "EventMVVMTesting", "EventCommands", "JSONText", "TodoModels", "TodoStore",
        "TodoViewModels",
      ]
    ),
    .tests(
      "UndoHistory",
      [
        "EventMVVM", "EventMVVMTesting", "EventPatterns", "EventCommands", "JSONText",
        "TodoModels", "TodoStore", "TodoViewModels",
      ]
    ),
    .tests(
      "Analytics",
      ["EventMVVM", "EventMVVMTesting", "EventPatterns", "EventCommands", "JSONText"]
    ),
    .tests(
      "ExternalObserver",
      ["EventMVVM", "JSONText", "ProcessTesting", "UrgentTodos", "todostream"]
    ),
    .executableTarget(
      name: "UrgentTodos",
      dependencies: ["JSONText"],
      path: "Examples/Observers/UrgentTodos"
    ),
    .target(
      name: "Streak",
      dependencies: ["EventMVVM", "EventCommands"],
      path: "Examples/Plugin/Sources/Streak"
    ),
    .executableTarget(
      name: "todostream-cart",
      dependencies: ["EventApp", "EventCommands", "EventMVVM", "EventPatterns", "EventRecords"],
      path: "Examples/Cart/Sources/todostream-cart"
    ),
    .executableTarget(
      name: "todostream-messages",
      dependencies: ["EventApp", "EventCommands", "EventMVVM", "EventPatterns", "EventRecords"],
      path: "Examples/Messages/Sources/todostream-messages"
    ),
    .executableTarget(
      name: "todostream-profile",
      dependencies: [
        "EventApp", "EventCommands", "EventMVVM", "EventPatterns", "EventRecords", "JSONText",
      ],
      path: "Examples/Profile/Sources/todostream-profile"
    ),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "EventApp", "EventCommands", "EventMVVM", "EventMVVMTesting", "EventPatterns",
        "EventRecords",
        "JSONText", "ProcessTesting", "RecordStore", "todostream-cart", "todostream-messages",
        "todostream-profile",
      ]
    ),
    .testTarget(
      name: "StreakTests",
      dependencies: ["EventCommands", "EventMVVM", "EventMVVMTesting", "Streak"],
      path: "Examples/Plugin/Tests/StreakTests"
    ),
    .tests(
      "SessionRecorder",
      ["EventMVVM", "EventMVVMTesting", "EventPatterns", "JSONText"]
    ),
    .tests("Trace", ["EventMVVM", "EventMVVMTesting", "EventCommands", "JSONText"]),
    .tests("Completion", ["ProcessTesting", "todostream"]),
    .tests("REPL", ["EventCommands", "ProcessTesting", "LineEditorDriver", "todostream"]),
    .executableTarget(
      name: "LineEditorDriver",
      dependencies: ["REPL", "EventCommands"],
      path: "Tests/LineEditorDriver"
    ),
    .target(
      name: "ProcessTesting",
      dependencies: ["EventCommands"],
      path: "Tests/ProcessTesting"
    ),
    .testTarget(
      name: "Transcripts",
      dependencies: ["Demo", "ProcessTesting", "todostream"],
      exclude: ["cases"]
    ),
    .testTarget(
      name: "CompositionTests",
      dependencies: [
        "EventApp", "EventMVVM", "EventMVVMTesting", "EventCommands", "JSONText", "ProcessTesting",
        "todostream",
      ]
    ),
    .testTarget(
      name: "EditorTests",
      dependencies: ["ProcessTesting", "todostream"],
      exclude: ["emacs", "neovim", "vim"]
    ),
    .testTarget(name: "Processes", dependencies: ["ProcessTesting", "todostream"]),
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
    .testTarget(name: "Walls"),
  ]
)

// A fuzzer links libFuzzer, which brings the `main`, so it is there only for `Tests/Fuzz/run`.
if Context.environment["FUZZ"] != nil {
  package.targets += [
    .target(
      name: "FuzzSupport",
      dependencies: [
        "EventMVVM", "EventCommands", "EventPatterns", "JSONText", "TodoModels", "TodoViewModels",
        "UndoHistory",
      ],
      path: "Tests/Fuzz/Support"
    ),
    .fuzzer("Tokenizer"),
    .fuzzer("Commands", ["Batch", "TodoViewModels"]),
    .fuzzer("Parameters", ["JSONText", "TodoViewModels"]),
    .fuzzer("Frames", ["EventRPC", "JSONText"]),
    .fuzzer(
      "Rows",
      ["EventPatterns", "JSONText", "SQLiteStore", "TodoModels", "TodoStore", "TodoViewModels"]
        + [.product(name: "GRDB", package: "GRDB.swift")]
    ),
  ]
}

// The shim that fails, records and kills is for Linux; elsewhere `make crash` says so.
#if os(Linux)
  package.targets.append(
    .testTarget(
      name: "CrashTests",
      dependencies: [
        "EventMVVMTesting", "ProcessTesting", "todostream",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "Tests/Crash",
      exclude: ["Shim"]
    )
  )
#endif

extension Target {
  /// A frontend knows the Event… modules, and no domain.
  static func frontend(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .target(
      name: name,
      dependencies: ["Descriptors", "EventMVVM", "EventCommands", "JSONText"] + more,
      path: "Frontends/\(name)"
    )
  }

  /// A plugin knows EventMVVM and, if it brings commands, EventCommands and JSONText.
  static func plugin(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .target(
      name: name,
      dependencies: ["Descriptors", "EventMVVM", "EventPatterns", "EventCommands", "JSONText"]
        + more,
      path: "Plugins/\(name)"
    )
  }

  static func fuzzer(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .executableTarget(
      name: "Fuzz\(name)",
      dependencies: ["EventMVVM", "EventCommands", "FuzzSupport"] + more,
      path: "Tests/Fuzz/\(name)"
    )
  }

  static func tests(_ name: String, _ more: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(name)Tests", dependencies: [.init(stringLiteral: name)] + more)
  }
}

for target in package.targets {
  target.swiftSettings = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
  ]
  .map { .enableUpcomingFeature($0) }
  // Whoever builds the package from elsewhere is not stopped by a newer compiler's warning.
  if Context.environment["CI"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
