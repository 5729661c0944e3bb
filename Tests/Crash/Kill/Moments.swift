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
  mutating func next(for errand: Errand, beside: Bool, _ chance: inout Chance) -> Moment {
    let kind = Self.kind(errand, beside)
    guard chance.once(in: 2) else { return .time(chance.pick(1...times[kind, default: 30_000])) }
    let moment: Shim.Moment = chance.once(in: 2) ? .before : .middle
    let stage = Stage.allCases.randomElement(using: &chance)
    // The first of its kind comes to its end.
    guard let known = stages[kind] else { return .operation(.max, moment) }
    let operations = known.indices.filter { known[$0] == stage }
    return .operation((operations.randomElement(using: &chance) ?? known.count) + 1, moment)
  }

  /// Takes in how such an errand comes to its end that nobody kills, and after how many microseconds.
  mutating func learn(
    from records: [OperationLog.Record],
    _ errand: Errand,
    beside: Bool,
    takes time: Int
  ) {
    learn(from: records, .operation(.max, .before), .exited(0), errand, beside: beside)
    times[Self.kind(errand, beside)] = time
  }

  /// Draws nearer to how long such an errand takes.
  mutating func learn(
    from records: [OperationLog.Record],
    _ moment: Moment,
    _ ending: Child.Ending,
    _ errand: Errand,
    beside: Bool
  ) {
    let kind = Self.kind(errand, beside)
    let known = times[kind, default: 30_000]
    if ending == .exited(0) {
      stages[kind] = records.indices.filter { records[$0].number > 0 }
        .map { Stage(records[..<$0]) }
    }
    guard case .time = moment else { return }
    if ending == .exited(0) { times[kind] = known * 9 / 10 }
    if records.isEmpty { times[kind] = known * 11 / 10 }
  }

  private static func kind(_ errand: Errand, _ isBeside: Bool) -> String {
    errand.words[1] + (errand.steps.contains { $0 > 100 } ? " of many" : "")
      + (isBeside ? " beside another" : "")
  }
}
