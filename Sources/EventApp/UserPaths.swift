import EventMVVM
import Foundation
import JSONText

/// Where a program keeps what is its user's.
public struct UserPaths: Sendable {
  private let program: Program
  /// The one folder of everything; nil where the XDG specification says what is where.
  private let folder: String?

  /// Keeps things where the XDG Base Directory Specification says.
  public init(_ program: Program) {
    self.program = program
    folder = nil
  }

  /// Keeps everything in one folder: the store as a file in it, and what else there is in its
  /// folders `config` and `state`.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - folder: An absolute path; the folder is made when the store is.
  public init(_ program: Program, in folder: String) {
    self.program = program
    self.folder = folder
  }

  /// Where things are kept.
  struct Store {
    let path: String
    /// Whether it is the default, so that its folders are made, too.
    var isDefault = false
  }

  /// `--store`, else the variable, such as `$TODOSTREAM_STORE`, else a file in the folder that was
  /// given, or in the user's data folder.
  func store(_ option: String?) throws(Failure) -> Store {
    if option?.isEmpty == true { throw Failure(.usage, "--store needs the name of a file.") }
    if let option { return Store(path: option) }
    if let path = try Self.path(in: program.storeVariable) { return Store(path: path) }
    if let folder { return Store(path: "\(folder)/\(program.storeName)", isDefault: true) }
    if let data = try Self.path(in: "XDG_DATA_HOME"), data.starts(withText: "/") {
      return Store(path: "\(data)/\(program.name)/\(program.storeName)", isDefault: true)
    }
    guard let home = try Self.path(in: "HOME") ?? Self.homeOfUser else {
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
    return Store(path: "\(home)/.local/share/\(program.name)/\(program.storeName)", isDefault: true)
  }

  /// A file or folder in the user's state folder; nil if there is none.
  func state(_ name: String) -> String? { file("XDG_STATE_HOME", ".local/state", "state", name) }

  /// A file or folder in the user's configuration folder; nil if there is none.
  func configuration(_ name: String) -> String? {
    file("XDG_CONFIG_HOME", ".config", "config", name)
  }

  /// A file of the program's in the folder that was given, or in one of the user's: that in a
  /// variable, if its path is absolute, else one beneath the home folder.
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
    guard let home = try? Self.path(in: "HOME") ?? Self.homeOfUser, home.starts(withText: "/")
    else { return nil }
    return "\(home)/\(beneathHome)/\(program.name)/\(name)"
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
