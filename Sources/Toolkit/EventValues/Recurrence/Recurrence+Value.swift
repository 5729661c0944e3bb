public import JSONText

/// How something comes again, as people write it; the end of its rule stays symbolic until a handler resolves it.
public struct GivenRecurrence: CommandValue {
  private let way: Recurrence.Way
  private let end: When?
  private let from: CivilTime?
  private let piles: Bool?

  /// The shape of its values.
  public static var shape: ValueShape {
    var shape = ValueShape(
      "RULE",
      choices: ["day", "weekday", "week", "fortnight", "month", "quarter", "year"]
        + Weekday.allCases.map { String($0.word.prefix(3)) },
      explanation: [
        "\(RecurrenceRule.examples),",
        "or a rule of RFC 5545; with a time, '10 times' or 'until 30 jun' after it.",
      ],
      schema: [
        "type": "string",
        "description": .string("how often it comes, such as \(RecurrenceRule.examples)"),
      ]
    )
    shape.ofWords = length { try RecurrenceRule.read($0) }
    return shape
  }

  /// The shape of a length of time after which something comes again.
  public static var shapeOfSpan: ValueShape {
    var shape = TimeSpan.shape
    shape.ofWords = length { try TimeSpan(word: $0) }
    return shape
  }

  /// Returns what says how many words are one value.
  private static func length<Value>(
    _ read: @escaping @Sendable (String) throws -> Value
  ) -> @Sendable ([String]) -> (count: Int, asOne: String?) {
    { words in
      for count in stride(from: words.count, to: 1, by: -1) {
        if (try? read(Array(words.prefix(count)).joined(by: " "))) != nil { return (count, nil) }
      }
      return (1, nil)
    }
  }

  /// Reads a rule in words, or a length of time behind `after`.
  public init(word: String) throws(ValueError) {
    let words = word.withoutBlanksAround
    if words.lowercased().hasPrefix("after ") {
      try self.init(["after": String(words.dropFirst(6))])
    } else {
      try self.init(["every": words])
    }
  }

  /// Reads a text, or an object with `every` or `after`, and perhaps `from` and `pile`.
  public init(json: JSON) throws(ValueError) {
    guard case .object(let members) = json else {
      guard case .string(let word) = json else {
        throw ValueError("expected a string or an object, found \(json.kind)")
      }
      try self.init(word: word)
      return
    }
    var (texts, piles): ([String: String], Bool?) = ([:], nil)
    for member in members where member.value != .null {
      switch (member.name, member.value) {
      case ("every", .string(let text)), ("after", .string(let text)), ("from", .string(let text)):
        texts[member.name] = text
      case ("pile", .bool(let isSaid)): piles = isSaid
      default: throw ValueError("unexpected", path: "/\(member.name)")
      }
    }
    try self.init(texts, piles: piles)
  }

  private init(_ texts: [String: String], piles: Bool? = nil) throws(ValueError) {
    self.piles = piles
    from = texts["from"].flatMap { CivilTime($0) }
    guard texts["from"] == nil || from != nil else {
      throw ValueError("'\((texts["from"] ?? "").quotable)' is no date", path: "/from")
    }
    switch (texts["every"], texts["after"]) {
    case (let words?, nil):
      let (rule, end) = try RecurrenceRule.read(words)
      (way, self.end) = (.every(rule), end)
    case (nil, let word?):
      let span = try TimeSpan(word: word)
      try span.checkRepeated()
      (way, end) = (.after(span), nil)
      if piles == true { throw ValueError("'pile' goes with 'every'") }
    case (nil, nil):
      throw ValueError(piles == nil ? "expected 'every' or 'after'" : "'pile' goes with 'every'")
    case (_?, _?): throw ValueError("it comes again by 'every' or by 'after', not by both")
    }
  }

  /// Resolves the end of the rule against a clock.
  ///
  /// - Parameters:
  ///   - known: What it takes the place of: days that pass pile up as before, unless it says whether.
  ///   - date: Returns the date of the end.
  /// - Returns: The recurrence.
  /// - Throws: Why there is no such date.
  public func resolved(
    inPlaceOf known: Recurrence? = nil,
    _ date: (When) throws -> CivilTime
  ) rethrows -> Recurrence {
    guard case .every(var rule) = way else { return Recurrence(way) }
    if let end { rule.until = try date(end) }
    return Recurrence(.every(rule), from: from, piles: piles ?? known?.piles ?? false)
  }
}

extension Recurrence {
  /// Reads what JSON has of a stored one; see ``GivenRecurrence/init(json:)``.
  public init(json: JSON) throws(ValueError) {
    let given = try GivenRecurrence(json: json)
    do {
      self = try given.resolved { end in
        guard case .local(let time) = end else { throw ValueError("'until' is no date") }
        return time
      }
    } catch {
      throw error as? ValueError ?? ValueError("\(error)")
    }
  }
}

extension RecurrenceRule {
  /// A few rules in words.
  static var examples: String {
    "day, weekday, 'mon,thu', '2 weeks', 'month on the 31st', 'last fri of the month', '24 dec'"
  }
}
