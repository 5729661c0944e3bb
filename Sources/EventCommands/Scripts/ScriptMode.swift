/// How a script is run.
package enum ScriptMode: Sendable, Equatable {
  /// All of it, or nothing.
  case allOrNothing
  /// Each line for itself.
  case keepGoing
  /// All of it, and then it is rolled back.
  case dryRun
  /// It is only read.
  case check
}
