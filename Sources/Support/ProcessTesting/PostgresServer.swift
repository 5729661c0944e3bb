import EventMVVM
import Foundation

/// A PostgreSQL server of the tests with a PgBouncer in front of it, in a folder of its own; both end
/// with the process that started them.
///
/// ```swift
/// case .postgres: postgres(try PostgresServer.shared.address)
/// case .pooled: postgres(try PostgresServer.shared.pooled)
/// ```
public final class PostgresServer: Sendable {
  /// The folder of the server's socket, whose port is 5432.
  package let folder: String
  /// The process that watches the server stops it when this pipe is closed, also by the end of this
  /// process.
  private let leash: Pipe
  private let binaries: String
  /// The shell's words before a program of PostgreSQL.
  private let prefix: String
  /// The address at which it listens besides its socket; empty for none.
  private let host: String

  /// The server of this process; the first use starts it.
  ///
  /// - Throws: The output of a server that did not start.
  public static var shared: PostgresServer { get throws { try made.get() } }

  private static let made = Result { try PostgresServer() }

  /// Whether both are installed on this machine; true if `$CI` is set, so that no test is skipped
  /// there.
  public static let isHere =
    ProcessInfo.processInfo.environment["CI"] != nil
    || installed != nil && FileManager.default.isExecutableFile(atPath: bouncer)

  private static let bouncer = "/usr/sbin/pgbouncer"
  private static let installed: String? = {
    let versions = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    return versions?.compactMap { Double($0) != nil ? "/usr/lib/postgresql/\($0)/bin" : nil }
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
  }()

  /// The address of its database.
  public var address: String { "postgresql://test@/postgres?host=\(folder)" }
  /// The address through the pooler, in transaction mode.
  public var pooled: String { "postgresql://test@/postgres?host=\(folder)&port=6432" }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - prefix: The words before a program of PostgreSQL; by default those that make it another user's
  ///     where this one is root, as which PostgreSQL refuses to run.
  ///   - host: The address at which it listens besides its socket.
  /// - Throws: The output of a server that did not start.
  package init(prefix: [String]? = nil, host: String = "") throws {
    guard let binaries = Self.installed else { throw Unstarted(said: "PostgreSQL is missing") }
    let folder = "/tmp/pg-\(UUID().uuidString.prefix(8))"
    let user = getuid() == 0 ? "runuser -u postgres --" : ""
    let prefix = prefix?.joined(separator: " ") ?? user
    // The script ends when its standard input ends.
    let script = """
      mkdir -m 700 \(folder) && cd \(folder) || exit
      [ -z "\(user)" ] || chown postgres \(folder)
      cat >pgbouncer.ini <<-END
      [databases]
      * = host=\(folder) port=5432
      [pgbouncer]
      listen_port = 6432
      unix_socket_dir = \(folder)
      auth_type = trust
      auth_file = \(folder)/users
      pool_mode = transaction
      max_client_conn = 1000
      server_login_retry = 1
      logfile = \(folder)/pooler.log
      pidfile = \(folder)/pooler.pid
      END
      echo '"test" ""' >users
      chmod 644 pgbouncer.ini users
      \(user) \(binaries)/initdb -D \(folder)/data -A trust -U test -E UTF8 --locale=C.UTF-8 --no-sync >&2 || exit
      [ -z "\(host)" ] || echo 'host all all 0.0.0.0/0 trust' >>\(folder)/data/pg_hba.conf
      \(prefix) \(Self.start(binaries, folder, host)) >&2 </dev/null || exit
      \(user) \(Self.bouncer) -q -d \(folder)/pgbouncer.ini >&2 </dev/null || exit
      # It listens only once it has become a daemon.
      tries=300
      until [ -S .s.PGSQL.6432 ]; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || exit
        sleep 0.1
      done
      echo ready
      cat >/dev/null
      kill $(cat \(folder)/pooler.pid)
      [ ! -d standby ] || \(user) \(binaries)/pg_ctl -D \(folder)/standby/data -s -m immediate stop >&2
      \(user) \(binaries)/pg_ctl -D \(folder)/data -s -m immediate stop >&2
      cd /
      rm -rf \(folder)
      """
    let process = Process()
    let (input, output, errors) = (Pipe(), Pipe(), "\(folder).log")
    try Data().write(to: URL(fileURLWithPath: errors))
    defer { try? FileManager.default.removeItem(atPath: errors) }
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
    let said = output.fileHandleForReading.availableData
    guard said.starts(with: Data("ready".utf8)) else {
      throw Unstarted(said: (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
    }
    leash = input
    self.folder = folder
    (self.binaries, self.prefix, self.host) = (binaries, prefix, host)
  }

  private struct Unstarted: Error { let said: String }

  private static func start(_ binaries: String, _ folder: String, _ host: String) -> String {
    "\(binaries)/pg_ctl -D \(folder)/data -s -w -l \(folder)/log -o "
      + "\"-c listen_addresses='\(host)' -c fsync=off -c max_connections=400 -k \(folder)\" start"
  }

  /// Stops the server: at once, like a loss of power, or in order, when it has ended all
  /// connections.
  package func stop(isAtOnce: Bool = true) throws {
    let mode = isAtOnce ? "immediate" : "fast"
    try control("\(binaries)/pg_ctl -D \(folder)/data -s -m \(mode) stop")
  }
  /// Starts the server again.
  package func start() throws { try control(Self.start(binaries, folder, host)) }

  /// Starts a standby that follows this server, and ends with it.
  ///
  /// - Returns: The address of its database.
  package func startStandby() throws -> String {
    let place = "\(folder)/standby"
    let source = "-h \(folder) -U test -R -X stream -c fast --no-sync"
    try control("\(binaries)/pg_basebackup -D \(place)/data \(source)")
    try control(Self.start(binaries, place, ""))
    return address.replacing("host=\(folder)", with: "host=\(place)")
  }
  /// Stops the standby.
  package func stopStandby() throws {
    try control("\(binaries)/pg_ctl -D \(folder)/standby/data -s -m immediate stop")
  }

  private func control(_ command: String) throws {
    let process = try Spawning(
      [
        "/bin/sh", "-c", "cd /; exec \(prefix) \(command)",
      ],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
      streams: [.file("/dev/null"), .file("/dev/null"), .file("/dev/null")]
    )
    .start()
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Unstarted(said: command) }
  }
}
