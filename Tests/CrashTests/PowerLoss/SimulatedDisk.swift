import EventMVVMTesting

/// A disk, and what of it has come through to the platters.
///
/// It is fed with the operations of a log, in order. At any time it can be asked what might be
/// found after the power was cut just then. What has been synced is there; of the rest, anything
/// may be:
///
/// - A write to a file is there, or is not, or is torn: sectors of 512 bytes are whole, and any of
///   them may be old. A write behind the end may leave zeros or rubbish where its data should be.
///   Each for itself, whatever came before it.
/// - A change of size is there or not.
/// - Names, which folder has them does not matter to a file's contents: see ``Names``.
///
/// A sync that fails leaves things as they were, for a later one to make certain. (Linux may also
/// give up what it could not write, which nobody who only uses SQLite can be safe from.)
///
/// Shared memory (`-shm`) is on no disk.
struct SimulatedDisk {
  /// What a power loss leaves of names that were made, removed and changed.
  enum Names: CaseIterable {
    /// As POSIX has it: only syncing a folder keeps its names; until then each name may be as it
    /// was before any of its changes.
    case anyOrder
    /// As file systems with a journal do: changes of names are kept in order. Syncing a folder, or
    /// a file that is new or has another size, keeps all of them that came before.
    case inOrder
  }

  private struct File {
    /// What is certain.
    var bytes: [UInt8] = []
    /// What has happened since it was last synced.
    var pending: [Change] = []
    /// Its size as processes see it.
    var size = 0
    /// Whether it is new or has another size since it was last synced.
    var isResized = true
  }

  private enum Change {
    case write(Int, ArraySlice<UInt8>)
    case resize(Int)
  }

  /// A change of one or two names; nil for a name that is gone.
  private struct Naming {
    var names: [(path: String, entry: Entry?)]
    /// Whether the folders of all its names have been synced since.
    var isSynced = false
  }

  private enum Entry {
    case file(Int)
    case folder
  }

  private var files: [File] = []
  /// Which file an inode is now: the number of one that is gone is used again.
  private var inodes: [UInt64: Int] = [:]
  /// The names as processes see them.
  private var current: [String: Entry] = [:]
  /// The names that are certain.
  private var certain: [String: Entry] = [:]
  private var namings: [Naming] = []
  /// How many of the namings happened before the last sync of anything.
  private var inOrder = 0

  /// An empty folder.
  init() {}

  // MARK: What happens

  mutating func apply(_ record: OperationLog.Record) {
    guard !record.path.hasSuffix("-shm") else { return }
    switch record.kind {
    case .open: if record.isNew { create(record) }
    case .write: change(record, .write(record.offset, record.data))
    case .truncate: change(record, .resize(record.offset))
    case .allocate: allocate(record)
    case .sync: record.isNew ? syncFolder(record.path) : syncFile(record)
    case .unlink: name([(record.path, nil)])
    case .rename:
      name([(record.path, nil), (record.newPath, current[record.path])])
    case .link: name([(record.newPath, current[record.path])])
    case .makeFolder: name([(record.path, .folder)])
    case .print, .fault: break
    }
  }

  private mutating func create(_ record: OperationLog.Record) {
    inodes[record.inode] = files.count
    name([(record.path, .file(files.count))])
    files.append(File())
  }

  private mutating func change(_ record: OperationLog.Record, _ change: Change) {
    guard let file = inodes[record.inode] else { return }
    let size =
      switch change {
      case .write(let offset, let data): max(files[file].size, offset + data.count)
      case .resize(let size): size
      }
    if size != files[file].size { files[file].isResized = true }
    files[file].size = size
    files[file].pending.append(change)
  }

  /// Allocating makes a file longer, never shorter.
  private mutating func allocate(_ record: OperationLog.Record) {
    guard let file = inodes[record.inode], files[file].size < record.offset else { return }
    change(record, .resize(record.offset))
  }

  private mutating func syncFile(_ record: OperationLog.Record) {
    guard let file = inodes[record.inode] else { return }
    if files[file].isResized { inOrder = namings.count }
    files[file].isResized = false
    for change in files[file].pending { Self.apply(change, to: &files[file].bytes) }
    files[file].pending.removeAll()
  }

  private mutating func syncFolder(_ path: String) {
    inOrder = namings.count
    for index in namings.indices {
      let folders = namings[index].names.map { Self.parent($0.path) }
      if folders.allSatisfy({ $0 == path }) { namings[index].isSynced = true }
    }
    settle()
  }

  private mutating func name(_ names: [(String, Entry?)]) {
    for (path, entry) in names { current[path] = entry }
    namings.append(Naming(names: names))
  }

  /// What is certain whichever way names are kept need not be remembered as a change.
  private mutating func settle() {
    while let first = namings.first, first.isSynced, inOrder > 0 {
      for (path, entry) in first.names { certain[path] = entry }
      namings.removeFirst()
      inOrder -= 1
    }
  }

  private static func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .write(let offset, let data):
      grow(&bytes, to: offset + data.count)
      bytes.withUnsafeMutableBytes { bytes in
        data.withUnsafeBytes { data in
          UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: data)
        }
      }
    case .resize(let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) }
      grow(&bytes, to: size)
    }
  }

  private static func grow(_ bytes: inout [UInt8], to size: Int) {
    if bytes.count < size { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
  }

  // MARK: What is left

  /// The files as processes see them: what is there if nothing is lost.
  var contents: [String: [UInt8]] {
    current.compactMapValues { entry in
      guard case .file(let number) = entry else { return nil }
      return files[number].pending.reduce(into: files[number].bytes) { Self.apply($1, to: &$0) }
    }
  }

  /// The files as they might be found.
  func afterPowerLoss(_ names: Names, _ chance: inout Chance) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    let entries = survivingNames(names, &chance)
    for (path, entry) in entries {
      guard case .file(let number) = entry, Self.isReachable(path, entries) else { continue }
      found[path] = Self.remains(of: files[number], &chance)
    }
    return found
  }

  private static func isReachable(_ path: String, _ entries: [String: Entry]) -> Bool {
    let parent = parent(path)
    guard !parent.isEmpty else { return true }
    guard case .folder? = entries[parent] else { return false }
    return isReachable(parent, entries)
  }

  private func survivingNames(_ names: Names, _ chance: inout Chance) -> [String: Entry] {
    var entries = certain
    switch names {
    case .inOrder:
      let count = chance.pick(inOrder...namings.count)
      for naming in namings[..<count] {
        for (path, entry) in naming.names { entries[path] = entry }
      }
    case .anyOrder:
      var stale: Set<String> = []
      let keepsMost = chance.once(in: 2)
      for naming in namings {
        // No name comes back to what it was before a change that is lost.
        let isKept =
          naming.isSynced
          || (naming.names.allSatisfy { !stale.contains($0.path) }
            && (keepsMost ? !chance.once(in: 8) : chance.once(in: 2)))
        for (path, entry) in naming.names {
          if isKept { entries[path] = entry } else { stale.insert(path) }
        }
      }
    }
    return entries
  }

  /// How a power loss deals with a file: each sort finds other mistakes.
  private enum Fate: CaseIterable {
    case nothingMore, everything, firstOnes, lastOnes, some, torn
  }

  private static func remains(of file: File, _ chance: inout Chance) -> [UInt8] {
    var bytes = file.bytes
    guard !file.pending.isEmpty, let fate = Fate.allCases.randomElement(using: &chance) else {
      return bytes
    }
    let cut = chance.pick(0...file.pending.count)
    for (index, change) in file.pending.enumerated() {
      switch fate {
      case .nothingMore: return bytes
      case .everything: apply(change, to: &bytes)
      case .firstOnes:
        if index < cut { apply(change, to: &bytes) }
        if index == cut { tear(change, &bytes, &chance) }
      case .lastOnes: if index >= cut { apply(change, to: &bytes) }
      case .some: if chance.once(in: 2) { apply(change, to: &bytes) }
      case .torn: tear(change, &bytes, &chance)
      }
    }
    return bytes
  }

  private static let sector = 512

  /// Applies some sectors of a write; a size is all or nothing.
  private static func tear(_ change: Change, _ bytes: inout [UInt8], _ chance: inout Chance) {
    guard case .write(let offset, let data) = change else {
      if chance.once(in: 2) { apply(change, to: &bytes) }
      return
    }
    let oldCount = bytes.count
    let hasGrown = chance.once(in: 2)
    let leavesRubbish = chance.once(in: 2)
    var start = offset
    while start < offset + data.count {
      let end = min(offset + data.count, (start / sector + 1) * sector)
      let first = data.startIndex + start - offset
      if chance.once(in: 2) {
        apply(.write(start, data[first..<(first + end - start)]), to: &bytes)
      } else if hasGrown && end > oldCount {
        let rest = max(start, oldCount)..<end
        let rubbish = leavesRubbish ? UInt8.random(in: 0...255, using: &chance) : 0
        let bytesThere = [UInt8](repeating: rubbish, count: rest.count)
        apply(.write(rest.lowerBound, bytesThere[...]), to: &bytes)
      }
      start = end
    }
  }
}

extension SimulatedDisk {
  /// A folder as it is, all of it certain.
  init(_ folder: Folder) throws {
    for (path, bytes) in try folder.files() {
      inodes[try inode(folder / path)] = files.count
      certain[path] = .file(files.count)
      files.append(File(bytes: bytes, size: bytes.count, isResized: false))
      var parent = Self.parent(path)
      while !parent.isEmpty {
        certain[parent] = .folder
        parent = Self.parent(parent)
      }
    }
    current = certain
  }
}
