import Foundation
import JSONText

/// The user's home folder in a path that begins with `~/`, as in a shell.
enum HomeFolder {
  private static var path: String? {
    getenv("HOME").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a path with the folder in the place of `~`; nil if it does not begin so.
  static func expanding(_ path: String) -> String? {
    guard path == "~" || path.starts(withText: "~/") else { return nil }
    return Self.path.map { $0 + (path == "~" ? "/" : path.dropFirst()) }
  }

  /// Returns a path in the folder as it begins with `~`; nil if it is not in it.
  static func shortened(_ path: String) -> String? {
    guard let home = Self.path, path.starts(withText: home + "/") else { return nil }
    return "~" + path.dropFirst(home.count)
  }
}
