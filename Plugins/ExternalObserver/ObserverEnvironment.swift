import Foundation

/// The environment of an observer: variables that locate its user's files, and none that are meant
/// for this process.
enum ObserverEnvironment {
  /// The variable with an observer's name, for itself and for a `todostream` that it starts: that
  /// one starts no programs of the folder, or a program that adds a todo would start itself for
  /// ever.
  static let marker = "TODOSTREAM_OBSERVER"

  /// The variables that are passed on, where they are set.
  static let names: Set = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR",
    "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY",
  ]
  /// The prefixes of other variables that are passed on.
  static let prefixes = ["LC_", "XDG_"]

  /// Returns the environment of an observer, as `NAME=value`.
  static func variables(of all: [String: String], for name: String) -> [String] {
    all.filter { variable in
      names.contains(variable.key) || prefixes.contains { variable.key.hasPrefix($0) }
    }
    .map { "\($0.key)=\($0.value)" }.sorted() + ["\(marker)=\(name)"]
  }
}
