import EventMVVMTesting
import Foundation
import Testing

/// One place knows how a release is linked, for this package and for those that depend on it.
@Suite(.hangLimit) struct ReleaseTests {
  @Test(
    arguments: [
      "-static-stdlib", "-static-swift-stdlib", "-static-libgcc", "no-export-dynamic",
      "pack-relative-relocs", "--wrap=", "icudt",
    ]
  )
  func `a flag of the release stands in the command alone`(_ flag: String) throws {
    let package = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    let folders = [".ci", "Benchmarks", "Examples", "Frontends", "Plugins", "Sources", "Tests"]
    let files = try folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: package.appending(path: folder).path)
        .map { "\(folder)/\($0)" }
    }
    let naming = (files + ["Makefile", "Package.swift"])
      .filter { path in
        guard !path.contains(".build/"), !path.hasPrefix("Tests/WallTests/"),
          !path.hasSuffix(".md"),
          let text = try? String(contentsOf: package.appending(path: path), encoding: .utf8)
        else { return false }
        return text.contains(flag)
      }
    #expect(naming == ["Sources/Support/Release/ReleaseFlags.swift"])
  }
}
