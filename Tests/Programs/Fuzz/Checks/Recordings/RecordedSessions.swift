import EventCommands
import EventMVVM
import Foundation

@testable import EventApp

/// Sessions that were recorded in this process, so that they are never of another version.
struct RecordedSessions {
  let application = Application(RecordedTodos())
  /// Where stores are made.
  let folder: String
  /// The recordings: a script, and an interactive session, on a store that had a todo.
  let recordings: [[UInt8]]

  init() throws {
    folder = try makeScratchFolder()
    let store = folder + "/store.sqlite"
    let script = folder + "/script"
    try Data("add Milk --tag home\nedit 1 --title Oat\ndone 1\nlist\n".utf8)
      .write(to: URL(filePath: script))
    let first = try Self.record(application, folder + "/first", store, ["run", script]) {
      try $0.run(Self.silent)
    }
    let words = [
      "add Bread", "list", "edit 1 --title Rye --expected-revision 1", "undo", "history", "done 7",
    ]
    let second = try Self.record(application, folder + "/second", store, ["serve", "--stdio"]) {
      try Composition($0, .service).run(Self.silent) { Lines($0.catalogue, words) }
    }
    recordings = [first, second]
  }

  /// Runs a session without a word, and gives its recording.
  private static func record(
    _ application: Application,
    _ path: String,
    _ store: String,
    _ words: [String],
    _ run: (Invocation) throws -> ExitStatus
  ) throws -> [UInt8] {
    let all = ["--store", store, "--record", path] + words
    // The user may have observers.
    let plugins = application.plugins.filter { $0.name != "observers" }
    _ = try run(Invocation(application, all.words, plugins))
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private static let silent = Console { _, _ in nil }
}

extension [String] {
  /// The words of a command line.
  fileprivate var words: [Word] {
    enumerated().map { Word(text: $1, offset: $0, isBare: true) }
  }
}

/// Sends lines, each after the answer to the one before.
private struct Lines: Frontend {
  let name = "lines"
  private let catalogue: Catalogue
  private let lines: [String]

  init(_ catalogue: Catalogue, _ lines: [String]) {
    self.catalogue = catalogue
    self.lines = lines
  }

  func run(_ port: ViewPort) -> ExitStatus {
    for line in lines {
      do {
        send(try catalogue.read(line.split(separator: " ").map(String.init).words), port)
      } catch {
        fatalError("'\(line)' can't be read: \(error.message)")
      }
    }
    return .success
  }

  private func send<C: Command>(_ command: C, _ port: ViewPort) {
    let isAnswered = Locked(false)
    port.request(command) { _, _ in isAnswered.withLock { $0 = true } }
    // The stream has a thread of its own. Tests wait by `waitUntil`, which no fuzzer links: here it
    // is a look each 0.1 ms, with a limit.
    let end = ContinuousClock.now + .seconds(60)
    while !isAnswered.withLock({ $0 }) {
      require(.now < end, "\(C.verb) is not answered")
      usleep(100)
    }
  }
}
