// swift-tools-version: 6.2
import PackageDescription

// The todos in a program of your own: copy this folder, and put the address of the package where its
// path is.
let package = Package(
  name: "todostream-embedding",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "todostream", path: "../..")],
  targets: [
    .executableTarget(
      name: "todostream-embedding",
      dependencies: [
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventRecords", package: "todostream"),
        .product(name: "SQLiteEngine", package: "todostream"),
        .product(name: "TodoViewModels", package: "todostream"),
      ]
    )
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
