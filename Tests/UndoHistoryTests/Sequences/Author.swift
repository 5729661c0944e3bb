import EventMVVMTesting

/// Makes up what people do.
struct Author {
  /// Which undos and redos it knows.
  enum Reversals {
    /// Of what was done last, whoever did it.
    case plain
    /// Also of what one did oneself, under what others have done since.
    case contested
  }

  private var chance: Chance
  private let reversals: Reversals
  /// The highest number that a todo can have.
  private var newest = 0

  init(seed: UInt64, _ reversals: Reversals = .plain) {
    chance = Chance(seed)
    self.reversals = reversals
  }

  mutating func operations(_ count: Int) -> [Operation] { (0..<count).map { _ in operation() } }

  private mutating func operation() -> Operation {
    let person: Operation.Person = chance.once(in: 4) ? .other : .me
    switch chance.pick(0...99) {
    case 0..<43: return .command(command(), by: person)
    case 43..<57: return script(by: person)
    case 57..<79: return .command(reversal("undo"), by: person)
    case 79..<94: return .command(reversal("redo"), by: person)
    default: return .restart
    }
  }

  private mutating func reversal(_ verb: String) -> String {
    guard reversals == .contested else { return verb }
    return verb + (chance.once(in: 2) ? " --mine" : "") + (chance.once(in: 2) ? " --force" : "")
  }

  /// Some fail at their last line, so that nothing of them is kept.
  private mutating func script(by person: Operation.Person) -> Operation {
    var lines = (0..<chance.pick(1...5)).map { _ in command(inScript: true) }
    switch chance.pick(0...9) {
    case 0: lines.append("show 999")
    case 1: lines.append("undo")
    default: break
    }
    return .script(lines, isRehearsed: chance.once(in: 6), by: person)
  }

  // MARK: Commands

  private mutating func command(inScript: Bool = false) -> String {
    if newest == 0 || chance.once(in: 4) { return addition() }
    let todos = references(inScript)
    switch chance.pick(0...10) {
    case 0...4: return "edit \(todos) \(edits())"
    case 5: return "toggle \(todos)"
    case 6: return "done \(todos)"
    case 7: return "reopen \(todos)"
    case 8: return "delete \(todos)"
    case 9: return "move \(reference()) \(chance.one(of: ["before", "after"])) \(reference())"
    default: return "restore \(todos)"
    }
  }

  private mutating func addition() -> String {
    newest += 1
    let more = (0..<chance.pick(0...4)).map { _ in addedField() }
    return (["add \(chance.one(of: Self.texts))"] + more.onceEach).joined(separator: " ")
  }

  private mutating func addedField() -> String {
    switch chance.pick(0...8) {
    case 0: "--subtitle \(chance.one(of: Self.texts))"
    case 1: "--priority high"
    case 2: "--due \(chance.one(of: Self.dates))"
    case 3: "--project \(chance.one(of: Self.labels))"
    default: "--tag \(chance.one(of: Self.labels))"
    }
  }

  private mutating func edits() -> String {
    (0..<chance.pick(1...3)).map { _ in editedField() }.onceEach.joined(separator: " ")
  }

  private mutating func editedField() -> String {
    switch chance.pick(0...9) {
    case 0, 1: "--title \(chance.one(of: Self.texts))"
    case 2: "--subtitle \(chance.one(of: Self.texts + [#""""#]))"
    case 3: "--priority \(chance.one(of: ["high", "normal"]))"
    case 4: "--due \(chance.one(of: Self.dates + [#""""#]))"
    case 5: "--project \(chance.one(of: Self.labels + [#""""#]))"
    case 6, 7: "--untag \(chance.one(of: Self.labels))"
    default: "--tag \(chance.one(of: Self.labels))"
    }
  }

  /// Mostly one, sometimes several, rarely one that is not there.
  private mutating func references(_ inScript: Bool) -> String {
    if inScript, chance.once(in: 5) { return "@last" }
    let count = chance.once(in: 3) ? chance.pick(2...3) : 1
    return (0..<count).map { _ in reference() }.joined(separator: " ")
  }

  /// Rarely of one that is not there.
  private mutating func reference() -> String {
    "\(chance.pick(1...newest + (chance.once(in: 9) ? 1 : 0)))"
  }

  /// One of them in two spellings that look the same, and one of two lines.
  private static let texts = [
    "Milk", "\"Rye bread\"", "K\u{E4}se", "Ka\u{308}se", #""two litres\nnot the sweet one""#,
  ]
  private static let labels = ["a", "b", "c", "d"]
  private static let dates = ["2026-12-01", "2026-12-24T18:00", "2027-01-06"]
}

extension [String] {
  /// The options without those that are there already; only labels can be given again.
  fileprivate var onceEach: [String] {
    var seen: Set<Substring> = []
    return filter { option in
      seen.insert(option.prefix { $0 != " " }).inserted || option.contains("tag ")
    }
  }
}

extension Chance {
  fileprivate mutating func one(of texts: [String]) -> String { texts[pick(0...texts.count - 1)] }
}
