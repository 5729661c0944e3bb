import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import ProcessTesting
import Testing
import StandardParts
@testable import todostream

@testable import EventApp

/// `[store] address` in the configuration file is the store, unless the words or the variable name
/// one.
@Suite(.hangLimit) final class ConfiguredStoreTests {
  private let place: Workplace
  private var config: String { place.folder.path + "/config/todostream/config.toml" }
  private var mine: String { place.folder.path + "/home/mine.sqlite" }

  init() throws { place = try Workplace() }

  private func write(_ text: String, mode: Int = 0o600) throws {
    let folder = URL(filePath: config).deletingLastPathComponent()
    try FileManager.default.createDirectory(
      at: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try text.write(toFile: config, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: config)
  }

  /// Runs a command without the variable, unless it is given.
  private func run(_ command: String, store: String = "") throws -> Job.Outcome {
    try place.start("exec " + command, variables: ["TODOSTREAM_STORE": store]).outcome()
  }

  @Test func `the words come first, then the variable, then the file, then the default`() throws {
    try write("[store]\naddress = \"~/mine.sqlite\" # of all machines\n")
    #expect(try run("todostream add In the file").output == ["Added #1 In the file"])
    #expect(try run("todostream list").output == ["#1 [ ] In the file"])
    #expect(FileManager.default.fileExists(atPath: mine))
    #expect(try run("todostream add There", store: "there.sqlite").output == ["Added #1 There"])
    let named = try run("todostream --store here.sqlite add Here", store: "there.sqlite")
    #expect(named.output == ["Added #1 Here"])
    let completed = try run("todostream completions zsh -- show ''").output
    #expect(completed == ["words", "1\tIn the file"])
    #expect(try run("todostream doctor").output.first == mine)
    try FileManager.default.removeItem(atPath: config)
    #expect(try run("todostream list") == .init())
    #expect(try run("todostream add By default").output == ["Added #1 By default"])
  }

  @Test func `store init without an address uses it`() throws {
    try write("store.address = '\(mine)'\n")
    #expect(try run("todostream store init") == .init(output: ["Made \(mine)"]))
    #expect(FileManager.default.fileExists(atPath: mine))
    #expect(
      try run("todostream --json store init")
        == .init(output: [#"{"store":"\#(mine)","change":"none"}"#])
    )
    // A file that others can change names no store.
    try write("[store]\naddress = '~/other.sqlite'\n", mode: 0o666)
    let other = try run("todostream store init")
    let doubt = "other users can change it; 'chmod go-w' forbids that."
    #expect(other.errors == ["warning: '\(config)' is not read: \(doubt)"])
    #expect(other.output == ["Made \(place.folder.path)/data/todostream/todos.sqlite"])
  }

  @Test func `a domain of somebody else has it, too`() throws {
    let folder = place.folder.path
    try FileManager.default.createDirectory(
      atPath: folder + "/config",
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    try "[store]\naddress = '\(folder)/notes.sqlite'\n"
      .write(toFile: folder + "/config/config.toml", atomically: true, encoding: .utf8)
    let application = Application(Notes(), paths: UserPaths(Notes().program, in: folder))
    let invocation = try Invocation(application, ["help"].words, [])
    #expect(try invocation.store.path == folder + "/notes.sqlite")
    #expect(try invocation.store.isDefault == false)
    #expect(invocation.warnings == [])
  }

  @Test(arguments: [
    (
      "address = true",
      "2:1: 'address' needs a text: a path, postgresql://… or service=NAME"
    ),
    (
      "address = ['a', 'b']",
      "2:1: 'address' needs a text: a path, postgresql://… or service=NAME"
    ),
    (
      "  address = 'todos.sqlite'",
      "2:3: 'todos.sqlite' is no store: it has to be a path that begins with '/' or '~/', "
        + "postgresql://… or service=NAME."
    ),
    (
      "address = ''",
      "2:1: '' is no store: it has to be a path that begins with '/' or '~/', "
        + "postgresql://… or service=NAME."
    ),
    (
      "address = 'mysql://host/todos'",
      "2:1: There are no stores of the kind 'mysql': name a file, postgresql://… or service=NAME."
    ),
  ])
  func `a wrong value is a usage error with its place, and creates nothing`(
    _ line: String,
    _ problem: String
  ) throws {
    try write("[store]\n\(line)\n")
    for command in ["todostream list", "todostream store init"] {
      #expect(try run(command) == .init(errors: ["error: \(config):\(problem)"], status: 2))
    }
    let json = try run("todostream --json list")
    let start = #"{"error":{"kind":"usage","message":"\#(config):2:"#
    #expect(json.errors.first?.hasPrefix(start) == true)
    #expect(try run("todostream --version").status == 0)
    #expect(try run("ls data").status != 0)
  }

  @Test func `a key beside it is a warning that names it`() throws {
    try write("[store]\nadress = '/nowhere'\n")
    let outcome = try run("todostream add One")
    #expect(outcome.output == ["Added #1 One"])
    #expect(
      outcome.errors == [
        "warning: \(config):2:1: 'store.adress' is unknown; did you mean 'store.address'?"
      ]
    )
  }
}

/// A domain that does nothing.
private struct Notes: Domain {
  let program = Program("notes", version: "1", summary: "Keeps notes.")
  let records: [any Record.Type] = []
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) {}
  func servers(_ setting: ServerConfiguration) -> Servers { Servers([]) }
}
