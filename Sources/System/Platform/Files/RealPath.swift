import Foundation

/// Returns the path of a store that is the same for all of its names.
///
/// Before the store exists, it is the real path of the nearest existing folder, and the rest.
package func realPath(ofStore store: String) -> String {
  var (found, rest) = (store, "")
  while true {
    if let path = realpath(found, nil) {
      defer { free(path) }
      return String(cString: path) + rest
    }
    guard found != found.folder else { return found + rest }
    rest = "/" + (found.split(separator: "/").last ?? "") + rest
    found = found.folder
  }
}

extension String {
  /// The folder of a path; the current one where the path has none.
  ///
  /// The method of Foundation traps for a path of one character (6.3).
  package var folder: String {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
