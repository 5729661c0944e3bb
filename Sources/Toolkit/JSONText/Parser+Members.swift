extension Parser {
  /// The number of names compared one by one, which is quicker than hashing for so few.
  private static let comparedNames = 16

  /// Reads a name and its colon, and appends a member without value to `pending`.
  mutating func memberName() throws(JSONError) {
    guard byte == ASCII.quote else { throw failure(expected: "a member name") }
    let start = index
    let name = try string()
    guard isNew(name) else {
      throw failure("\(JSONError.duplicateMember) \(quoted(name))", at: start)
    }
    skipWhiteSpace()
    guard byte == ASCII.colon else { throw failure(expected: "':'") }
    index += 1
    pending.append(JSON.Member(name, .null))
  }

  /// Whether the innermost object has no member with this name; stores the name.
  private mutating func isNew(_ name: String) -> Bool {
    let last = containers.count - 1
    let start = containers[last].start
    guard pending.count - start >= Self.comparedNames else {
      for index in start..<pending.count where pending[index].name.isIdentical(to: name) {
        return false
      }
      return true
    }
    if containers[last].names.isEmpty {
      let members = pending[start...]
      containers[last].names = Set(members.map { ExactName(text: $0.name) })
    }
    return containers[last].names.insert(ExactName(text: name)).inserted
  }
}
