package import Foundation

/// The identity of a file, independent of its names.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let number: ino_t

  /// The file that a status describes.
  package init(_ status: stat) {
    device = status.st_dev
    number = status.st_ino
  }

  /// The file that a descriptor is open on; nil if it is on none.
  package init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file at a path, links followed; nil if there is none.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
