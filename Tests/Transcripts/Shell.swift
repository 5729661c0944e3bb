import Foundation

/// A folder of its own to run commands in, with the built binary first on the path.
///
/// The folder is empty but for the home folder, and is removed in the end.
final class Shell {
  struct Outcome {
    var output: [String]
    var errors: [String]
    var status: Int32
  }

  let folder: URL
  private let binaries: URL

  init() throws {
    binaries = try Self.binaries()
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    folder = temporary.appending(path: "transcript-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "home"),
      withIntermediateDirectories: true
    )
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs a command to its end.
  ///
  /// Its streams are files outside of the folder: neither a terminal nor a pipe that could fill up.
  func run(_ command: String, input: [String] = []) throws -> Outcome {
    let streams = folder.deletingLastPathComponent()
      .appending(path: folder.lastPathComponent + "-streams")
    try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: streams) }
    let files = ["in", "out", "err"].map { streams.appending(path: $0) }
    try Data(input.map { $0 + "\n" }.joined().utf8).write(to: files[0])
    let status = try Spawning(
      arguments: [
        "/bin/sh", "-c", #"cd "$1" && exec /bin/sh -c "$2""#, "sh", folder.path, command,
      ],
      environment: environment,
      streams: files.map(\.path)
    )
    .run()
    return Outcome(
      output: try Self.lines(files[1]),
      errors: try Self.lines(files[2]),
      status: status
    )
  }

  /// What the commands find in their environment, and nothing else.
  private var environment: [String: String] {
    [
      "PATH": "\(binaries.path):/usr/bin:/bin",
      "HOME": "\(folder.path)/home",
      "XDG_DATA_HOME": "\(folder.path)/data",
      "XDG_CONFIG_HOME": "\(folder.path)/config",
      "XDG_STATE_HOME": "\(folder.path)/state",
      "XDG_CACHE_HOME": "\(folder.path)/cache",
      "TODOSTREAM_STORE": "\(folder.path)/todos.sqlite",
      "TZ": "UTC",
      "LANG": "C.UTF-8",
      "TERM": "xterm",
    ]
  }

  /// A last line without an end is followed by one that says so.
  private static func lines(_ file: URL) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var lines = text.physicalLines.map(String.init)
    if lines.last == "" { lines.removeLast() } else { lines.append("(no newline at the end)") }
    return lines
  }

  // MARK: The binary

  struct NotBuilt: Error, CustomStringConvertible {
    let folders: [URL]
    var description: String {
      "todostream is not built; it is in none of \(folders.map(\.path).joined(separator: ", "))"
    }
  }

  /// The folder of the built binary: the one in which the tests themselves were built.
  private static func binaries() throws -> URL {
    var folders = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
    folders.append(URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent())
    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    folders.append(package.standardizedFileURL.appending(path: ".build/debug"))
    let found = folders.first {
      FileManager.default.isExecutableFile(atPath: $0.appending(path: "todostream").path)
    }
    guard let found else { throw NotBuilt(folders: folders) }
    return found
  }
}
