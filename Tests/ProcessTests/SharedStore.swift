import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

/// Several processes of the built program on one store.
///
/// One after the other: what they must not wait for longer than five seconds is then a property of the program, and
/// not of how many of them there are.
@Suite(.serialized, .hangLimit) enum Processes {}

/// A store of its own, and the processes that share it.
final class SharedStore {
  let place: Workplace
  private let kind: StorePlace

  init(on kind: StorePlace = .file) throws {
    self.kind = kind
    place = try Workplace(on: kind)
  }

  /// A list on a server that belongs to the test.
  init(on server: PostgresServer) throws {
    kind = .server
    place = try Workplace(on: .server, of: server)
  }

  /// A list on a server, in the folder of a machine.
  init(in place: Workplace) {
    (kind, self.place) = (.server, place)
  }

  /// Where programs are told that it is.
  var address: String { place.environment["TODOSTREAM_STORE"] ?? "" }

  /// The name of the list.
  var list: Substring { address.split(separator: "#").last ?? "" }

  /// The store's file.
  var path: String { place.folder.appending(path: "todos.sqlite").path }

  // MARK: Processes

  /// Starts the program.
  func start(_ words: String..., input: [String] = []) throws -> Job {
    try place.start(#"exec todostream "$@""#, words, input: input)
  }

  /// Runs the program to its end.
  @discardableResult
  func run(_ words: String..., input: [String] = []) throws -> Job.Outcome {
    try place.start(#"exec todostream "$@""#, words, input: input).outcome()
  }

  /// Starts a shell that does something so many times; it sees its name as `$1`, the round as `$n`.
  ///
  /// What fails says so on standard error, with its exit status.
  func loop(_ name: String, _ rounds: Int, _ commands: String) throws -> Job {
    try place.start(
      """
      try() { "$@" || echo "exit $?: $*" >&2; }
      n=1
      while [ $n -le \(rounds) ]; do
      \(commands)
      n=$((n + 1))
      done
      """,
      [name]
    )
  }

  /// Starts commands of the shell that all begin at the same moment.
  func startAtOnce(_ commands: [String]) throws -> [Job] {
    let ready = try NamedPipe("ready", in: place)
    let go = try NamedPipe("go", in: place)
    let jobs = try commands.map { command in
      try place.start("exec 3<go; echo >ready; read line <&3; exec 3<&-; \(command)")
    }
    try ready.waitUntilWritten(bytes: jobs.count)
    go.end()
    return jobs
  }

  // MARK: What is in it

  struct Todo: Decodable, Equatable {
    var id: Int
    var title: String
    var subtitle: String
    var complete: Bool
    var tags: Set<String>
    var revision: Int
  }

  /// All that `list` gives with these words, oldest first.
  func todos(_ words: String...) throws -> [Todo] {
    let outcome =
      try place.start(
        #"exec todostream --json list --all --sort -created "$@""#,
        words
      )
      .outcome()
    #expect(outcome.errors == [] && outcome.status == 0)
    return try JSONDecoder().decode([Todo].self, from: Data(outcome.output.joined().utf8))
      .sorted { $0.id < $1.id }
  }

  /// What the shell of SQLite answers.
  func sqlite(_ statements: String) throws -> [String] {
    let outcome = try place.start(#"exec sqlite3 "$TODOSTREAM_STORE" "$1""#, [statements]).outcome()
    return outcome.output + outcome.errors
  }

  /// What the database itself, asked directly, answers about the list; a text a row.
  func postgres(_ statements: String) throws -> [String] {
    let outcome =
      try place.start(
        #"exec psql -X -q -A -t "${TODOSTREAM_STORE%#*}" -c "SET search_path = ${TODOSTREAM_STORE##*#}" -c "$1""#,
        [statements]
      )
      .outcome()
    return outcome.output + outcome.errors
  }

  /// Whether a database has found nothing broken in itself; that of PostgreSQL is asked nothing.
  func isIntact() throws -> Bool {
    try kind != .file || sqlite("PRAGMA integrity_check") == ["ok"]
  }

  // MARK: Its lock

  /// Whether a writer would have to wait.
  func isLocked() throws -> Bool {
    guard kind == .file else {
      return try postgres("SELECT 1 FROM counter FOR UPDATE NOWAIT") != ["1"]
    }
    let answer = try sqlite("BEGIN IMMEDIATE; ROLLBACK;")
    guard !answer.isEmpty else { return false }
    try #require(answer.count == 1 && answer[0].contains("database is locked"), "\(answer)")
    return true
  }

  /// Waits until a writer has its turn, so that whoever comes now gets the next one.
  func waitUntilItsTurn() throws {
    let bell = open(path + "-bell", O_RDWR | O_CLOEXEC)
    try #require(bell >= 0)
    defer { close(bell) }
    try waitUntil("a writer has the store's lock") {
      guard flock(bell, LOCK_EX | LOCK_NB) == 0 else { return true }
      flock(bell, LOCK_UN)
      return false
    }
  }

  /// A script that has been stopped in the middle of its transaction, and so holds the lock; it is
  /// to be killed.
  ///
  /// It would take many seconds, so that nobody comes too late to stop it.
  func stoppedScript() throws -> Job {
    let script = try start("--quiet", "run", "-", input: (1...100_000).map { "add Part \($0)" })
    while true {
      try waitUntil("the script holds the store's lock") {
        if try isLocked() { return true }
        try #require(script.isRunning, "the script was too short to be stopped")
        return false
      }
      script.send(SIGSTOP)
      if try isLocked() { return script }
      // It was the lock of its opening, which it has for a moment before its transaction.
      script.send(SIGCONT)
    }
  }
}

/// How much is done: `TODOSTREAM_LOAD=10` for ten times as much as CI does.
enum Load {
  private static let factor =
    ProcessInfo.processInfo.environment["TODOSTREAM_LOAD"].flatMap(Int.init) ?? 1

  static func times(_ count: Int) -> Int { count * max(1, factor) }
}
