import EventMVVM
import Foundation

/// Where the todos are kept.
struct StorePath {
  let path: String
  /// Whether nobody chose it, so that its folders are made, too.
  var isDefault = false

  /// `--store`, else `$TODOSTREAM_STORE`, else a file in the user's data folder
  /// (XDG Base Directory Specification).
  static func resolve(_ option: String?) throws(Failure) -> StorePath {
    if option == "" { throw Failure(.usage, "--store needs the name of a file.") }
    if let path = option ?? variable("TODOSTREAM_STORE") { return StorePath(path: path) }
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") {
      return StorePath(path: data + "/todostream/todos.sqlite", isDefault: true)
    }
    guard let home = variable("HOME") ?? homeOfUser else {
      throw Failure(
        .store,
        "There is no home folder to keep the todos in; name a file with --store."
      )
    }
    return StorePath(path: home + "/.local/share/todostream/todos.sqlite", isDefault: true)
  }

  /// The home folder that the system has on record for the user.
  private static var homeOfUser: String? {
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(cString: folder)
  }

  /// A variable of the environment that is set and not empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
