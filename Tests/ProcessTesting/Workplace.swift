public import Foundation

/// Whether tests that take long are run, too: `NIGHTLY=1`, by `make nightly`.
package let isNightly = ProcessInfo.processInfo.environment["NIGHTLY"] != nil

/// A folder of its own to run programs in, with the built binary first on the path.
///
/// The folder is empty but for the home folder, and is removed in the end. Used by one thread.
public final class Workplace {
  /// The folder.
  public let folder: URL
  /// What the programs find in their environment, and nothing else.
  public let environment: [String: String]
  private let streams: URL
  private var jobs = 0

  /// Makes the folder.
  ///
  /// - Parameters:
  ///   - program: A binary that has to be there.
  ///   - store: The store of the todo manager; one in the folder unless given.
  /// - Throws: An error of the system's, or that it is not there.
  public init(for program: String, store: String? = nil) throws {
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
    ]) { $1 }
    for folder in [folder.appending(path: "home"), streams] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Makes the folder for the todo manager.
  package convenience init(store: String? = nil) throws {
    try self.init(for: "todostream", store: store)
  }

  deinit {
    for folder in [folder, streams] { try? FileManager.default.removeItem(at: folder) }
  }

  /// Starts a command of the shell in the folder.
  ///
  /// Its streams are files outside of the folder: neither a terminal nor a pipe that could fill up.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - arguments: What it finds as `$1`, `$2` …
  ///   - input: The lines of its standard input.
  ///   - variables: What it finds in its environment besides.
  /// - Returns: The shell, or what the command has put in its place with `exec`.
  /// - Throws: An error of the system's if it can't be started.
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
        [
          "/bin/sh", "-c", #"cd "$1" && shift && exec /bin/sh -c "$@""#, "sh", folder.path, command,
          "/bin/sh",
        ] + arguments,
        environment: environment.merging(variables) { $1 },
        streams: files.map { .file($0.path) }
      ),
      files
    )
  }

  /// What has programs be disturbed as the tests are (`make shake`).
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

  /// The folder of a built binary: the one in which the tests themselves were built, unless
  /// `$TODOSTREAM_PROGRAMS` names one that has it.
  public static func binaries(with program: String) throws -> URL {
    var folders =
      ProcessInfo.processInfo.environment["TODOSTREAM_PROGRAMS"]
      .map { [URL(filePath: $0).absoluteURL] } ?? []
    folders += Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    folders.append(package.standardizedFileURL.appending(path: ".build/debug"))
    let found = folders.first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: program).path)
    }
    guard let found else { throw NotBuilt(program: program, folders: folders) }
    return found
  }
}
