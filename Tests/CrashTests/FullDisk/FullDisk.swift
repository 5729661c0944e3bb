import EventMVVMTesting
import Foundation

/// A store on a disk that fills up and is freed again, over and over.
struct FullDisk {
  private let disk: Tmpfs
  private let program: Program
  private var history = History()
  private var chance: Chance
  private(set) var tally = Tally()
  private(set) var problems: [String] = []

  struct Tally {
    var rounds = 0
    /// Rounds in which there was no room for what was to be done.
    var full = 0
    /// Changes that were acknowledged before there was no more room.
    var acknowledged = 0
  }

  init(_ number: Int) throws {
    disk = try Tmpfs(bytes: 8 << 20)
    var program = try Program(disk.folder)
    program.prefix = disk.prefix
    self.program = program
    chance = Chance(4_000 + number)
  }

  mutating func run(rounds: Int) throws {
    for number in 0..<rounds {
      // SQLite writes pages of 4096 bytes, and the log has 24 more for each of them.
      let room = 4096 * chance.pick(0...60)
      try disk.fill(leaving: room)
      try round(Invocation.random("of round \(number)", on: history, &chance), room)
      disk.empty()
      let free = disk.free
      let invocation = Invocation.add("behind round \(number)")
      let outcome = try program.run(invocation.words)
      if outcome.ending != .exited(0) {
        problems.append("freed after round \(number), \(room) bytes, now \(free): \(outcome)")
      }
      try check(invocation, outcome, "freed")
    }
  }

  private mutating func round(_ invocation: Invocation, _ room: Int) throws {
    tally.rounds += 1
    let outcome = try program.run(invocation.words, input: invocation.input)
    let old = history.newest
    switch outcome.ending {
    case .exited(0): break
    case .exited(4):
      tally.full += 1
      tally.acknowledged += max(0, outcome.acknowledged - old)
      let message =
        "\(program.store): the disk is full; nothing was written, make room and try again"
      if outcome.storeMessage != message {
        problems.append("'\(invocation)', \(room) bytes: \(outcome)")
      }
    default: problems.append("'\(invocation)', \(room) bytes: \(outcome)")
    }
    try check(invocation, outcome, "\(room) bytes")
    if outcome.errors.contains("nothing was written"),
      history.newest > max(old, outcome.acknowledged)
    {
      problems.append("'\(invocation)', \(room) bytes: UNTRUE: it said that nothing was written")
    }
    // What can't be written can still be read.
    let list = try program.run(["--json", "list", "--all"])
    if list.ending != .exited(0) || list.acknowledged != history.newest {
      problems.append("list, \(room) bytes: \(list)")
    }
  }

  private mutating func check(
    _ invocation: Invocation,
    _ outcome: Program.Outcome,
    _ what: String
  ) throws {
    let contents = try Contents(disk.outside + "/todos.sqlite", afterRestart: true)
    let new = contents.changes.dropFirst(history.changes.count)
    var found = invocation.problems(with: new)
    if outcome.ending == .exited(0), new.count != invocation.steps.reduce(0, +) {
      found.append("LOST: it succeeded, but made \(new.count) changes")
    }
    for change in new { try history.append(change) }
    found += history.problems(of: contents, acknowledged: outcome.acknowledged)
    problems += found.map { "'\(invocation)' \(invocation.mark), \(what): \($0)" }
  }
}
