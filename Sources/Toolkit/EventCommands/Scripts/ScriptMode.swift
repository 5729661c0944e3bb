/// How a script is run.
package enum ScriptMode: Sendable, Equatable {
  /// All of it is committed, or nothing.
  case allOrNothing
  /// Each line is committed on its own.
  case keepGoing
  /// All of it runs and is then rolled back.
  case dryRun
  /// It is only read.
  case check
}
