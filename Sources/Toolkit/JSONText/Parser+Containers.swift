/// An array or object that is open.
struct Container {
  enum Kind {
    case array, object
  }

  let kind: Kind

  /// The index of its first element or member in `Parser.pending`.
  let start: Int

  /// The names of an object, kept only once there are too many to compare one by one.
  var names: Set<ExactName> = []
}

extension Parser {
  /// Opens containers up to the first value that is complete, and reads that.
  mutating func firstCompleteValue() throws(JSONError) -> JSON {
    while true {
      skipWhiteSpace()
      switch byte {
      case ASCII.openBracket:
        try open(.array)
        if byte == ASCII.closeBracket { return close(.array) }
      case ASCII.openBrace:
        try open(.object)
        if byte == ASCII.closeBrace { return close(.object) }
        try memberName()
      default:
        return try scalar()
      }
    }
  }

  /// Continues after an element: the next complete value, or the end of the container.
  mutating func continuation(of kind: Container.Kind) throws(JSONError) -> JSON {
    skipWhiteSpace()
    let closing = kind == .array ? ASCII.closeBracket : ASCII.closeBrace
    if byte == closing { return close(kind) }
    guard byte == ASCII.comma else {
      throw failure(expected: kind == .array ? "',' or ']'" : "',' or '}'")
    }
    index += 1
    if kind == .object {
      skipWhiteSpace()
      try memberName()
    }
    return try firstCompleteValue()
  }

  /// Adds a complete value to the innermost container.
  mutating func place(_ value: JSON, in kind: Container.Kind) {
    switch kind {
    case .array: pending.append(JSON.Member("", value))
    case .object: pending[pending.count - 1].value = value
    }
  }

  private mutating func open(_ kind: Container.Kind) throws(JSONError) {
    guard containers.count < depth else {
      throw failure("expected at most \(depth) levels of nesting, found one more", at: index)
    }
    containers.append(Container(kind: kind, start: pending.count))
    index += 1
    skipWhiteSpace()
  }

  private mutating func close(_ kind: Container.Kind) -> JSON {
    index += 1
    let start = containers.removeLast().start
    if start == 0, kind == .object {
      // All pending members belong to it, and need no copy.
      defer { pending = [] }
      return .object(pending)
    }
    // The slice is gone before the removal; a second owner would make that copy all of `pending`.
    let value: JSON =
      kind == .array
      ? .array(pending[start...].map(\.value))
      : .object(Array(pending[start...]))
    pending.removeLast(pending.count - start)
    return value
  }
}
