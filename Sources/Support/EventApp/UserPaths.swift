import EventCommands
import EventMVVM
import EventValues
import Foundation
import JSONText

/// The folders in which a program stores its user's files.
public struct UserPaths: Sendable {
  private let program: Program
  /// The one folder for all files; nil for those of the XDG specification.
  private let folder: String?

  /// Uses the folders of the XDG Base Directory Specification.
  public init(_ program: Program) {
    self.program = program
    folder = nil
  }

  /// Uses one folder: for the store's file, and for its own folders `config` and `state`.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - folder: An absolute path; the folder is created with the store.
  public init(_ program: Program, in folder: String) {
    self.program = program
    self.folder = folder
  }

  /// Returns the path of the file of a program's store where none is named: in
  /// the one folder, or in the user's data folder.
  func defaultStore() throws(Failure) -> String {
    if let folder { return "\(folder)/\(program.storeName)" }
    if let data = try Self.path(in: "XDG_DATA_HOME"), data.starts(withText: "/") {
      return "\(data)/\(program.name)/\(program.storeName)"
    }
    guard let home = try Self.home else {
      throw Failure(
        .store,
        "There is no home folder to keep things in; name a file with --store."
      )
    }
    guard home.starts(withText: "/") else {
      throw Failure(
        .store,
        "$HOME is not an absolute path, but '\(home)'; set it, or name a file with --store."
      )
    }
    return "\(home)/.local/share/\(program.name)/\(program.storeName)"
  }

  /// Returns the path of a file or folder in the user's state folder; nil if there is none.
  func state(_ name: String) -> String? { file("XDG_STATE_HOME", ".local/state", "state", name) }

  /// Returns the path of a file or folder in the user's configuration folder; nil if there is none.
  func configuration(_ name: String) -> String? {
    file("XDG_CONFIG_HOME", ".config", "config", name)
  }

  /// Returns a path in the one folder, or in one of the user's folders: that of a variable, if it
  /// is absolute, else one in the home folder.
  private func file(
    _ variable: String,
    _ beneathHome: String,
    _ own: String,
    _ name: String
  ) -> String? {
    if let folder { return "\(folder)/\(own)/\(name)" }
    if let folder = try? Self.path(in: variable), folder.starts(withText: "/") {
      return "\(folder)/\(program.name)/\(name)"
    }
    guard let home = try? Self.home, home.starts(withText: "/")
    else { return nil }
    return "\(home)/\(beneathHome)/\(program.name)/\(name)"
  }

  /// The home folder: that of the variable, else that in the system's database.
  static var home: String? {
    get throws(Failure) { try path(in: "HOME") ?? homeOfUser }
  }

  /// The home folder of the user in the system's database.
  private static var homeOfUser: String? {
    guard let entry = getpwuid(getuid()), let folder = entry.pointee.pw_dir else { return nil }
    return String(validatingCString: folder)
  }

  /// Returns a path in a variable of the environment that is set and not empty.
  ///
  /// A path that is not UTF-8 is refused: a repaired one would name another file.
  static func path(in name: String) throws(Failure) -> String? {
    guard let bytes = getenv(name), bytes.pointee != 0 else { return nil }
    guard let path = String(validatingCString: bytes) else {
      throw Failure(
        .store,
        "$\(name) is not valid UTF-8; set it to a path that is, or name a file with --store."
      )
    }
    return path
  }

  /// Returns a variable of the environment that is set and not empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
