import Foundation

/// What an observer finds in its environment: what a program needs to find its user's things, and
/// nothing that was meant for this process.
enum ObserverEnvironment {
  /// The variable that names an observer to itself, and to a `todostream` that it starts: that one
  /// starts none of the folder's, or a program that adds a todo would start itself for ever.
  static let marker = "TODOSTREAM_OBSERVER"

  /// The variables that are handed on, where they are set.
  static let names: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY",
  ]
  /// What the names of others begin with that are handed on.
  static let prefixes = ["LC_", "XDG_"]

  /// The environment of an observer, as `NAME=value`.
  static func variables(of all: [String: String], for name: String) -> [String] {
    all.filter { variable in
      names.contains(variable.key) || prefixes.contains { variable.key.hasPrefix($0) }
    }
    .map { "\($0.key)=\($0.value)" }.sorted() + ["\(marker)=\(name)"]
  }
}
