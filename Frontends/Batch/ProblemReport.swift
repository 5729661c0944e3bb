import EventCommands

/// The problems of a script, reported as they are found: to programs, and where all were requested
/// all of them; to a person the first twenty, and at the end the number of others.
///
/// Nothing is collected, so that a script may have any number of errors.
struct ProblemReport {
  private static let mostShown = 20

  private let console: Console
  private let limit: Int
  /// The number of problems so far.
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

  /// Reports how many problems were only counted.
  func end() {
    guard count > limit else { return }
    console.warn("… and \(count - limit) more error\(count - limit == 1 ? "" : "s")")
  }
}
