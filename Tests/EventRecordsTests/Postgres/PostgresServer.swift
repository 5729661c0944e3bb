import Foundation

/// A PostgreSQL of the tests' own, in a folder of its own; it ends with the process that has
/// started it.
final class PostgresServer: Sendable {
  /// What connects to it.
  let address: String
  /// The server's watcher stops it when this is closed, also by the end of this process.
  private let leash: Pipe

  /// The one of this process, if PostgreSQL is installed.
  static let shared: PostgresServer? = try? PostgresServer()

  static let isInstalled = binaries != nil

  private static let binaries: String? = {
    let versions = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    return versions?.compactMap { Double($0) != nil ? "/usr/lib/postgresql/\($0)/bin" : nil }
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
  }()

  private init() throws {
    guard let binaries = Self.binaries else { throw CocoaError(.fileNoSuchFile) }
    let folder = "/tmp/pg-\(UUID().uuidString.prefix(8))"
    // No server runs as root. What is found on its standard input ends it.
    let script = """
      mkdir -m 700 \(folder) && cd \(folder) || exit
      if [ "$(id -u)" = 0 ]; then chown postgres \(folder); as="runuser -u postgres --"; fi
      $as \(binaries)/initdb -D \(folder)/data -A trust -U test -E UTF8 --locale=C.UTF-8 --no-sync >&2 || exit
      $as \(binaries)/pg_ctl -D \(folder)/data -s -w -l \(folder)/log \
        -o "-c listen_addresses='' -c fsync=off -k \(folder)" start >&2 </dev/null || exit
      echo ready
      cat >/dev/null
      $as \(binaries)/pg_ctl -D \(folder)/data -s -m immediate stop >&2
      rm -rf \(folder)
      """
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let said = output.fileHandleForReading.availableData
    guard said.starts(with: Data("ready".utf8)) else { throw CocoaError(.fileReadUnknown) }
    leash = input
    address = "host=\(folder) user=test dbname=postgres"
  }
}
