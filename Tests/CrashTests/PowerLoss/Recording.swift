import EventMVVMTesting
import Foundation

/// What processes did to a store that was not there before, operation by operation, and what was in
/// it in the end.
struct Recording {
  private var program: Program
  private var shim: Shim
  private var chance: Chance
  let number: Int
  private(set) var history = History()
  /// What went wrong already without a power loss.
  private(set) var problems: [String] = []

  /// Records all sorts of processes: in turn, side by side, and some that are ended.
  ///
  /// Each number records something else. Every third has its store in the user's data
  /// folder, which is made for it; in every fourth the log becomes so long that SQLite carries it
  /// over while it is in use.
  init(_ number: Int) throws {
    self.number = number
    program = try Program(try Folder("recorded"))
    program.isNamed = number % 3 != 2
    shim = Shim(program.folder.path)
    shim.log = program.scratch / "log"
    chance = Chance(1_000 + number)
    try run(.add("at first"))
    for _ in 0..<8 { try oneAlone() }
    try severalAtOnce()
    try besideAnother()
    for _ in 0..<4 { try oneAlone() }
  }

  /// Where the store is below the folder.
  var store: String { String(program.store.dropFirst(program.folder.path.count + 1)) }

  func records() throws -> [OperationLog.Record] {
    try OperationLog(program.scratch / "log").records
  }

  /// What is there in the end.
  func files() throws -> [String: [UInt8]] { try program.folder.files() }

  // MARK: Processes

  private mutating func run(_ invocation: Invocation) throws {
    let outcome = try program.run(invocation.words, input: invocation.input, shim)
    if outcome.ending != .exited(0) {
      problems.append("recording \(number), '\(invocation)': \(outcome)")
    }
    try learn()
  }

  /// A process that has the store for itself; some are ended, so that the next one recovers it.
  private mutating func oneAlone() throws {
    let invocation = Invocation.random("\(history.newest + 1)", on: history, &chance)
    guard chance.once(in: 3) else { return try run(invocation) }
    var shim = shim
    shim.kill = (chance.pick(1...40), chance.once(in: 2) ? .before : .middle)
    _ = try program.run(invocation.words, input: invocation.input, shim)
    try learn()
  }

  /// Processes that get in each other's way.
  private mutating func severalAtOnce() throws {
    let lines = number % 4 == 3 ? 70 : 5
    let streams = try (1...3)
      .map { _ in
        try Streams(
          in: program.scratch,
          input: Invocation.stream("\(history.newest + 1)", lines: lines).input
        )
      }
    let children = try streams.map {
      try program.start(["--json", "run", "--keep-going", "-"], $0.descriptors, shim)
    }
    for (child, streams) in zip(children, streams) {
      let ending = child.wait()
      if ending != .exited(0) {
        problems.append("recording \(number), at once: \(ending), \(streams.errors)")
      }
    }
    try learn()
  }

  /// Processes that come and go while another one keeps the log open.
  private mutating func besideAnother() throws {
    let neighbour = try Neighbour(program, shim)
    for count in 0..<5 {
      if try neighbour.add("\(count)").isEmpty { problems.append("the neighbour printed nothing") }
      try learn(isAlone: false)
      try run(Invocation.random("\(history.newest + 1)", on: history, &chance))
    }
    let (ending, errors) = neighbour.end()
    if ending != .exited(0) { problems.append("recording \(number), the neighbour: \(errors)") }
    try learn()
  }

  private mutating func learn(isAlone: Bool = true) throws {
    let contents = try Contents(program.store, afterRestart: isAlone)
    for change in contents.changes.dropFirst(history.changes.count) { try history.append(change) }
  }
}
