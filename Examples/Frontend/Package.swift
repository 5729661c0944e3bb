// swift-tools-version: 6.2
import PackageDescription

// A frontend of your own, and the todo manager with it: copy this folder, and put the address of the
// package where its path is.
let package = Package(
  name: "LineServer",
  platforms: [.macOS(.v15)],
  products: [.library(name: "LineServer", targets: ["LineServer"])],
  dependencies: [.package(name: "todostream", path: "../..")],
  targets: [
    .target(
      name: "LineServer",
      dependencies: [
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
      ]
    ),
    .executableTarget(
      name: "todostream-lines",
      dependencies: [
        "LineServer",
        .product(name: "Batch", package: "todostream"),
        .product(name: "EventApp", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "REPL", package: "todostream"),
        .product(name: "SQLiteEngine", package: "todostream"),
        .product(name: "TodoViewModels", package: "todostream"),
        .product(name: "UndoHistory", package: "todostream"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
