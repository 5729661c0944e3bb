import Platform
package import EventMVVM
import Foundation

/// An observing program that was found and checked.
package struct ObserverProgram: Sendable, Equatable {
  /// Its name: that of its file.
  package let name: String
  /// Its absolute path.
  package let path: String

  /// Finds a program that the options name.
  ///
  /// - Parameters:
  ///   - word: A path or, without a slash, the name of a program on the search path.
  ///   - searchPath: Folders with colons between them; relative ones are skipped.
  /// - Throws: A usage error with the problem of the program.
  package init(_ word: String, searchPath: String?) throws(Failure) {
    guard !word.isEmpty else { throw Failure(.usage, "--observer needs the name of a program.") }
    guard !word.utf8.contains(UInt8(ascii: "/")) else {
      try self.init(path: word)
      return
    }
    for folder in (searchPath ?? "").split(separator: ":") where folder.utf8.first == 0x2F {
      let path = "\(folder)/\(word)"
      if access(path, X_OK) == 0, Self.kind(of: path) == S_IFREG {
        try self.init(path: path)
        return
      }
    }
    throw Failure(
      .usage,
      "There is no program '\(word)' on the search path; give the path of a file as ./\(word)."
    )
  }

  /// Checks a file.
  ///
  /// - Parameter path: Its path.
  /// - Throws: A usage error if it is no file, can't be executed, or if other users can change it
  ///   or a part of its path.
  init(path: String) throws(Failure) {
    let absolute = path.utf8.first == 0x2F ? path : Self.currentFolder + "/" + path
    var status = stat()
    guard stat(absolute, &status) == 0 else {
      let reason = SystemProblem(errno).text
      throw Failure(.usage, "The observer '\(path)' can't be started: \(reason).")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.usage, "The observer '\(path)' can't be started: it is no file.")
    }
    guard access(absolute, X_OK) == 0 else {
      throw Failure(
        .usage,
        "The observer '\(path)' can't be started: it is not executable; 'chmod +x' makes it so."
      )
    }
    guard status.st_mode & S_IWOTH == 0 else {
      throw Failure(
        .usage,
        "The observer '\(path)' is not started: anybody can change it; 'chmod o-w' forbids that."
      )
    }
    if let folder = FolderWay(to: absolute).first(where: Self.isOpenToAnybody) {
      throw Failure(
        .usage,
        "The observer '\(path)' is not started: anybody can change '\(folder)', through which the way "
          + "to it leads; 'chmod o-w' forbids that."
      )
    }
    self.path = absolute
    name = absolute.split(separator: "/").last.map(String.init) ?? path
  }

  /// Returns the programs of a folder, by name, and the problems of those that can't be started.
  ///
  /// Files that are not executable are skipped, and so are copies of an editor or a package
  /// manager. No command names these programs, so only the user may be able to change them. A
  /// missing folder has none.
  package static func all(in folder: String) -> [Result<ObserverProgram, Failure>] {
    guard let names = names(in: folder), !names.isEmpty else { return [] }
    if let doubt = Trust.doubt(aboutFolder: folder) {
      let problem = "The observers in '\(folder)' are not started: \(doubt)"
      return [.failure(Failure(.usage, problem))]
    }
    return names.filter { !isLeftover($0) }.sorted().map { "\(folder)/\($0)" }
      .filter { access($0, X_OK) == 0 && kind(of: $0) == S_IFREG }
      .map { path in
        Result { () throws(Failure) -> ObserverProgram in
          if let doubt = Trust.doubt(aboutFile: path) {
            throw Failure(.usage, "The observer '\(path)' is not started: \(doubt)")
          }
          return try ObserverProgram(path: path)
        }
      }
  }

  /// Whether a file is a copy that an editor, a patch or a package manager has left next to another
  /// one.
  private static func isLeftover(_ name: String) -> Bool {
    [".bak", ".orig", ".rej", "~"].contains { name.hasSuffix($0) } || name.contains(".dpkg-")
      || name.count > 1 && name.hasPrefix("#") && name.hasSuffix("#")
  }

  /// Returns the names in a folder except hidden ones; nil if it can't be read.
  private static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names
  }

  private static func kind(of path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Whether every user can replace a file in a folder.
  ///
  /// Where the sticky bit is set, only its owner can. A folder that can't be examined is not
  /// trusted.
  private static func isOpenToAnybody(_ folder: String) -> Bool {
    var status = stat()
    guard stat(folder, &status) == 0 else { return true }
    return status.st_mode & S_IWOTH != 0 && status.st_mode & S_ISVTX == 0
  }

  private static var currentFolder: String { FileManager.default.currentDirectoryPath }
}
