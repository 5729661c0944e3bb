import EventMVVMTesting

/// When to end a process: by chance, but neither before it has begun nor long after its end.
struct Moments {
  enum Moment {
    /// At an operation on its files.
    case operation(Int, Shim.Moment)
    /// From outside, after so many microseconds.
    case time(Int)
  }

  /// By kind: how far it had come before each of its operations, when it came to
  /// its end.
  private var stages: [String: [Stage]] = [:]
  /// By kind: how many microseconds it takes.
  private var times: [String: Int] = [:]

  /// Every other one is at an operation, and those are spread over the stages.
  mutating func next(for invocation: Invocation, beside: Bool, _ chance: inout Chance) -> Moment {
    let kind = Self.kind(invocation, beside)
    guard chance.once(in: 2) else { return .time(chance.pick(1...times[kind, default: 30_000])) }
    let moment: Shim.Moment = chance.once(in: 2) ? .before : .middle
    let stage = Stage.allCases.randomElement(using: &chance)
    // The first of its kind comes to its end.
    guard let known = stages[kind] else { return .operation(.max, moment) }
    let operations = known.indices.filter { known[$0] == stage }
    return .operation((operations.randomElement(using: &chance) ?? known.count) + 1, moment)
  }

  /// Takes in how such an invocation comes to its end that nobody kills, and after how many
  /// microseconds.
  mutating func learn(
    from records: [OperationLog.Record],
    _ invocation: Invocation,
    beside: Bool,
    takes time: Int
  ) {
    learn(from: records, .operation(.max, .before), .exited(0), invocation, beside: beside)
    times[Self.kind(invocation, beside)] = time
  }

  /// Draws nearer to how long such an invocation takes.
  mutating func learn(
    from records: [OperationLog.Record],
    _ moment: Moment,
    _ ending: Child.Ending,
    _ invocation: Invocation,
    beside: Bool
  ) {
    let kind = Self.kind(invocation, beside)
    let known = times[kind, default: 30_000]
    if ending == .exited(0) {
      stages[kind] = records.indices.filter { records[$0].number > 0 }
        .map { Stage(records[..<$0]) }
    }
    guard case .time = moment else { return }
    if ending == .exited(0) { times[kind] = known * 9 / 10 }
    if records.isEmpty { times[kind] = known * 11 / 10 }
  }

  private static func kind(_ invocation: Invocation, _ isBeside: Bool) -> String {
    invocation.words[1] + (invocation.steps.contains { $0 > 100 } ? " of many" : "")
      + (isBeside ? " beside another" : "")
  }
}
