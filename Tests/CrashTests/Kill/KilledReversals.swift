import EventMVVMTesting
import Foundation

/// One store, the undos and redos of which are killed, one round after the other.
struct KilledReversals {
  private let program: Program
  private let log: String
  private var history = History()
  private var contents = Contents(changes: [], todos: [])
  private var chance: Chance
  private var moments = Moments()
  private(set) var tally = KillTally()
  /// Rounds in which a step of hundreds of todos was to be taken back.
  private(set) var long = 0
  private(set) var problems: [String] = []

  init(_ number: Int) throws {
    program = try Program(try Folder("reversals"))
    log = program.scratch / "log"
    chance = Chance(1000 + number)
  }

  /// Does so many rounds, and more until each stage was met often enough; after them, everything
  /// can be undone.
  mutating func run(rounds: Int, meeting least: Int) throws {
    for lines in [1, 450] {
      try change(.script("to learn from", lines: lines))
      for verb in ["undo", "redo"] { try learn(verb) }
    }
    for number in 0..<rounds * 20 {
      if number >= rounds && tally.hasMet(least) { break }
      let rest = contents.steps.count { $0.kind == .change && !$0.isUndone }
      if rest == 0 && contents.nextToRedo == nil || chance.once(in: 3) {
        try change(
          chance.once(in: 2)
            ? .script("of round \(number)", lines: 450)
            : .random("of round \(number)", on: history, &chance)
        )
      }
      try round(number)
    }
    while contents.nextToUndo != nil, problems.isEmpty { try reverse("undo", nil, "in the end") }
    let shown = try program.run(["--json", "list", "--all"])
    if shown.output != "[]\n" {
      problems.append("everything is undone, but a list shows something")
    }
  }

  /// Makes a step, which is left to come to its end.
  private mutating func change(_ invocation: Invocation) throws {
    let outcome = try program.run(invocation.words, input: invocation.input)
    let what = "'\(invocation)' \(invocation.mark)"
    if outcome.ending != .exited(0) { problems.append("\(what): \(outcome)") }
    try look(what, acknowledged: outcome.acknowledged)
  }

  private mutating func round(_ number: Int) throws {
    let verbs = ["undo", "redo"].filter { next($0) != nil }
    guard let verb = verbs.randomElement(using: &chance), let step = next(verb) else { return }
    let invocation = Invocation.reversal(verb, of: contents.count(of: step))
    try reverse(verb, moments.next(for: invocation, beside: false, &chance), "round \(number)")
  }

  private func next(_ verb: String) -> Contents.Step? {
    verb == "undo" ? contents.nextToUndo : contents.nextToRedo
  }

  /// Sees a reversal through to its end.
  private mutating func learn(_ verb: String) throws {
    guard let step = next(verb) else { return }
    let invocation = Invocation.reversal(verb, of: contents.count(of: step))
    var shim = Shim(program.folder.path)
    shim.log = log
    shim.pause = 100
    unlink(log)
    let start = ContinuousClock.now
    let outcome = try program.run(invocation.words, shim)
    let time = Int((ContinuousClock.now - start) / .microseconds(1))
    let records = try OperationLog(log, wasKilled: true).records
    moments.learn(from: records, invocation, beside: false, takes: time)
    if outcome.ending != .exited(0) { problems.append("'\(verb)' to learn from: \(outcome)") }
    try look("'\(verb)' to learn from", acknowledged: 0)
  }

  // MARK: A reversal

  /// Takes back what is next, and is killed at a moment, if there is one: it is done or it is not.
  private mutating func reverse(_ verb: String, _ moment: Moments.Moment?, _ what: String) throws {
    guard let step = next(verb) else { return }
    let before = contents
    let invocation = Invocation.reversal(verb, of: before.count(of: step))
    let outcome = try run(invocation, moment)
    let what = "'\(verb)' of step \(step.number), \(what), \(moment.map { "\($0)" } ?? "")"
    if ![.exited(0), .killed(SIGKILL)].contains(outcome.ending) {
      problems.append("\(what): \(outcome)")
    }
    try look(what, acknowledged: 0)
    let isDone = contents.steps.count > before.steps.count
    if outcome.ending == .exited(0) || outcome.output.hasSuffix("\n"), !isDone {
      problems.append("LOST: \(what): it was acknowledged, and is not done")
    }
    var expected = before.steps
    if isDone, let new = contents.steps.last { expected.take(step, back: new, as: verb) }
    if contents.steps != expected {
      problems.append("\(what): the steps are \(contents.steps), instead of \(expected)")
    }
    let new = contents.changes.dropFirst(before.changes.count)
    problems += invocation.problems(with: new).map { "\(what): \($0)" }
  }

  private mutating func run(
    _ invocation: Invocation,
    _ moment: Moments.Moment?
  ) throws -> Program.Outcome {
    guard let moment else { return try program.run(invocation.words) }
    var shim = Shim(program.folder.path)
    shim.log = log
    unlink(log)
    let outcome: Program.Outcome
    switch moment {
    case .operation(let operation, let part):
      shim.kill = (operation, part)
      outcome = try program.run(invocation.words, shim)
    case .time(let time):
      shim.pause = 100
      outcome = try program.run(invocation.words, input: "", shim, killedAfter: time)
    }
    let records = try OperationLog(log, wasKilled: true).records
    moments.learn(from: records, moment, outcome.ending, invocation, beside: false)
    tally.count(outcome.ending, Stage(records), beside: false)
    long += invocation.steps[0] > 200 ? 1 : 0
    return outcome
  }

  // MARK: What came of it

  /// Looks at what a restart finds: the todos are what the changes leave, and those what the steps
  /// say.
  private mutating func look(_ what: String, acknowledged: Int) throws {
    contents = try Contents(program.store, afterRestart: true)
    for change in contents.changes.dropFirst(history.changes.count) { try history.append(change) }
    let found = history.problems(of: contents, acknowledged: acknowledged)
    problems += (try found + contents.problemsOfSteps()).map { "\(what): \($0)" }
    let doctor = try program.run(["doctor"])
    if doctor.ending != .exited(0) { problems.append("\(what): \(doctor)") }
  }
}

extension [Contents.Step] {
  /// As they are when one is taken back by another.
  fileprivate mutating func take(_ step: Contents.Step, back new: Contents.Step, as verb: String) {
    for index in indices {
      if self[index].number == step.number { self[index].isUndone = true }
      if self[index].number == step.undoes { self[index].isUndone = false }
    }
    append(
      Contents.Step(
        number: new.number,
        name: new.name,
        kind: verb == "undo" ? .undo : .redo,
        undoes: step.number,
        isUndone: false
      )
    )
  }
}
