import Foundation

/// Distinguishes disks of this machine from network disks, on which file locks and shared memory
/// can't be relied upon ("How To Corrupt An SQLite Database File", §2.1; "Write-Ahead Logging",
/// §2).
enum NetworkDisk {
  /// The kind of network file system that a file is on; nil if it is on a disk of this machine.
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

  /// The kind of network file system that a device is, by the lines of `/proc/self/mountinfo`
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
    // makedev(3), whose macros Swift doesn't see.
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
