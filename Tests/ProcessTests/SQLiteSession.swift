import ProcessTesting
import Testing

/// Another program that has the store open, until it is told to end: the shell of SQLite.
struct SQLiteSession {
  private let over: NamedPipe
  private let shell: Job

  /// Starts it, and waits until it has carried out a statement.
  init(in store: SharedStore, _ statement: String, end last: String = "SELECT 1 WHERE 0") throws {
    let reached = try NamedPipe("reached", in: store.place)
    over = try NamedPipe("end", in: store.place)
    shell = try store.place.start(
      """
      exec sqlite3 "$TODOSTREAM_STORE" "$1" ".shell echo >reached" ".shell read line <end" "$2"
      """,
      [statement, last]
    )
    try reached.waitUntilWritten()
  }

  /// Lets it end, as it must: well, and having printed this.
  func end(printing output: [String] = []) throws {
    try over.write("end")
    let outcome = try shell.outcome()
    #expect(outcome == Job.Outcome(output: output))
  }
}
