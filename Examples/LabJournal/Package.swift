// swift-tools-version: 6.2
import PackageDescription

// A program of your own with all that belongs to one: a domain, two plugins, a frontend of another
// package, and tests. Copy this folder, and put the addresses of the packages where their paths are.
let package = Package(
  name: "labjournal",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "todostream", path: "../.."),
    .package(name: "LineServer", path: "../Frontend"),
  ],
  targets: [
    .executableTarget(
      name: "labjournal",
      dependencies: [
        .product(name: "EventApp", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "StandardParts", package: "todostream"),
        .product(name: "LineServer", package: "LineServer"),
      ]
    ),
    .testTarget(
      name: "LabJournalTests",
      dependencies: [
        "labjournal",
        .product(name: "EventApp", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
        .product(name: "EventRecordsTesting", package: "todostream"),
        .product(name: "ProcessTesting", package: "todostream"),
      ],
      exclude: ["Stored"]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
