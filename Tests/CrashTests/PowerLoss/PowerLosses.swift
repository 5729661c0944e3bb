import EventMVVMTesting
import Foundation

/// Cuts the power somewhere in a recording, again and again, and looks at what is left.
struct PowerLosses {
  private let recording: Recording
  private let records: [OperationLog.Record]
  private let program: Program
  private var chance: Chance
  private(set) var tally = Tally()
  private(set) var problems: [String] = []

  struct Tally {
    var losses = 0
    var operations = 0
    /// Losses after something had been acknowledged.
    var acknowledged = 0
    /// Losses behind which the program itself was run.
    var opened = 0
  }

  /// Which power losses are tried.
  struct Plan {
    var count: Int
    /// The program itself is run behind each so many-th.
    var opensEvery = 10
    /// Files that end so are not synced, though they were: what a test of these tests is about.
    var forgetsSyncsOf: String?

    func keeps(_ sync: OperationLog.Record) -> Bool {
      forgetsSyncsOf.map { !sync.path.hasSuffix($0) } ?? true
    }
  }

  init(_ number: Int) throws {
    recording = try Recording(number)
    records = try recording.records()
    program = try Program(try Folder("power"))
    chance = Chance(2_000 + number)
    problems = recording.problems
    tally.operations = records.count
    var disk = SimulatedDisk()
    for record in records { disk.apply(record) }
    // Else operations have gone past the shim, and the log tells less than the truth.
    if disk.contents != (try recording.files()) {
      problems.append("recording \(number) does not lead to the files that are there")
    }
  }

  mutating func run(_ plan: Plan) throws {
    let ends = (0..<plan.count).map { _ in chance.pick(0...records.count) }.sorted()
    var disk = SimulatedDisk()
    var position = 0
    var acknowledged = 0
    for (number, end) in ends.enumerated() {
      for record in records[position..<end] {
        if record.kind == .print {
          acknowledged = max(acknowledged, newestRevision(in: record.newPath))
        }
        if record.kind != .sync || plan.keeps(record) { disk.apply(record) }
      }
      position = end
      let names = number % 2 == 0 ? SimulatedDisk.Names.inOrder : .anyOrder
      let files = disk.afterPowerLoss(names, &chance)
      let isOpened = number % plan.opensEvery == 0
      let found = try look(at: files, acknowledged, isOpened)
      problems += found.map {
        "recording \(recording.number), power lost after operation \(end) of \(records.count), names "
          + "\(names): \($0)"
      }
    }
  }

  // MARK: What is left

  private mutating func look(
    at files: [String: [UInt8]],
    _ acknowledged: Int,
    _ isOpened: Bool
  ) throws -> [String] {
    try program.folder.become(files)
    let contents = try Contents(program.folder / recording.store, afterRestart: false)
    tally.losses += 1
    tally.acknowledged += acknowledged > 0 ? 1 : 0
    let problems = recording.history.problems(of: contents, acknowledged: acknowledged)
    guard problems.isEmpty, isOpened else { return problems }
    tally.opened += 1
    try program.folder.become(files)
    return try goOn(after: contents)
  }

  /// The program opens what is left, shows all of it, and goes on.
  private func goOn(after contents: Contents) throws -> [String] {
    var program = program
    program.isNamed = recording.store == "todos.sqlite"
    let shown = try program.run(["--json", "list", "--all"])
    let last = contents.changes.last?.revision ?? 0
    guard shown.ending == .exited(0), shown.acknowledged == last else {
      return ["the program should show revision \(last), but: \(shown)"]
    }
    let added = try program.run(Invocation.add("after the power loss").words)
    guard added.ending == .exited(0), added.acknowledged == last + 1 else {
      return ["the program should add revision \(last + 1), but: \(added)"]
    }
    var history = try History(contents.changes)
    let after = try Contents(program.store, afterRestart: true)
    for change in after.changes.dropFirst(contents.changes.count) { try history.append(change) }
    return history.problems(of: after, acknowledged: last + 1)
  }
}
