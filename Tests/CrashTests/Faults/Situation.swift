import Foundation

/// A store, and a command that meets a fault on it.
struct Situation: CustomStringConvertible, Sendable {
  enum Store: String, CaseIterable {
    /// It is not there yet.
    case missing = "a new store"
    /// It is not there yet, and neither is the user's data folder.
    case missingFolder = "a new store in the data folder"
    /// It has been closed well.
    case closed = "a store"
    /// Its process was ended: the log has to be recovered.
    case crashed = "a store after a crash"
    /// Another process has it open.
    case shared = "a store that another process has open"
  }

  let store: Store
  let name: String
  let invocation: Invocation

  var description: String { "\(name) on \(store.rawValue)" }

  static let all: [Situation] = [
    Situation(.missing, "add", .add("new")),
    Situation(.missingFolder, "add", .add("new")),
    Situation(.missing, "script", .script("new", lines: 8)),
    Situation(.closed, "add", .add("new", ["--tag", "home"])),
    Situation(.closed, "toggle", .toggle([1, 2])),
    Situation(.closed, "script", .script("new", lines: 20)),
    Situation(.closed, "stream", .stream("new", lines: 3)),
    Situation(.closed, "list", list),
    Situation(.crashed, "add", .add("new")),
    Situation(.crashed, "list", list),
    Situation(.shared, "add", .add("new")),
    Situation(.shared, "script", .script("new", lines: 8)),
    Situation(.shared, "list", list),
    Situation(.closed, "backup", backup),
    Situation(.crashed, "backup", backup),
    Situation(.closed, "doctor", doctor),
    Situation(.crashed, "doctor", doctor),
  ]

  private static let list = Invocation(words: ["--json", "list", "--all"], steps: [])
  private static let doctor = Invocation(words: ["--json", "doctor"], steps: [])
  private static let backup = Invocation(words: ["--json", "backup", "COPY"], steps: [])

  private init(_ store: Store, _ name: String, _ invocation: Invocation) {
    self.store = store
    self.name = name
    self.invocation = invocation
  }

  /// The files that the command finds.
  func files() throws -> [String: [UInt8]] {
    let program = try Program(try Folder("situation"))
    switch store {
    case .missing, .missingFolder: return [:]
    case .closed, .shared:
      let invocation = Invocation.script("old", lines: 6)
      _ = try program.run(invocation.words, input: invocation.input)
      return try program.folder.files()
    case .crashed:
      let invocation = Invocation.script("old", lines: 6)
      _ = try program.run(invocation.words, input: invocation.input)
      let neighbour = try Neighbour(program)
      for mark in ["in the log", "in the log, too"] { _ = try neighbour.add(mark) }
      defer { _ = neighbour.end() }
      return try program.folder.files()
    }
  }
}
