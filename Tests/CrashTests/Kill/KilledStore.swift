import EventMVVMTesting
import Foundation

/// One store that round after round loses the process that writes to it.
///
/// The files stay as the process left them: the next one finds the log to recover.
struct KilledStore {
  private let program: Program
  private let log: String
  private var history = History()
  private var chance: Chance
  private var moments = Moments()
  private(set) var tally = KillTally()
  private(set) var problems: [String] = []

  init(_ number: Int) throws {
    program = try Program(try Folder("kill"))
    log = program.scratch / "log"
    chance = Chance(number)
  }

  /// Does so many rounds, and more until each stage was met often enough; after them, everything is
  /// still there and work goes on.
  mutating func run(rounds: Int, meeting least: Int) throws {
    for number in 0..<rounds * 20 {
      if number >= rounds && tally.hasMet(least) { break }
      if number % 3 == 2 {
        try roundBesideAnother(number)
      } else {
        try round("of round \(number)", beside: false)
      }
    }
    let last = Invocation.add("in the end")
    let outcome = try program.run(last.words)
    if outcome.ending != .exited(0) { problems.append("the last: \(outcome)") }
    try check(last, acknowledged: outcome.acknowledged, isAlone: true, "the last")
  }

  /// Another process has the store open all the while, so that nothing is recovered.
  private mutating func roundBesideAnother(_ number: Int) throws {
    let neighbour = try Neighbour(program)
    for mark in ["before round \(number)", "behind round \(number)"] {
      let printed = try neighbour.add(mark)
      if printed.isEmpty { problems.append("\(mark): the neighbour printed nothing") }
      try check(
        .add(mark),
        acknowledged: newestRevision(in: printed),
        isAlone: false,
        "the neighbour"
      )
      if mark.hasPrefix("before") { try round("of round \(number)", beside: true) }
    }
    let (ending, errors) = neighbour.end()
    if ending != .exited(0) { problems.append("the neighbour ended with \(ending): \(errors)") }
  }

  // MARK: A round

  private mutating func round(_ mark: String, beside: Bool) throws {
    let invocation = Invocation.random(mark, on: history, &chance)
    let isNew = history.newest == 0
    let moment = moments.next(for: invocation, beside: beside, &chance)
    unlink(log)
    let outcome = try run(invocation, moment)
    let records = try OperationLog(log, wasKilled: true).records
    moments.learn(from: records, moment, outcome.ending, invocation, beside: beside)
    // A new store has the commit of its schema, too, which the stages do not tell apart.
    tally.count(outcome.ending, isNew ? nil : Stage(records), beside: beside)
    if ![.exited(0), .killed(SIGKILL)].contains(outcome.ending) {
      problems.append("'\(invocation)' \(mark), \(moment): \(outcome)")
    }
    try check(invocation, acknowledged: outcome.acknowledged, isAlone: !beside, "\(moment)")
    if chance.once(in: 3) { try list("behind '\(invocation)' \(mark), \(moment)") }
  }

  private func run(_ invocation: Invocation, _ moment: Moments.Moment) throws -> Program.Outcome {
    var shim = Shim(program.folder.path)
    shim.log = log
    switch moment {
    case .operation(let operation, let moment):
      shim.kill = (operation, moment)
      return try program.run(invocation.words, input: invocation.input, shim)
    case .time(let time):
      shim.pause = 100
      return try program.run(invocation.words, input: invocation.input, shim, killedAfter: time)
    }
  }

  // MARK: What came of it

  /// The program shows what is there, also where it finds what another one left half-done.
  private mutating func list(_ what: String) throws {
    let shown = try program.run(["--json", "list", "--all"])
    if shown.ending != .exited(0) || shown.acknowledged != history.newest {
      problems.append("list \(what): revision \(history.newest) is there, but \(shown)")
    }
  }

  /// Holds what is there against what was there before, and against what was printed.
  ///
  /// Beside another process the shared memory is the truth, else it is what a restart would find.
  private mutating func check(
    _ invocation: Invocation,
    acknowledged: Int,
    isAlone: Bool,
    _ what: String
  ) throws {
    let contents = try Contents(program.store, afterRestart: isAlone)
    let new = contents.changes.dropFirst(history.changes.count)
    var found = invocation.problems(with: new)
    for change in new { try history.append(change) }
    found += history.problems(of: contents, acknowledged: acknowledged)
    problems += found.map { "'\(invocation)' \(invocation.mark), \(what): \($0)" }
  }
}

/// How many rounds there were of which sort.
struct KillTally: CustomStringConvertible {
  private(set) var rounds = 0
  private(set) var stages: [Stage: Int] = [:]
  /// Rounds on a store that was not there yet.
  private(set) var new = 0
  /// Rounds in which the process ended before it was ended.
  private(set) var survived = 0
  private(set) var beside = 0

  mutating func count(_ ending: Child.Ending, _ stage: Stage?, beside isBeside: Bool) {
    rounds += 1
    beside += isBeside ? 1 : 0
    if ending != .killed(SIGKILL) {
      survived += 1
    } else if let stage {
      stages[stage, default: 0] += 1
    } else {
      new += 1
    }
  }

  /// Whether processes were killed so often in each stage.
  func hasMet(_ least: Int) -> Bool {
    Stage.allCases.allSatisfy { stages[$0, default: 0] >= least }
  }

  static func += (sum: inout KillTally, more: KillTally) {
    sum.rounds += more.rounds
    sum.stages.merge(more.stages, uniquingKeysWith: +)
    sum.new += more.new
    sum.survived += more.survived
    sum.beside += more.beside
  }

  var description: String {
    "\(rounds) rounds: \(stages[.before, default: 0]) before, \(stages[.inside, default: 0]) inside "
      + "and \(stages[.after, default: 0]) after a commit, \(new) while the store was made, "
      + "\(survived) survived; \(beside) beside another process"
  }
}
