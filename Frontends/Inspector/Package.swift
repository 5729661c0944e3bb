// swift-tools-version: 6.2
import PackageDescription

// The inspector is a program of its own, so that no other one links an HTTP server. It is an external
// package: it uses the products of the toolkit and nothing else.
let package = Package(
  name: "Inspector",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "todostream-inspector", targets: ["todostream-inspector"])],
  dependencies: [
    .package(name: "todostream", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
  ],
  targets: [
    .target(name: "CSearch", linkerSettings: [.linkedLibrary("pcre2-8")]),
    .target(
      name: "RecordingIndex",
      dependencies: ["CSearch", .product(name: "EventCommands", package: "todostream")]
    ),
    .executableTarget(
      name: "todostream-inspector",
      dependencies: [
        "RecordingIndex",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      resources: [.embedInCode("Page")]
    ),
    .testTarget(
      name: "RecordingIndexTests",
      dependencies: [
        "RecordingIndex",
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
      ]
    ),
    .testTarget(
      name: "InspectorTests",
      dependencies: [
        "todostream-inspector",
        .product(name: "EventCommands", package: "todostream"),
        .product(name: "EventMVVMTesting", package: "todostream"),
        .product(name: "ProcessTesting", package: "todostream"),
      ]
    ),
  ]
)
