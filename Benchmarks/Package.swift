// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the peers that are measured stay out of users' builds.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "todostream", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/OpenCombine/OpenCombine.git", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms.git", exact: "1.1.4"),
  ],
  targets: [
    .target(name: "CountedMemory"),
    .executableTarget(name: "ServerBenchmark"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CountedMemory",
        .product(name: "EventMVVM", package: "todostream"),
        .product(name: "EventApp", package: "todostream"),
        .product(name: "SQLiteEngine", package: "todostream"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ],
      swiftSettings: [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
      ]
      .map { .enableUpcomingFeature($0) },
      // Without debug information, on which callgrind chokes when it is a C++ dependency's.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-S"])]
    ),
  ]
)
