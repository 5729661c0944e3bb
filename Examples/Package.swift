// swift-tools-version: 6.2
import PackageDescription

// All examples, built as external packages are: they use the products of the package and nothing else.
// Examples that are meant to be copied also have a manifest in their own folder.
let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "todostream", path: "..")],
  targets: [
    .program("todostream-cart", in: "Cart", ["StandardParts"]),
    .program("todostream-messages", in: "Messages", ["StandardParts"]),
    .program("todostream-profile", in: "Profile", ["StandardParts"]),
    .program("notes", in: "Template", ["StandardParts"]),
    .program("labjournal", in: "LabJournal", beside: ["LineServer"], ["StandardParts"]),
    .program("library", in: "Library", ["StandardParts"]),
    .program(
      "todostream-lines",
      in: "Frontend",
      beside: ["LineServer"],
      [
        "Batch", "REPL", "SQLiteEngine", "TodoViewModels",
        "UndoHistory",
      ]
    ),
    .executableTarget(
      name: "todostream-embedding",
      dependencies: .products(
        "EventCommands",
        "EventMVVM",
        "EventRecords",
        "SQLiteEngine",
        "TodoViewModels"
      ),
      path: "Embedding/Sources/todostream-embedding"
    ),
    .executableTarget(
      name: "UrgentTodos",
      dependencies: .products("EventCommands"),
      path: "Observers/UrgentTodos"
    ),
    .target(
      name: "LineServer",
      dependencies: .products("EventCommands", "EventMVVM"),
      path: "Frontend/Sources/LineServer"
    ),
    .target(
      name: "Streak",
      dependencies: .products("EventCommands", "EventMVVM"),
      path: "Plugin/Sources/Streak"
    ),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "UrgentTodos", "todostream-cart", "todostream-embedding", "todostream-lines",
        "todostream-messages", "todostream-profile",
      ]
        + .products(
          "EventApp",
          "EventCommands",
          "EventMVVM",
          "EventMVVMTesting",
          "EventPatterns",
          "EventRecords",
          "ProcessTesting",
          "SQLiteEngine",
          "todostream"
        )
    ),
    .testTarget(
      name: "StreakTests",
      dependencies: ["Streak"] + .products("EventCommands", "EventMVVM", "EventMVVMTesting"),
      path: "Plugin/Tests/StreakTests"
    ),
    .testTarget(
      name: "notesTests",
      dependencies: ["notes"]
        + .products("EventCommands", "EventMVVM", "EventMVVMTesting", "EventRecordsTesting"),
      path: "Template/Tests/notesTests"
    ),
    .testTarget(
      name: "LibraryTests",
      dependencies: ["library"]
        + .products(
          "EventCommands",
          "EventMVVM",
          "EventMVVMTesting",
          "EventRecordsTesting",
          "ProcessTesting"
        ),
      path: "Library/Tests/LibraryTests"
    ),
    .testTarget(
      name: "LabJournalTests",
      dependencies: ["labjournal"]
        + .products(
          "EventApp",
          "EventCommands",
          "EventMVVM",
          "EventMVVMTesting",
          "EventRecordsTesting",
          "ProcessTesting"
        ),
      path: "LabJournal/Tests/LabJournalTests",
      exclude: ["Stored"]
    ),
  ]
)

extension [Target.Dependency] {
  /// Products of the package.
  static func products(_ names: String...) -> Self {
    names.map { .product(name: $0, package: "todostream") }
  }
}

extension Target {
  /// The program of a domain, with the products of all programs and further ones.
  static func program(
    _ name: String,
    in folder: String,
    beside targets: [Target.Dependency] = [],
    _ products: [String] = []
  ) -> Target {
    .executableTarget(
      name: name,
      dependencies: targets
        + (["EventApp", "EventCommands", "EventMVVM"] + products)
        .map { .product(name: $0, package: "todostream") },
      path: "\(folder)/Sources/\(name)"
    )
  }
}

for target in package.targets {
  target.swiftSettings = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
    "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
  ]
  .map { .enableUpcomingFeature($0) }
  if Context.environment["CI"] != nil {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
