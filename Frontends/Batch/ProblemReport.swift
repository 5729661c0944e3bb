import EventCommands

/// What is wrong with a script, reported as it is found: to programs, and where all of it was asked
/// for, everything; to a person the first twenty problems, and in the end how many more there are.
///
/// Nothing is collected, so that a script may have any number of errors.
struct ProblemReport {
  private static let mostShown = 20

  private let console: Console
  private let limit: Int
  /// How many problems there are so far.
  private(set) var count = 0

  init(_ console: Console, all: Bool) {
    self.console = console
    limit = all ? .max : Self.mostShown
  }

  /// Reports the next problem, or only counts it.
  mutating func add(_ problem: Problem) {
    count += 1
    if count <= limit { console.report(problem) }
  }

  /// Says how many problems were only counted.
  func end() {
    guard count > limit else { return }
    console.warn("… and \(count - limit) more error\(count - limit == 1 ? "" : "s")")
  }
}
