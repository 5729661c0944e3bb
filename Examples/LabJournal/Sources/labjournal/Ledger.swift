import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation

/// Appends a line to a file for each sample that this process receives: `--ledger FILE`.
///
/// It creates the file, or uses one that begins with its own heading; any other file is not
/// changed, and the session does not begin.
struct Ledger: ProgramPlugin {
  static let heading = Data("# samples received by labjournal\n".utf8)

  let name = "ledger"
  private let state = Locked(State())

  private struct State {
    var path: String?
    var file: FileHandle?
    var trouble: Failure?
  }

  var options: OptionGroup? {
    OptionGroup(LedgerOptions.spec, LedgerOptions(), forSessions: true) { [state] given in
      state.withLock { $0.path = given.ledger }
    }
  }

  /// Writes the committed samples.
  ///
  /// A replay does not begin, and so has no file.
  func join(_ stream: EventStream) {
    stream.on(ResponseRecordChanges<Sample>.self) { [state] event, turn in
      guard event.externalOrigin == nil else { return }
      let time = turn.time.iso8601
      let lines = event.changes.filter { $0.before == nil }.compactMap(\.kept)
        .map { "\(time)\t#\($0.number)\t\($0.value.batch)\n" }
      state.withLock { state in
        do {
          try state.file?.write(contentsOf: Data(lines.joined().utf8))
        } catch {
          state.trouble = Failure(.store, "The ledger could not be written: \(error)")
        }
      }
    }
  }

  func begin(_ session: ProcessSession) throws {
    guard session.effect == .writes else { return }
    try state.withLock { state in
      if let path = state.path { state.file = try Self.file(path) }
    }
  }

  func finish(_ session: ProcessSession) { state.withLock { $0.file = nil } }

  var trouble: Failure? { state.withLock { $0.trouble } }

  /// Opens a ledger, at its end.
  private static func file(_ path: String) throws -> FileHandle {
    // Only one of several processes creates the file, with its heading.
    try? heading.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    let descriptor = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Failure(.usage, "--ledger: '\(path)' can't be written.") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    guard (try? file.read(upToCount: heading.count)) == heading else {
      throw Failure(.usage, "--ledger: '\(path)' is no ledger.")
    }
    return file
  }
}

/// The options of a process with a ledger.
struct LedgerOptions {
  var ledger: String?
  static let spec = CommandSpec<Self>("", "")
    .option(
      \.ledger,
      "Appends a line for each received sample",
      flag: "--ledger",
      placeholder: "FILE"
    )
}
