import EventMVVM
import EventRecords
import Foundation
import Platform
import Seams

/// The file of a store on its disk: its real path, and whether it can be used.
struct StoreFile: Sendable {
  /// The path as the user named it, for messages.
  let path: String
  /// Whether missing folders are created: only those of the default path.
  var makesFolders = false

  /// What exists at the path.
  enum Presence: String {
    case file
    /// A file without a byte, of which a store could be made.
    case empty
    case nothing = "missing"
  }

  /// Finds the file, through symbolic links, and checks that it can be used.
  ///
  /// - Returns: The real path, and whether the file exists.
  func locate() throws -> (target: String, presence: Presence) {
    let found = try look()
    guard found.presence != .file, Self.size(found.target + "-wal") ?? 0 > 0 else { return found }
    // The file may just have been created, before its log.
    let again = try look()
    guard again.presence != .file else { return again }
    // SQLite would delete the log together with the changes that were committed into it.
    let log = name(of: found.target) + "-wal"
    throw failure(
      "is \(again.presence.rawValue), but \(log) with its last changes is there; put the file back, or move "
        + "\(log) away to begin anew"
    )
  }

  /// Returns the file's name in messages: the path of the user, unless links lead to another.
  func name(of target: String) -> String { target == Self.plain(path) ? path : target }

  private func look() throws -> (target: String, presence: Presence) {
    let target = try followLinks()
    for suffix in ["-wal", "-shm", "-journal", "-bell"] {
      guard let beside = NamedFile(target + suffix) else { continue }
      let name = name(of: target) + suffix
      guard beside.isOrdinary else {
        throw StoreError(path: name, "is no ordinary file, as belongs beside a store; move it away")
      }
      if let cause = beside.hardLinkCause { throw StoreError(path: name, cause) }
    }
    var status = stat()
    guard stat(target, &status) == 0 else {
      try checkAbsence(of: target, errno)
      return (target, .nothing)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw failure("is a folder; name a file with --store")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw failure("is no ordinary file; name another with --store")
    }
    if let cause = NamedFile(target)?.hardLinkCause { throw failure(cause) }
    guard target == Self.plain(path) || status.st_uid == geteuid() else {
      throw failure("leads to a file of another user; name the file itself with --store")
    }
    guard access(target, R_OK) == 0 else {
      throw failure("you may not read it; ask its owner for permission, or name another file")
    }
    try checkDisk(of: target)
    return (target, status.st_size == 0 ? .empty : .file)
  }

  /// Whether the user may change the file, and create others next to it.
  static func isWritable(_ target: String) -> Bool {
    access(target, W_OK) == 0 && access(folder(of: target), W_OK) == 0
  }

  /// Creates the file, private from its first byte: 0600, in folders of 0700.
  func create(_ target: String) throws {
    if makesFolders { try createFolder(Self.folder(of: target)) }
    Seam.pass(.file)
    let descriptor = open(target, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 || errno == EEXIST else { throw failure("can't be created", errno) }
    if descriptor >= 0 { close(descriptor) }
  }

  // MARK: Links

  /// Returns the final path; only links of the user's own are followed.
  private func followLinks() throws -> String {
    var target = Self.plain(path)
    for _ in 0..<40 {
      var status = stat()
      guard lstat(target, &status) == 0 else {
        // Nothing may be created where a link was meant to lead to something.
        let isMissing = errno == ENOENT
        let isLost = ["-wal", "-bell"].contains { NamedFile(target + $0) != nil }
        guard isMissing, target != Self.plain(path), !isLost else { return target }
        break
      }
      guard status.st_mode & S_IFMT == S_IFLNK else { return target }
      guard status.st_uid == geteuid() else {
        throw failure("is a symbolic link of another user; name the file itself with --store")
      }
      let link = target
      target = Self.end(of: link)
      // The file behind the link was moved away without its last changes.
      guard NamedFile(link + "-wal")?.size ?? 0 > 0 else { continue }
      throw failure(
        "is a symbolic link to \(target), but \(name(of: link))-wal with the last changes is beside the link; "
          + "move it to \(target)-wal, or put the file back"
      )
    }
    throw failure("is a symbolic link that leads nowhere; name the file itself with --store")
  }

  /// Returns the target of a symbolic link, relative to the link's folder.
  private static func end(of link: String) -> String {
    var text = [CChar](repeating: 0, count: 4096)
    let length = max(0, readlink(link, &text, text.count))
    let end = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return end.utf8.first == UInt8(ascii: "/") ? end : folder(of: link) + "/" + end
  }

  /// Returns a path that SQLite takes for a file, too, unlike `:memory:` and `file:`.
  static func plain(_ path: String) -> String {
    path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
  }

  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether the file's disk is read-only.
  static func isOnReadOnlyDisk(_ target: String) -> Bool {
    var status = statvfs()
    return statvfs(target, &status) == 0 && status.f_flag & 1 != 0  // ST_RDONLY
  }

  // MARK: Causes

  /// Throws unless the file is only missing.
  private func checkAbsence(of target: String, _ code: Int32) throws {
    let folder = Self.folder(of: target)
    switch code {
    case ENOENT where makesFolders: break
    case ENOENT:
      var status = stat()
      guard stat(folder, &status) == 0 else {
        throw failure("its folder is missing; make it, or name another file with --store")
      }
      try checkDisk(of: folder)
    case ENOTDIR: throw failure("what stands before its name is no folder; name another file")
    case EACCES: throw failure("you may not enter its folder; ask its owner, or name another file")
    default: throw failure("can't be opened", code)
    }
  }

  /// Syncs the folder of a path, so that created and removed files there survive a power loss;
  /// failures are ignored.
  static func syncFolder(of path: String) {
    let descriptor = open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Returns the size of a file; nil if there is none.
  static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// Returns the free space of the file's disk; nil if it is unknown.
  static func freeBytes(beside path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(folder(of: path), &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  private func checkDisk(of target: String) throws {
    guard let network = NetworkDisk.kind(of: target) else { return }
    throw failure(
      "is on a network file system (\(network)), where processes can't be kept apart; "
        + "name a file on a disk of this machine with --store"
    )
  }

  private func failure(_ cause: String, _ code: Int32? = nil) -> StoreError {
    switch code {
    case EACCES?, EPERM?, EROFS?: .readOnly(path)
    case ENOSPC?, EDQUOT?: .full(path)
    case let code?:
      StoreError(
        path: path,
        SystemProblem(code).text(after: cause, else: "check the disk, or name another file")
      )
    case nil: StoreError(path: path, cause)
    }
  }

  private func createFolder(_ folder: String) throws {
    var status = stat()
    guard stat(folder, &status) != 0 else { return }
    if folder != "/" && folder != "." { try createFolder(Self.folder(of: folder)) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      guard ![ENOSPC, EDQUOT].contains(errno) else { throw StoreError.full(path) }
      throw StoreError(
        path: folder,
        SystemProblem(errno)
          .text(after: "the folder can't be made", else: "make it, or name a file with --store")
      )
    }
    // Without this, a power loss could remove the folder and its contents.
    Self.syncFolder(of: folder)
  }
}

/// Distinguishes disks of this machine from network disks, on which file locks and shared memory
/// are unreliable ("How To Corrupt An SQLite Database File", §2.1; "Write-Ahead Logging", §2).
enum NetworkDisk {
  /// Returns the kind of a file's network file system; nil on a disk of this machine.
  static func kind(of path: String) -> String? {
    #if canImport(Darwin)
      var status = statfs()
      let isRemote = statfs(path, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
      return isRemote ? "network" : nil
    #else
      var status = stat()
      // Disks have a device of their own, file systems without one have major number 0.
      guard stat(path, &status) == 0, major(status.st_dev) == 0,
        let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
      else { return nil }
      return kind(ofDevice: "0:\(minor(status.st_dev))", in: mounts)
    #endif
  }

  /// Returns the kind of a device's network file system, by the lines of `/proc/self/mountinfo`
  /// (proc(5)): the third field is the device, the first after the hyphen the kind.
  static func kind(ofDevice device: String, in mounts: String) -> String? {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == device, let hyphen = fields.firstIndex(of: "-"),
        hyphen + 1 < fields.count
      else { continue }
      let kind = String(fields[hyphen + 1])
      return kinds.contains(kind) ? kind : nil
    }
    return nil
  }

  #if !canImport(Darwin)
    // makedev(3), whose macros Swift does not import.
    private static func major(_ device: dev_t) -> UInt64 {
      UInt64(device) >> 8 & 0xFFF | UInt64(device) >> 32 & ~0xFFF
    }

    private static func minor(_ device: dev_t) -> UInt64 {
      UInt64(device) & 0xFF | UInt64(device) >> 12 & ~0xFF
    }
  #endif

  private static let kinds: Set<String> = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "ceph", "coda", "9p", "fuse.sshfs",
    "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs", "fuse.curlftpfs",
  ]
}
