extension Parser {
  /// How many names are compared one by one, which is quicker than hashing for so few.
  private static let comparedNames = 16

  /// Reads a name and its colon, and leaves a member without value in `pending`.
  mutating func memberName() throws(JSONError) {
    guard byte == ASCII.quote else { throw failure(expected: "a member name") }
    let start = index
    let name = try string()
    guard isNew(name) else { throw failure("duplicate member \(quoted(name))", at: start) }
    skipWhiteSpace()
    guard byte == ASCII.colon else { throw failure(expected: "':'") }
    index += 1
    pending.append(JSON.Member(name, .null))
  }

  /// Whether the innermost object has no member of this name; remembers the name.
  private mutating func isNew(_ name: String) -> Bool {
    let last = containers.count - 1
    let members = pending[containers[last].start...]
    guard members.count >= Self.comparedNames else {
      return !members.contains { $0.name.isIdentical(to: name) }
    }
    if containers[last].names.isEmpty {
      containers[last].names = Set(members.map { ExactName(text: $0.name) })
    }
    return containers[last].names.insert(ExactName(text: name)).inserted
  }
}
