import EventCommands
import EventValues
import Platform
import EventMVVM
import Foundation

/// The folder of batches that have not arrived, each in a file of its own.
///
/// It is private to its user and bounded: beyond ``mostBatches`` or
/// ``mostBytes``, the oldest are dropped. Several processes can use it at once.
struct Spool: Sendable {
  static let mostBatches = 100
  static let mostBytes = 1 << 20
  private static let suffix = ".batch"

  let folder: String

  /// A waiting batch.
  struct Entry: Sendable {
    fileprivate let path: String
    fileprivate let size: Int
  }

  /// Stores a batch.
  ///
  /// - Parameters:
  ///   - batch: The batch.
  ///   - target: The target of the batch.
  ///   - time: The time, by which batches are sorted.
  ///   - id: Its unique name.
  /// - Returns: The number of batches that were dropped to make room.
  /// - Throws: Why it can't be stored.
  func add(
    _ batch: [UInt8],
    to target: PostTarget,
    at time: Instant,
    _ id: UniqueID
  ) throws(PostProblem) -> Int {
    try? FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let digits = String(max(0, time.milliseconds))
    let name = String(repeating: "0", count: max(0, 15 - digits.count)) + digits + "-" + id.text
    let partial = "\(folder)/\(name).partial"
    let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw problem(partial, errno) }
    let code =
      writeAll(Array((target.address + "\n").utf8) + batch, to: file)
      ?? (fsync(file) == 0 ? nil : errno)
      ?? (rename(partial, "\(folder)/\(name)\(Self.suffix)") == 0 ? nil : errno)
    close(file)
    if let code {
      unlink(partial)
      throw problem(partial, code)
    }
    return dropOldest()
  }

  private func problem(_ path: String, _ code: Int32) -> PostProblem {
    PostProblem(message: "'\(path)' can't be written: \(SystemProblem(code).text)")
  }

  /// Drops the oldest batches beyond the limits, but never the newest.
  private func dropOldest() -> Int {
    var entries = entries[...]
    var bytes = entries.reduce(0) { $0 + $1.size }
    var dropped = 0
    while entries.count > 1, entries.count > Self.mostBatches || bytes > Self.mostBytes {
      let oldest = entries.removeFirst()
      bytes -= oldest.size
      if unlink(oldest.path) == 0 { dropped += 1 }
    }
    return dropped
  }

  /// All waiting batches, the oldest first.
  private var entries: [Entry] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(Self.suffix) }.sorted()
      .map { name in
        var status = stat()
        let path = folder + "/" + name
        return Entry(path: path, size: stat(path, &status) == 0 ? Int(status.st_size) : 0)
      }
  }

  /// Returns the batches that wait for a target, the oldest first.
  func batches(for target: PostTarget) -> [(entry: Entry, bytes: [UInt8])] {
    entries.compactMap { entry in
      guard let bytes = FileManager.default.contents(atPath: entry.path),
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
        bytes[..<end].elementsEqual(target.address.utf8)
      else { return nil }
      return (entry, Array(bytes[(end + 1)...]))
    }
  }

  /// Removes a batch that has arrived.
  func remove(_ entry: Entry) {
    unlink(entry.path)
  }

  /// Posts the waiting batches in one process at a time.
  ///
  /// - Returns: The value of `body`; nil, without calling it, while another process posts.
  func whileLocked<T>(_ body: () async -> T) async -> T? {
    let lock = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { return nil }
    // Closing alone leaves the folder locked while a process that was just forked has a copy.
    defer {
      flock(lock, LOCK_UN)
      close(lock)
    }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return nil }
    return await body()
  }
}
