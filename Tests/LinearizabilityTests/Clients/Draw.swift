import EventMVVMTesting

/// Draws what a client asks for, and remembers the answers.
struct Draw {
  let client: String
  var chance: Chance
  /// The revisions in which the client has seen todos last, by number.
  private var seen: [Int: Int] = [:]
  private var count = 0

  /// What the clients of a seed draw differs, and is the same each time.
  init(_ client: String, seed: Int) {
    self.client = client
    let salt = client.utf8.reduce(UInt64(seed)) { $0 &* 0x100_0000_01B3 ^ UInt64($1) }
    chance = Chance(salt)
  }

  /// A text that no other request has.
  mutating func mark() -> String {
    count += 1
    return "\(client)-\(count)"
  }

  /// Anything that a single command can ask for.
  mutating func request() -> Request {
    switch chance.pick(0...15) {
    case 0...1: .add(title: mark())
    case 2...6: edit(of: [.title, .subtitle])
    case 7: .complete(number(), chance.once(in: 2))
    case 8: .delete(number(), chance.once(in: 2))
    case 9...10: .undo
    case 11: .redo
    case 12: .show(number())
    default: .list
    }
  }

  /// An edit, every other one of what the client has seen, if it has.
  mutating func edit(of fields: [Request.Field]) -> Request {
    let number = number()
    let field = fields[chance.pick(0...fields.count - 1)]
    let seen = chance.once(in: 2) ? seen[number] : nil
    return .edit(number, field, mark(), seen: seen)
  }

  /// Additions and edits; every fourth script is doomed.
  mutating func script() -> Request {
    let lines = (0..<chance.pick(2...4))
      .map { _ in
        chance.once(in: 2)
          ? Request.add(title: mark()) : .edit(number(), .tags, mark(), seen: nil)
      }
    return .script(lines, isDoomed: chance.once(in: 4))
  }

  /// After how many microseconds to kill a process; nil to leave it alone.
  mutating func death(once times: Int, within limit: Int) -> UInt32? {
    chance.once(in: times) ? UInt32(chance.pick(0...limit)) : nil
  }

  private mutating func number() -> Int { chance.pick(1...5) }

  /// Takes in what an answer shows.
  mutating func learn(from answer: Operation.Answer) {
    guard case .todos(let todos) = answer else { return }
    for todo in todos { seen[todo.number] = todo.revision }
  }
}

/// Nanoseconds of a clock that never goes back.
func now() -> Int {
  Int(origin.duration(to: .now) / .nanoseconds(1))
}

private let origin = ContinuousClock.now
