import Foundation

/// A small file system in memory, which no other process sees and which goes with this object.
///
/// It is mounted in a namespace of its own (`unshare`, in which any user may mount where the system
/// lets users make namespaces); programs enter it by ``prefix``, and this process sees the files
/// through ``outside``.
final class Tmpfs {
  /// Where it is for the programs in it.
  let folder: Folder
  /// The same place for everybody else.
  let outside: String
  /// The words before a program that is to be run in it.
  let prefix: [String]

  private let holder: Child
  private let line: Int32

  struct NotMounted: Error, CustomStringConvertible {
    let messages: String
    var description: String {
      """
      No tmpfs can be mounted here, which this test needs: \(messages)
      Run it as root, in a container with CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN \
      --security-opt apparmor=unconfined), or let users make namespaces \
      (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0). \
      unshare, nsenter and mount are in the packages util-linux and mount.
      """
    }
  }

  init(bytes: Int) throws {
    folder = try Folder("tmpfs")
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw SystemError("a socket") }
    line = ends[0]
    defer { close(ends[1]) }
    let streams = try Streams(in: try Folder("streams"), input: "")
    let script = #"mount -t tmpfs -o size="$1",mode=700 none "$0" && echo mounted && exec cat"#
    holder = try Child(
      ["unshare", "--map-root-user", "--mount", "sh", "-c", script, folder.path, "\(bytes)"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      descriptors: [ends[1], ends[1], streams.descriptors[2]]
    )
    prefix = [
      "nsenter", "--target", "\(holder.id)", "--user", "--mount", "--preserve-credentials", "--",
    ]
    outside = "/proc/\(holder.id)/root\(folder.path)"
    var answer = [UInt8](repeating: 0, count: 8)
    guard read(line, &answer, 8) == 8 else { throw NotMounted(messages: streams.errors) }
  }

  deinit {
    close(line)
    _ = holder.wait()
  }

  /// The table of mounts that the programs in it see; proc(5).
  func mounts() throws -> [UInt8] {
    // Files in /proc have no size.
    guard let data = FileManager.default.contents(atPath: "/proc/\(holder.id)/mountinfo") else {
      throw SystemError("mountinfo")
    }
    return Array(data)
  }

  /// How many bytes are free.
  var free: Int {
    var status = statvfs()
    guard statvfs(outside, &status) == 0 else { return 0 }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  private var ballast: String { outside + "/ballast" }

  /// Fills it but for so many bytes.
  func fill(leaving bytes: Int) throws {
    let count = free - bytes
    if count > 0 { try writeBytes([UInt8](repeating: 1, count: count), to: ballast) }
  }

  /// Frees what was filled.
  ///
  /// A test beside this one may have started a process while the file was open. Until that process
  /// has become its program, it holds the file open, too, and unlinking frees nothing.
  func empty() {
    truncate(ballast, 0)
    unlink(ballast)
  }
}
