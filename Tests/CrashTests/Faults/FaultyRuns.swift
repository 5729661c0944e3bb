import EventMVVMTesting
import Foundation

/// Runs a command again and again, each time with another of its operations failing.
struct FaultyRuns {
  private let situation: Situation
  private let fault: Fault
  private let files: [String: [UInt8]]
  private let program: Program
  private let log: String
  private var chance = Chance(3_000)
  private(set) var tally = Tally()
  private(set) var problems: [String] = []

  struct Tally {
    var runs = 0
    /// Runs in which the failing operation did not matter.
    var succeeded = 0
    /// Messages, and how often each was printed.
    var messages: [String: Int] = [:]
  }

  init(_ situation: Situation, _ fault: Fault) throws {
    self.situation = situation
    self.fault = fault
    files = try situation.files()
    var program = try Program(try Folder("faulty"))
    program.isNamed = situation.store != .missingFolder
    self.program = program
    log = program.scratch / "log"
  }

  /// Lets one operation fail after the other, each in a run of its own, until the command has no
  /// more.
  ///
  /// - Parameters:
  ///   - first: The number of the one that fails first, from one.
  ///   - step: How many further on the next one is.
  /// - Throws: That there is no running it.
  mutating func run(from first: Int, by step: Int) throws {
    var operation = first
    while try run(failing: operation) { operation += step }
  }

  /// - Returns: Whether the command came to that operation.
  private mutating func run(failing operation: Int) throws -> Bool {
    try program.folder.become(files)
    let neighbour = situation.store == .shared ? try Neighbour(program) : nil
    if let neighbour { _ = try neighbour.add("of the other") }
    let before = try Contents(program.store, afterRestart: true)
    let disk = try SimulatedDisk(program.folder)

    unlink(log)
    var shim = Shim(program.folder.path)
    shim.log = log
    shim.failure = (operation, fault.code, fault.manner)
    shim.countsReads = fault.isRead
    let words = situation.invocation.words.map { $0 == "COPY" ? copy : $0 }
    let outcome = try program.run(words, input: situation.invocation.input, shim)
    let records = try OperationLog(log).records
    guard records.contains(where: { fault.isRead ? $0.kind == .fault : $0.number >= operation })
    else {
      _ = neighbour?.end()
      return false
    }

    tally.runs += 1
    var found = judge(outcome)
    found += try look(at: outcome, before, (disk, records))
    if let neighbour { found += try goOn(neighbour) }
    found += try goOn(neighbour == nil ? disk : nil)
    let place = records.first { $0.kind == .fault }.map { " (\($0.newPath) \($0.path))" } ?? ""
    problems += found.map { "\(situation), \(fault) at operation \(operation)\(place): \($0)" }
    return true
  }

  private var copy: String { program.folder / "copy.sqlite" }

  // MARK: What the command says

  /// It succeeds, or names the store, the cause, and what to do.
  private mutating func judge(_ outcome: Program.Outcome) -> [String] {
    switch outcome.ending {
    case .exited(0):
      tally.succeeded += 1
      return outcome.errors.isEmpty ? [] : ["it succeeded, and printed \(outcome.errors)"]
    case .exited(4):
      // What the doctor finds is a result.
      if outcome.output.contains(#""sound":false"#) { return [] }
      guard let message = outcome.storeMessage else { return ["no message: \(outcome)"] }
      let text = message.replacing(program.store, with: "STORE").replacing(copy, with: "COPY")
        .replacing(program.folder.path, with: "FOLDER").replacing(/SQLite \d+/, with: "SQLite N")
      tally.messages[text, default: 0] += 1
      return FaultMessages.allowed(fault).contains(text)
        ? [] : ["the message is wrong: \(text)"]
    default: return ["it ended with \(outcome)"]
    }
  }

  // MARK: What the store has

  /// Nothing that was there or acknowledged is lost, also by a power loss; steps are whole; what
  /// was said about what was written is true.
  private mutating func look(
    at outcome: Program.Outcome,
    _ before: Contents,
    _ disk: Disk
  ) throws -> [String] {
    let contents = try Contents(program.store, afterRestart: true)
    let acknowledged = max(before.changes.last?.revision ?? 0, outcome.acknowledged)
    var found = try problems(with: contents, after: before, outcome, acknowledged)
    let new = contents.changes.count - before.changes.count
    if outcome.ending == .exited(0), new != situation.invocation.steps.reduce(0, +) {
      found.append("LOST: it succeeded, but made \(new) changes")
    }
    found += try lookAtCopy(outcome, contents)
    return try found + afterPowerLoss(disk, outcome, before, acknowledged)
  }

  /// A copy is whole, or there is none.
  private func lookAtCopy(_ outcome: Program.Outcome, _ original: Contents) throws -> [String] {
    guard situation.name == "backup" else { return [] }
    let isThere = FileManager.default.fileExists(atPath: copy)
    guard isThere == (outcome.ending == .exited(0)) else {
      return ["the copy is there: \(isThere)"]
    }
    guard isThere else { return [] }
    let contents = try Contents(copy, afterRestart: true)
    let problems = try History(original.changes)
      .problems(of: contents, acknowledged: original.changes.last?.revision ?? 0)
    return problems.map { "the copy: \($0)" }
  }

  private func problems(
    with contents: Contents,
    after before: Contents,
    _ outcome: Program.Outcome,
    _ acknowledged: Int
  ) throws -> [String] {
    if !contents.damages.isEmpty { return contents.damages.map { "DAMAGED: \($0)" } }
    let history = try History(contents.changes)
    var found = history.problems(of: contents, acknowledged: acknowledged)
    if !contents.changes.starts(with: before.changes) {
      found.append("LOST: something that was there before")
    }
    found += situation.invocation.problems(with: contents.changes.dropFirst(before.changes.count))
    if outcome.errors.contains("nothing was written"), history.newest > acknowledged {
      found.append("UNTRUE: it said that nothing was written")
    }
    return found
  }

  private mutating func afterPowerLoss(
    _ disk: Disk,
    _ outcome: Program.Outcome,
    _ before: Contents,
    _ acknowledged: Int
  ) throws -> [String] {
    let folder = try Folder("power")
    return try certainty(disk.records)
      .flatMap { names in
        try folder.become(imagine(disk, names))
        let contents = try Contents(folder / store, afterRestart: false)
        return try problems(with: contents, after: before, outcome, acknowledged)
          .map { "after a power loss, names \(names): \($0)" }
      }
  }

  /// The ways in which names may be lost.
  ///
  /// SQLite does not report that a folder can't be synced, so that nobody hears of it.
  private func certainty(_ records: [OperationLog.Record]) -> [SimulatedDisk.Names] {
    let isFolder = records.contains {
      $0.kind == .fault && $0.newPath == "s" && !$0.path.hasPrefix(store)
    }
    return isFolder ? [.inOrder] : SimulatedDisk.Names.allCases
  }

  /// What a disk was like before the command, and what the command did to it.
  private typealias Disk = (before: SimulatedDisk, records: [OperationLog.Record])

  /// The power is lost somewhere behind the last acknowledgement.
  private mutating func imagine(_ disk: Disk, _ names: SimulatedDisk.Names) -> [String: [UInt8]] {
    let acknowledged = disk.records.lastIndex { $0.kind == .print }.map { $0 + 1 } ?? 0
    let end = chance.pick(acknowledged...disk.records.count)
    var imagined = disk.before
    for record in disk.records[..<end] { imagined.apply(record) }
    return imagined.afterPowerLoss(names, &chance)
  }

  // MARK: What comes next

  /// Without the fault, work goes on, and what is then printed is there after a power loss.
  private mutating func goOn(_ disk: SimulatedDisk?) throws -> [String] {
    var shim = Shim(program.folder.path)
    shim.log = log
    let outcome = try program.run(Invocation.add("afterwards").words, shim)
    let contents = try Contents(program.store, afterRestart: true)
    let history = try History(contents.changes)
    var found = history.problems(of: contents, acknowledged: outcome.acknowledged)
    if outcome.ending != .exited(0) { found.append("afterwards: \(outcome)") }
    guard let disk else { return found }
    let records = try OperationLog(log).records
    let folder = try Folder("power")
    for names in certainty(records) {
      try folder.become(imagine((disk, records), names))
      let left = try Contents(folder / store, afterRestart: false)
      found += history.problems(of: left, acknowledged: outcome.acknowledged)
        .map { "after a power loss after what came afterwards, names \(names): \($0)" }
    }
    return found
  }

  /// The store, below its folder.
  private var store: String { String(program.store.dropFirst(program.folder.path.count + 1)) }

  private func goOn(_ neighbour: Neighbour) throws -> [String] {
    let printed = try neighbour.add("of the other afterwards")
    let contents = try Contents(program.store, afterRestart: false)
    let problems = try History(contents.changes)
      .problems(of: contents, acknowledged: newestRevision(in: printed))
    let (ending, errors) = neighbour.end()
    return printed.isEmpty || ending != .exited(0)
      ? problems + ["the other process ended with \(ending): \(errors)"] : problems
  }
}
