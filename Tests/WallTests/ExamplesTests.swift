import EventMVVMTesting
import Foundation
import Testing

/// The examples are built as external packages are: from the products.
@Suite(.hangLimit) struct ExamplesTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: Wall.package.appending(path: path), encoding: .utf8)
  }

  @Test func `S104 the examples lie in a package that knows this one alone`() throws {
    let packages = try text("Examples/Package.swift").matches(of: /\.package\(.*\)/)
      .map { String($0.output) }
    #expect(packages == [#".package(name: "todostream", path: "..")"#])
    #expect(try !text("Package.swift").contains("Examples"))
  }

  @Test func `every example is a target of that package`() throws {
    let manifest = try text("Examples/Package.swift")
    let targets = Wall.rooms.filter { $0.hasPrefix("Examples/") }
      .compactMap { $0.split(separator: "/").last }
    #expect(targets.count >= 10)
    for target in targets { #expect(manifest.contains("\"\(target)\""), "\(target)") }
  }

  /// What is copied with its folder has a manifest that nobody else builds by.
  @Test(
    arguments: [
      (
        "Embedding",
        ["EventCommands", "EventMVVM", "EventRecords", "SQLiteEngine", "TodoViewModels"]
      ),
      (
        "Frontend",
        [
          "Batch", "EventApp", "EventCommands", "EventMVVM", "REPL", "SQLiteEngine",
          "TodoViewModels", "UndoHistory",
        ]
      ),
      (
        "LabJournal",
        [
          "EventApp", "EventCommands", "EventMVVM", "EventMVVMTesting", "EventRecordsTesting",
          "LineServer", "ProcessTesting", "StandardParts",
        ]
      ),
      ("Plugin", ["EventCommands", "EventMVVM", "EventMVVMTesting"]),
      (
        "Template",
        [
          "EventApp", "EventCommands", "EventMVVM", "EventMVVMTesting", "EventRecordsTesting",
          "StandardParts",
        ]
      ),
    ])
  func `the manifest of an example names the products that its sources import`(
    _ example: String,
    _ products: [String]
  ) throws {
    let manifest = try text("Examples/\(example)/Package.swift")
    let named = manifest.matches(of: /\.product\(name: "(\w+)"/).map { String($0.output.1) }
    #expect(Set(named) == Set(products))
    let own = manifest.matches(of: /arget\(\s*name: "([\w-]+)"/).map { String($0.output.1) }
    var modules = Set(products).union(own).union(["Foundation", "Testing"])
    // What a product brings.
    if products.contains("EventCommands") { modules.formUnion(["EventValues", "JSONText"]) }
    if products.contains("EventRecords") { modules.insert("EventValues") }
    if products.contains("TodoViewModels") {
      modules.formUnion(["RecordCommands", "TodoModels", "TodoStores"])
    }
    if products.contains("StandardParts") {
      modules.formUnion(["Completing", "Recurring", "Scheduling"])
    }
    if products.contains("EventApp") {
      modules.formUnion(["EventPatterns", "EventRecords", "EventValues", "RecordCommands"])
    }
    for file in try Wall.sources(of: "Examples/\(example)")
    where !file.path.contains("/.build/") && file.lastPathComponent != "Package.swift" {
      let source = try String(contentsOf: file, encoding: .utf8)
      let missing = Set(ImportLine.modules(in: source)).subtracting(modules)
      #expect(missing == [], "\(file.lastPathComponent)")
    }
  }
}
