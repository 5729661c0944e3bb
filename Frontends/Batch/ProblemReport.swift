import EventCommands

/// What is wrong with a script, reported as it is found: to programs, and where all of it was asked
/// for, everything; to a person the first twenty problems, and in the end how many more there are.
///
/// Nothing is collected, so that a script may have any number of errors.
struct ProblemReport {
  private static let mostShown = 20

  private let output: BatchOutput
  private let limit: Int
  /// How many problems there are so far.
  private(set) var count = 0

  init(_ output: BatchOutput, all: Bool) {
    self.output = output
    limit = all ? .max : Self.mostShown
  }

  /// Reports the next problem, or only counts it.
  mutating func add(_ problem: Problem) {
    count += 1
    if count <= limit { output.report(problem) }
  }

  /// Says how many problems were only counted.
  func end() {
    if count > limit { output.noteMore(count - limit) }
  }
}
