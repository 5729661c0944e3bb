/// Something that a person does, as it would be typed.
enum Operation: Equatable {
  /// A command on its own.
  case command(String, by: Person = .me)
  /// Commands as one; rehearsed, or all or nothing.
  case script([String], isRehearsed: Bool = false, by: Person = .me)
  /// My process ends, and the next one begins.
  case restart

  enum Person: Equatable {
    case me
    /// Somebody with a process of another name on the same store.
    case other
  }
}

extension Operation: CustomStringConvertible {
  var description: String {
    switch self {
    case .command(let line, let person): person.prefix + line
    case .script(let lines, let isRehearsed, let person):
      ([person.prefix + "run \(isRehearsed ? "--dry-run " : "")- <<END"] + lines + ["END"])
        .joined(separator: "\n")
    case .restart: "-- restart"
    }
  }

  /// The same with one line less, for each line of a script.
  var shorter: [Operation] {
    guard case .script(let lines, let isRehearsed, let person) = self, lines.count > 1 else {
      return []
    }
    return lines.indices.map { index in
      var fewer = lines
      fewer.remove(at: index)
      return .script(fewer, isRehearsed: isRehearsed, by: person)
    }
  }
}

extension Operation.Person {
  fileprivate var prefix: String { self == .me ? "" : "other: " }
}

extension [Operation] {
  /// A script that a person can do again by hand.
  var script: String { map { "  \($0)".replacing("\n", with: "\n  ") }.joined(separator: "\n") }

  /// As few of the operations as still have a problem: one after the other is left out, and then
  /// one line of a script after the other.
  func shrunk(_ hasProblem: ([Operation]) throws -> Bool) rethrows -> [Operation] {
    var fewest = self
    while let fewer = try fewest.smaller.first(where: hasProblem) { fewest = fewer }
    return fewest
  }

  /// The later operations are left out first: what comes behind the problem is most of it.
  private var smaller: [[Operation]] {
    let without = indices.reversed().map { replacing($0, with: []) }
    let shortened = indices.flatMap { index in
      self[index].shorter.map { replacing(index, with: [$0]) }
    }
    return without + shortened
  }

  private func replacing(_ index: Int, with operations: [Operation]) -> [Operation] {
    Array(self[..<index]) + operations + self[(index + 1)...]
  }
}
