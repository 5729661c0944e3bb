// swift-tools-version: 6.2
import PackageDescription

// A domain of several records that belong together: books, their copies, members and loans.
let package = Package(
  name: "library",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "todostream", path: "../..")],
  targets: [
    .executableTarget(
      name: "library",
      dependencies: [
        .product(name: "EventApp", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "StandardParts", package: "todostream"),
      ]
    ),
    .testTarget(
      name: "LibraryTests",
      dependencies: [
        "library",
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
        .product(name: "EventRecordsTesting", package: "todostream"),
        .product(name: "ProcessTesting", package: "todostream"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
