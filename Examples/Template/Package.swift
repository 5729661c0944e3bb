// swift-tools-version: 6.2
import PackageDescription

// A program of your own: copy this folder, and put the address of the package where its path is.
let package = Package(
  name: "notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "todostream", path: "../..")],
  targets: [
    .executableTarget(
      name: "notes",
      dependencies: [
        .product(name: "EventApp", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "StandardParts", package: "todostream"),
      ]
    ),
    .testTarget(
      name: "notesTests",
      dependencies: [
        "notes",
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
        .product(name: "EventRecordsTesting", package: "todostream"),
      ]
    ),
  ]
)
