import EventCommands
import EventMVVM
import EventRecords
import Foundation
import JSONText
import PostgresEngine

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

  /// The place of a store.
  struct Store {
    /// The path of a file, or the address of a database.
    let path: String
    /// Whether it is the default, so that its folders are created.
    var isDefault = false

    /// Returns the name for messages and recordings, without a password.
    func name(of program: Program) -> String {
      PostgresAddress.isOne(path) ? PostgresAddress(path, of: program.name).name : path
    }
  }

  /// Returns `--store`, else the variable, such as `$TODOSTREAM_STORE`, else the store of the
  /// configuration file, else a file in the one folder, or in the user's data folder.
  func store(
    _ option: String?,
    _ configured: ConfigurationFile.Address? = nil
  ) throws(Failure) -> Store {
    if option?.isEmpty == true { throw Failure(.usage, "--store needs the name of a file.") }
    if let option {
      if PostgresAddress.isOne(option) { try Self.refusePassword(in: option) }
      return try Self.known(option)
    }
    if let path = try Self.path(in: program.storeVariable) { return try Self.known(path) }
    if let configured { return try Self.store(configured) }
    if let folder { return Store(path: "\(folder)/\(program.storeName)", isDefault: true) }
    if let data = try Self.path(in: "XDG_DATA_HOME"), data.starts(withText: "/") {
      return Store(path: "\(data)/\(program.name)/\(program.storeName)", isDefault: true)
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
    return Store(path: "\(home)/.local/share/\(program.name)/\(program.storeName)", isDefault: true)
  }

  /// Returns the store of the configuration file.
  ///
  /// A path is absolute, or begins with `~/`: where a process works does not decide which store it
  /// uses.
  private static func store(_ address: ConfigurationFile.Address) throws(Failure) -> Store {
    do {
      if PostgresAddress.isOne(address.text) {
        try PostgresAddress.check(configured: address.text)
        return Store(path: address.text)
      }
      var path = try known(address.text).path
      if path.starts(withText: "~/"), let home = try home { path = home + path.dropFirst() }
      guard path.starts(withText: "/") else {
        throw Failure(
          .usage,
          "'\(path.quotable)' is no store: it has to be a path that begins with '/' or '~/', "
            + "postgresql://… or service=NAME."
        )
      }
      return Store(path: path)
    } catch {
      let problem = (error as? StoreError)?.message ?? (error as? Failure ?? Failure(error)).message
      throw Failure(.usage, "\(address.place): \(problem)")
    }
  }

  /// Refuses a password in an argument of the process.
  static func refusePassword(in address: String) throws(Failure) {
    do {
      try PostgresAddress.check(argument: address)
    } catch let error as StoreError {
      throw Failure(.usage, error.message)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns a file, or the address of a database with an engine.
  ///
  /// Any other address is a mistake, and not the name of a new file.
  static func known(_ text: String) throws(Failure) -> Store {
    guard !PostgresAddress.isOne(text), let scheme = scheme(of: text), access(text, F_OK) != 0
    else { return Store(path: text) }
    throw Failure(
      .usage,
      "There are no stores of the kind '\(scheme)': name a file, postgresql://… or service=NAME."
    )
  }

  /// Returns the text before `://`.
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
  private static var home: String? {
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

  /// Returns a variable of the environment that is set and not empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
