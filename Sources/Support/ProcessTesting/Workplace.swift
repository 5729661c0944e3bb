public import Foundation

/// Whether slow tests run, too: `NIGHTLY=1`, by `make nightly`.
package let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] != nil

/// A temporary folder to run programs in, with the built binary first on the path.
///
/// The folder is empty except for the home folder, and is removed at the end. Used by one thread.
///
/// ```swift
/// let place = try Workplace()
/// try #require(try place.start(#"exec sqlite3 "$1" "$2""#, [path, sql]).outcome().status == 0)
/// ```
public final class Workplace {
  /// The folder.
  public let folder: URL
  /// All of the programs' environment.
  public let environment: [String: String]
  /// The words before each program.
  package let prefix: [String]
  private let streams: URL
  private var jobs = 0

  /// Creates the folder.
  ///
  /// - Parameters:
  ///   - program: A binary that must exist.
  ///   - store: The store of the todo manager; by default one in the folder.
  /// - Throws: An error of the system, or that the binary is missing.
  public convenience init(for program: String, store: String? = nil) throws {
    try self.init(for: program, store: store, prefix: [])
  }

  /// Creates the folder, for programs that are started by others, such as on another machine.
  package init(
    for program: String = "todostream",
    store: String? = nil,
    prefix: [String]
  ) throws {
    self.prefix = prefix
    let binaries = try Self.binaries(with: program)
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    folder = temporary.appending(path: "workplace-\(UUID().uuidString)")
    streams = temporary.appending(path: folder.lastPathComponent + "-streams")
    environment = Self.disturbance.merging([
      "PATH": "\(binaries.path):/usr/bin:/bin",
      "HOME": "\(folder.path)/home",
      "XDG_DATA_HOME": "\(folder.path)/data",
      "XDG_CONFIG_HOME": "\(folder.path)/config",
      "XDG_STATE_HOME": "\(folder.path)/state",
      "XDG_CACHE_HOME": "\(folder.path)/cache",
      "TODOSTREAM_STORE": store ?? "\(folder.path)/todos.sqlite",
      "TZ": "UTC",
      "LANG": "C.UTF-8",
      "TERM": "xterm",
      // A program that crashes ends, instead of waiting for a key.
      "SWIFT_BACKTRACE": "interactive=no",
    ]) { $1 }
    for folder in [folder.appending(path: "home"), streams] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Creates the folder for the todo manager.
  package convenience init(store: String? = nil) throws {
    try self.init(for: "todostream", store: store)
  }

  deinit {
    for folder in [folder, streams] { try? FileManager.default.removeItem(at: folder) }
  }

  /// Starts a shell command in the folder.
  ///
  /// Its streams are files outside the folder: neither a terminal nor a pipe that could fill up.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - arguments: The values of `$1`, `$2` …
  ///   - input: The lines of its standard input.
  ///   - variables: Further variables of its environment.
  /// - Returns: The shell, or the program that has replaced it by `exec`.
  /// - Throws: An error of the system if it can't be started.
  public func start(
    _ command: String,
    _ arguments: [String] = [],
    input: [String] = [],
    variables: [String: String] = [:]
  ) throws -> Job {
    jobs += 1
    let files = ["in", "out", "err"].map { streams.appending(path: "\(jobs).\($0)") }
    try Data(input.map { $0 + "\n" }.joined().utf8).write(to: files[0])
    return try Job(
      Spawning(
        prefix + [
          "/bin/sh", "-c", #"cd "$1" && shift && exec /bin/sh -c "$@""#, "sh", folder.path, command,
          "/bin/sh",
        ] + arguments,
        environment: environment.merging(variables) { $1 },
        streams: files.map { .file($0.path) }
      ),
      files
    )
  }

  /// The variables that make programs run as disturbed as the tests (`make shake`).
  private static let disturbance = ProcessInfo.processInfo.environment
    .filter { ["EVENTMVVM_SHAKE", "EVENTMVVM_PATIENCE"].contains($0.key) }

  // MARK: The binary

  private struct NotBuilt: Error, CustomStringConvertible {
    let program: String
    let folders: [URL]
    var description: String {
      "\(program) is not built; it is in none of \(folders.map(\.path).joined(separator: ", "))"
    }
  }

  /// The folder of the todo manager's binary.
  package static func binaries() throws -> URL { try binaries(with: "todostream") }

  /// Returns the folder of a built binary: the one of the tests themselves, unless
  /// `$TODOSTREAM_PROGRAMS` names one with the binary.
  public static func binaries(with program: String) throws -> URL {
    var folders =
      ProcessInfo.processInfo.environment["TODOSTREAM_PROGRAMS"]
      .map { [URL(filePath: $0).absoluteURL] } ?? []
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    folders.append(package.standardizedFileURL.appending(path: ".build/debug"))
    let found = folders.first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: program).path)
    }
    guard let found else { throw NotBuilt(program: program, folders: folders) }
    return found
  }
}
