import Platform
import EventMVVM
import Foundation
import Seams

/// The history of entries: in memory, and in a file that several processes share.
///
/// The file is a log: each entry is appended to it under a lock, so that no process's entry is
/// lost, and it is replaced, in one step, when most of it is repetition or too old. A line of it is
/// an entry, with `\n` for a newline in it and `\\` for a backslash; an entry that exceeds the
/// limit of a line stays in memory. Used by one thread.
package final class LineHistory {
  /// The entries, the oldest first; none occurs twice.
  package var entries: [String] {
    load()
    return kept
  }

  private let limit: Int
  private let file: HistoryFile?
  private(set) var isLoaded = false
  private var kept: [String] = []
  private var problem: String?

  /// Creates a history in memory, or one that is also stored in a file.
  ///
  /// The file is not read before it is needed.
  ///
  /// - Parameters:
  ///   - path: The file. It and its folder are created with the first entry, private to the user.
  ///   - limit: The number of entries that are stored.
  package init(path: String? = nil, limit: Int = 10_000) {
    self.limit = max(limit, 1)
    file = path.map(HistoryFile.init)
  }

  /// Adds an entry as the newest, unless it is blank or begins with a blank.
  ///
  /// Entries that other processes have added since come before it.
  package func add(_ entry: String) {
    guard let first = entry.unicodeScalars.first, !first.properties.isWhitespace else { return }
    load()
    guard let file, HistoryFile.holds(entry) else { return remember([entry]) }
    do {
      let others = try file.append(entry)
      if others.isAnew { kept = [] }
      remember(others.entries + [entry])
      try file.compact(kept)
    } catch {
      remember([entry])
      tell(error)
    }
  }

  /// Returns the rest of the newest entry that begins with a text; empty if there is none.
  ///
  /// Takes time in proportion to the number of entries.
  package func continuation(of text: String) -> String {
    guard !text.isEmpty else { return "" }
    let wanted = text.utf8
    for entry in entries.reversed() where entry.utf8.count > wanted.count {
      if entry.utf8.starts(with: wanted) { return String(entry.utf8.dropFirst(wanted.count)) ?? "" }
    }
    return ""
  }

  /// Returns the problem of the file, as a sentence, once; nothing else fails because of it.
  package func takeProblem() -> String? {
    defer { problem = nil }
    return problem
  }

  /// Reads the file, if that has not been done.
  package func load() {
    guard !isLoaded else { return }
    isLoaded = true
    guard let file else { return }
    do {
      let read = try file.read(limit: limit)
      kept = read.entries
      let faults = [
        (read.damaged, "no text"), (read.tooLong, "longer than \(HistoryFile.longestLine) bytes"),
      ]
      .filter { $0.0 > 0 }.map { ($0 == 1 ? "1 line is " : "\($0) lines are ") + $1 }
      guard !faults.isEmpty else { return }
      problem = faults.joined(separator: ", ") + " in the history, and left out: \(file.path)"
    } catch {
      tell(error)
    }
  }

  private var hasToldError = false

  private func tell(_ error: any Error) {
    guard !hasToldError else { return }
    hasToldError = true
    problem = "what is entered is not kept: \(error); it is as soon as that is mended"
  }

  private func remember(_ entries: [String]) {
    // Newest last, and each once: a repeated entry moves to the end.
    guard entries.count > 1 else {
      guard let entry = entries.first else { return }
      let isSame = { (other: String) in other.utf8.elementsEqual(entry.utf8) }
      if let index = kept.lastIndex(where: isSame) {
        kept.remove(at: index)
      }
      kept.append(entry)
      if kept.count > limit { kept.removeFirst(kept.count - limit) }
      return
    }
    var seen: Set<[UInt8]> = []
    let all = (kept + entries).reversed().filter { seen.insert(Array($0.utf8)).inserted }
    kept = all.prefix(limit).reversed()
  }
}

/// The file of a history.
final class HistoryFile {
  /// Entries of the file.
  struct Contents {
    /// The entries, the oldest first.
    var entries: [String] = []
    /// The number of lines that are not valid text.
    var damaged = 0
    /// The number of lines that are too long.
    var tooLong = 0
    /// Whether these are all entries, and replace those that were read before.
    var isAnew = false
  }

  struct Failed: Error, CustomStringConvertible {
    let path: String
    let reason: String

    init(_ path: String, _ code: Int32 = errno) {
      self.init(path, reason: SystemProblem(code).text)
    }

    init(_ path: String, reason: String) {
      self.path = path
      self.reason = reason
    }

    var description: String { "\(path): \(reason)" }
  }

  /// The most bytes of a line.
  ///
  /// A recalled entry is painted whole for each key.
  static let longestLine = 65_536
  /// The most bytes of a file that are read.
  private static let mostBytes: off_t = 64 << 20

  let path: String
  /// Whether another program kept it locked beyond the limit; there is no second wait.
  private var isHeld = false
  /// The position up to which the file was read, and the file's identity.
  private var position: off_t = 0
  private var inode: ino_t = 0

  init(_ path: String) {
    self.path = path
  }

  // MARK: Reading

  /// Reads the newest entries, each once, from the end of the file.
  func read(limit: Int) throws -> Contents {
    guard let file = try open(O_RDONLY) else { return Contents() }
    defer { close(file) }
    // A program that holds the lock appends, or replaces the file: reading is safe.
    isHeld = !lockFile(file, LOCK_SH)
    let status = try status(of: file)
    let bytes = try readLines(file, 0..<status.st_size)
    position = status.st_size
    inode = status.st_ino
    return Self.newest(limit, in: bytes)
  }

  private static func newest(_ limit: Int, in bytes: [UInt8]) -> Contents {
    var contents = Contents()
    var seen: Set<ArraySlice<UInt8>> = []
    var end = bytes.last == .newline ? bytes.count - 1 : bytes.count
    while end > 0, contents.entries.count < limit {
      let start = (bytes[..<end].lastIndex(of: .newline) ?? -1) + 1
      let line = bytes[start..<end]
      end = start - 1
      guard line.count <= longestLine else {
        contents.tooLong += 1
        continue
      }
      guard !line.isEmpty, seen.insert(line).inserted else { continue }
      if let entry = entry(line) { contents.entries.append(entry) } else { contents.damaged += 1 }
    }
    contents.entries.reverse()
    return contents
  }

  private static func entry(_ line: ArraySlice<UInt8>) -> String? {
    guard !line.contains(0) else { return nil }
    guard line.contains(.backslash) else { return String(validating: line, as: UTF8.self) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in line {
      if isEscaped {
        bytes.append(byte == UInt8(ascii: "n") ? .newline : byte)
        isEscaped = false
      } else if byte == .backslash {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return isEscaped ? nil : String(validating: bytes, as: UTF8.self)
  }

  // MARK: Writing

  /// Whether an entry fits into a line.
  static func holds(_ entry: String) -> Bool {
    entry.utf8.count <= longestLine && line(entry).count <= longestLine + 1
  }

  private static func line(_ entry: String) -> [UInt8] {
    var line: [UInt8] = []
    for byte in entry.utf8 {
      switch byte {
      case .newline: line += [.backslash, UInt8(ascii: "n")]
      case .backslash: line += [.backslash, .backslash]
      case 0: break
      default: line.append(byte)
      }
    }
    return line + [.newline]
  }

  /// Appends an entry, and returns the entries that other processes have appended since.
  func append(_ entry: String) throws -> Contents {
    let (file, status) = try lockedFile()
    defer { close(file) }
    var others = Contents()
    others.isAnew = status.st_ino != inode || status.st_size < position
    let start = others.isAnew ? 0 : position
    let added = try readLines(file, start..<status.st_size)
    others.entries = Self.newest(.max, in: added).entries
    // Ends a line that a crash has cut off.
    let last = status.st_size > 0 ? try read(file, status.st_size - 1..<status.st_size) : []
    let line = (last == [.newline] || last.isEmpty ? [] : [.newline]) + Self.line(entry)
    try write(line, to: file)
    inode = status.st_ino
    position = status.st_size + off_t(line.count)
    return others
  }

  /// Rewrites the file if that makes it much smaller.
  func compact(_ entries: [String]) throws {
    guard position > 65_536 else { return }
    let lines = entries.map(Self.line).filter { $0.count <= Self.longestLine + 1 }
    let size = lines.reduce(0) { $0 + $1.count }
    guard position > 2 * size + 65_536 else { return }
    let (file, status) = try lockedFile()
    defer { close(file) }
    // An entry that was appended meanwhile must not be lost: tries again next time.
    guard status.st_ino == inode, status.st_size == position else { return }
    let temporary = "\(path).\(getpid())"
    unlink(temporary)
    let copy = Foundation.open(
      temporary,
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      0o600
    )
    guard copy >= 0 else { throw Failed(temporary) }
    defer { close(copy) }
    do {
      let bytes = Array(lines.joined())
      try write(bytes, to: copy)
      Seam.pass(.file)
      guard fsync(copy) == 0, rename(temporary, path) == 0 else { throw Failed(temporary) }
      position = off_t(bytes.count)
      inode = try self.status(of: copy).st_ino
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Opens the file with a lock of its own, or creates it; a file that replaced it meanwhile is
  /// used instead.
  private func lockedFile() throws -> (Int32, stat) {
    while true {
      guard let file = try open(O_RDWR | O_APPEND | O_CREAT) else { throw Failed(path) }
      isHeld = !lockFile(file, within: isHeld ? .zero : .seconds(1))
      guard !isHeld else {
        close(file)
        throw Failed(path, reason: "another program keeps it locked")
      }
      var (mine, there) = (stat(), stat())
      if fstat(file, &mine) == 0, lstat(path, &there) == 0, mine.st_ino == there.st_ino,
        mine.st_dev == there.st_dev
      {
        return (file, mine)
      }
      close(file)
    }
  }

  /// Opens the file; nil if there is none and it must not be created.
  private func open(_ flags: Int32) throws -> Int32? {
    if flags & O_CREAT != 0 { makeFolder() }
    guard !StoreSigns.isStore(at: path) else { throw Failed(path, reason: "it is a store") }
    // Non-blocking, in case of a pipe with this name.
    let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var file = Foundation.open(path, flags & ~O_CREAT | always)
    if file < 0, errno == ENOENT, flags & O_CREAT != 0 {
      file = Foundation.open(path, flags | O_EXCL | always, 0o600)
      if file < 0, errno == EEXIST { file = Foundation.open(path, flags & ~O_CREAT | always) }
    }
    guard file >= 0 else {
      if errno == ENOENT && flags & O_CREAT == 0 { return nil }
      throw errno == ELOOP ? Failed(path, reason: "it is a symbolic link") : Failed(path)
    }
    do {
      let status = try status(of: file)
      guard status.st_mode & S_IFMT == S_IFREG else { throw Failed(path, reason: "it is no file") }
      // Entries of a person are private.
      if status.st_mode & 0o077 != 0 { fchmod(file, 0o600) }
      return file
    } catch {
      close(file)
      throw error
    }
  }

  private func makeFolder() {
    var missing: [String] = []
    var folder = path
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = String(folder[..<slash])
      if access(folder, F_OK) == 0 { break }
      missing.append(folder)
    }
    for folder in missing.reversed() { mkdir(folder, 0o700) }
  }

  private func status(of file: Int32) throws -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw Failed(path) }
    return status
  }

  /// Reads lines; of a file that is larger than any history only the last ones.
  private func readLines(_ file: Int32, _ range: Range<off_t>) throws -> [UInt8] {
    let start = max(range.lowerBound, range.upperBound - Self.mostBytes)
    let bytes = try read(file, start..<range.upperBound)
    guard start > range.lowerBound else { return bytes }
    return Array(bytes.drop { $0 != .newline }.dropFirst())
  }

  private func read(_ file: Int32, _ range: Range<off_t>) throws -> [UInt8] {
    var count = 0
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, length in
      while count < range.count {
        let part = pread(
          file,
          buffer.baseAddress?.advanced(by: count),
          range.count - count,
          range.lowerBound + off_t(count)
        )
        if part < 0 && errno == EINTR { continue }
        if part < 0 { code = errno }
        guard part > 0 else { break }
        count += part
      }
      length = count
    }
    guard code == 0 else { throw Failed(path, code) }
    return bytes
  }

  private func write(_ bytes: [UInt8], to file: Int32) throws {
    if let code = writeAll(bytes, to: file) { throw Failed(path, code) }
  }
}

extension UInt8 {
  fileprivate static let newline = UInt8(ascii: "\n")
  fileprivate static let backslash = UInt8(ascii: "\\")
}
