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
    if option?.isEmpty == true { throw Failure(.usage, "--store needs the name of a file.") }
    if let option { return StorePath(path: option) }
    if let path = try path(in: "TODOSTREAM_STORE") { return StorePath(path: path) }
    if let data = try path(in: "XDG_DATA_HOME"), data.starts(withText: "/") {
      return StorePath(path: data + "/todostream/todos.sqlite", isDefault: true)
    }
    guard let home = try path(in: "HOME") ?? homeOfUser else {
      throw Failure(
        .store,
        "There is no home folder to keep the todos in; name a file with --store."
      )
    }
    guard home.starts(withText: "/") else {
      throw Failure(
        .store,
        "$HOME is not an absolute path, but '\(home)'; set it, or name a file with --store."
      )
    }
    return StorePath(path: home + "/.local/share/todostream/todos.sqlite", isDefault: true)
  }

  /// Where the REPL keeps what was entered: in the user's state folder (XDG Base Directory
  /// Specification); nil if there is none.
  static var history: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/todostream/history" }
  }

  /// Where figures are kept; nil if there is no place.
  static var figures: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/todostream/figures.json" }
  }

  /// Where figures wait that could not be posted; nil if there is no place.
  static var spool: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/todostream/spool" }
  }

  /// What the REPL runs before its first prompt: in the user's configuration folder (XDG Base Directory
  /// Specification); nil if there is none.
  static var startup: String? {
    folder("XDG_CONFIG_HOME", ".config").map { $0 + "/todostream/startup.todo" }
  }

  /// The folder whose programs observe: in the user's configuration folder; nil if there is none.
  static var observers: String? {
    folder("XDG_CONFIG_HOME", ".config").map { $0 + "/todostream/observers" }
  }

  /// Where what observers write on standard error is kept; nil if there is no place.
  static var observerLogs: String? {
    folder("XDG_STATE_HOME", ".local/state").map { $0 + "/todostream/observers" }
  }

  /// A folder of the user's: in a variable, if its path is absolute, else beneath the home folder.
  private static func folder(_ variable: String, _ name: String) -> String? {
    if let folder = try? path(in: variable), folder.starts(withText: "/") { return folder }
    guard let home = try? path(in: "HOME") ?? homeOfUser, home.starts(withText: "/") else {
      return nil
    }
    return home + "/" + name
  }

  /// The home folder that the system has on record for the user.
  private static var homeOfUser: String? {
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(validatingCString: folder)
  }

  /// A path in a variable of the environment that is set and not empty.
  ///
  /// To repair one that is not UTF-8 would be to use another file.
  private static func path(in name: String) throws(Failure) -> String? {
    guard let bytes = getenv(name), bytes.pointee != 0 else { return nil }
    guard let path = String(validatingCString: bytes) else {
      throw Failure(
        .store,
        "$\(name) is not valid UTF-8; set it to a path that is, or name a file with --store."
      )
    }
    return path
  }

  /// A variable of the environment that is set and not empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
