import Foundation
import ProcessTesting
import Testing

/// A call of the system by which files are written, synchronised, made or removed, as strace shows
/// it.
struct SystemCall: Equatable, CustomStringConvertible {
  let description: String

  private static let syncing = ["fsync", "fdatasync", "sync", "syncfs", "sync_file_range", "msync"]
  private static let writing = [
    "write", "writev", "pwrite64", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate",
  ]
  private static let opening = ["open", "openat", "creat"]
  private static let naming = [
    "unlink", "unlinkat", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
    "symlinkat", "chmod", "fchmod", "fchmodat",
  ]

  /// Whether it synchronises, or writes to what is no index in shared memory.
  var isOfContent: Bool {
    Self.syncing.contains(name) || (Self.writing.contains(name) && !description.contains("-shm"))
  }

  private var name: String { String(description.prefix { $0 != "(" }) }

  /// The calls by which a command of the program changes the store's files, or synchronises any.
  static func changes(by command: String, in store: SharedStore) throws -> [SystemCall] {
    let folder = store.place.folder
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let all = (syncing + writing + opening + naming).joined(separator: ",")
    let outcome = try store.place
      .start(
        "exec strace -f -y -qq -e signal=none -e trace=\(all) -o trace todostream \(command)"
      )
      .outcome()
    try #require(
      outcome.status == 0 && outcome.errors == [],
      "strace is missing (install the package strace) or may not trace: \(outcome.errors)"
    )
    let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
    let calls = trace.physicalLines.map { line in
      // A line begins with the number of the process.
      SystemCall(description: String(line.drop { $0.isNumber || $0 == " " }))
    }
    // What was read is printed, so a trace without that has seen nothing.
    try #require(calls.contains { $0.description.hasPrefix("write(1<") }, "\(calls)")
    return calls.filter { $0.isChange(of: store.path, among: before) }
      .map { SystemCall(description: $0.description.replacing(folder.path + "/", with: "")) }
  }

  private func isChange(of store: String, among files: [String]) -> Bool {
    if Self.syncing.contains(name) { return true }
    guard description.contains(store) else { return false }
    guard Self.opening.contains(name) else { return true }
    // Opened so that it would be made, were it not there.
    let isThere = files.contains { description.contains("/\($0)\"") }
    return description.contains("O_TRUNC") || (description.contains("O_CREAT") && !isThere)
  }
}
