import Foundation

/// A folder of this process, in memory where the system has one, that is gone with the process
/// unless it crashes.
func makeScratchFolder() throws -> String {
  let memory = "/dev/shm"
  let isThere = FileManager.default.fileExists(atPath: memory)
  let folder = "\(isThere ? memory : NSTemporaryDirectory())/todostream-fuzz-\(getpid())"
  try? FileManager.default.removeItem(atPath: folder)
  try FileManager.default.createDirectory(
    atPath: folder,
    withIntermediateDirectories: false,
    attributes: [.posixPermissions: 0o700]
  )
  atexit {
    for folder in ["/dev/shm", NSTemporaryDirectory()] {
      try? FileManager.default.removeItem(atPath: "\(folder)/todostream-fuzz-\(getpid())")
    }
  }
  return folder
}
