import Foundation

/// The folders through which a path leads, links followed: a user who can change one of them can
/// redirect the path.
package struct FolderWay: Sequence {
  /// How many links are followed, as in the system.
  private static let mostLinks = 40

  private var folders: [String] = []
  /// The links that are followed.
  private(set) var links: [String] = []

  /// Follows a path as far as it leads.
  ///
  /// - Parameter path: A path from the root.
  package init(to path: String) {
    var folder = "/"
    var names = Self.names(in: path)
    while let name = names.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = Self.parent(of: folder)
        continue
      }
      if !folders.contains(folder) { folders.append(folder) }
      let next = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard let target = Self.target(of: next) else {
        folder = next
        continue
      }
      links.append(next)
      guard links.count <= Self.mostLinks else { return }
      if target.utf8.first == UInt8(ascii: "/") { folder = "/" }
      names += Self.names(in: target)
    }
  }

  package func makeIterator() -> some IteratorProtocol<String> { folders.makeIterator() }

  /// The names in a path, the last one first.
  ///
  /// By bytes: a mark that follows a slash is no part of it.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
  }

  private static func parent(of folder: String) -> String {
    let end = folder.utf8.lastIndex(of: UInt8(ascii: "/")) ?? folder.startIndex
    return end == folder.startIndex ? "/" : String(folder[..<end])
  }

  /// Returns the target of a link; nil for any other file.
  private static func target(of path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
