import EventMVVM
import EventRecords
import Foundation
import JSONText
import PostgresEngine

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
    /// The path of a file, or the address of a database.
    let path: String
    /// Whether it is the default, so that its folders are made, too.
    var isDefault = false

    /// What people and files may read: no password is in it.
    func name(of program: Program) -> String {
      PostgresAddress.isOne(path) ? PostgresAddress(path, of: program.name).name : path
    }
  }

  /// `--store`, else the variable, such as `$TODOSTREAM_STORE`, else a file in the folder that was
  /// given, or in the user's data folder.
  func store(_ option: String?) throws(Failure) -> Store {
    if option?.isEmpty == true { throw Failure(.usage, "--store needs the name of a file.") }
    if let option {
      if PostgresAddress.isOne(option) { try Self.refusePassword(in: option) }
      return try Self.known(option)
    }
    if let path = try Self.path(in: program.storeVariable) { return try Self.known(path) }
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

  /// Refuses a password among the words of the process.
  static func refusePassword(in address: String) throws(Failure) {
    do {
      try PostgresAddress.check(argument: address)
    } catch let error as StoreError {
      throw Failure(.usage, error.message)
    } catch {
      throw Failure(error)
    }
  }

  /// A file, or a database of a kind that there is an engine for: what looks like another address
  /// is a mistake, and no name for a new file.
  static func known(_ text: String) throws(Failure) -> Store {
    guard !PostgresAddress.isOne(text), let scheme = scheme(of: text), access(text, F_OK) != 0
    else { return Store(path: text) }
    throw Failure(
      .usage,
      "There are no stores of the kind '\(scheme)': name a file, postgresql://… or service=NAME."
    )
  }

  /// What stands before `://`.
  private static func scheme(of text: String) -> String? {
    let name = text.utf8.prefix { $0 != UInt8(ascii: ":") }
    let isName = name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty, text.utf8.dropFirst(name.count).starts(with: "://".utf8) else {
      return nil
    }
    return String(Substring(name))
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
