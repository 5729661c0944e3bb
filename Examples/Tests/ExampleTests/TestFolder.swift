import Foundation

/// A folder that is gone with whoever holds this.
final class TestFolder {
  let path = FileManager.default.temporaryDirectory.path + "/example-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
