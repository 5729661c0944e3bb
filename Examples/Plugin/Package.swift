// swift-tools-version: 6.2
import PackageDescription

// A plugin of your own: copy this folder, and put the address of the package where its path is.
let package = Package(
  name: "Streak",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Streak", targets: ["Streak"])],
  dependencies: [.package(name: "todostream", path: "../..")],
  targets: [
    .target(
      name: "Streak",
      dependencies: [
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
      ]
    ),
    .testTarget(
      name: "StreakTests",
      dependencies: [
        "Streak", .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
      ]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
