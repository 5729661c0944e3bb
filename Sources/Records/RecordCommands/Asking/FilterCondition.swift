import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

// What a filter means, at the time of a turn.

/// The condition of a filter, and the records that it names.
struct FilterMeaning {
  /// The parts of the condition, all of which hold.
  var conditions: [RecordCondition] = []
  /// The records that are named: what is left out by default is not left out of these.
  var named: [RecordCondition] = []

  /// What is assumed besides.
  var assumed: [RecordCondition] = []
  /// The fields of each term.
  private var spoken: [[String]] = []

  /// Adds a condition that was asked for by itself.
  mutating func take(_ condition: RecordCondition) {
    conditions.append(condition)
    spoken.append(condition.fields)
  }

  /// Whether one of its terms is about the fields of another condition alone, so that this is not assumed.
  ///
  /// What is overdue is open, too: it is about more.
  func speaks(of other: RecordCondition) -> Bool {
    let fields = other.fields
    return spoken.contains { !$0.isEmpty && $0.allSatisfy(fields.containsText) }
  }

  /// Assumes a condition of the records that are not named, unless a term is about it.
  ///
  /// - Returns: Whether it is assumed.
  mutating func assume(_ condition: RecordCondition) -> Bool {
    guard !speaks(of: condition) else { return false }
    assumed.append(named.isEmpty ? condition : .or(named + [condition]))
    return true
  }

  /// What is assumed, and the parts of the condition.
  var all: [RecordCondition] { assumed + conditions }
}

extension FilterMeaning {
  /// Adds what the words of a filter mean.
  ///
  /// - Throws: Why they can't be read, or what can't be resolved.
  mutating func take<R: Record>(
    words: [String],
    _ views: [NamedFilter],
    _ vocabulary: FilterVocabulary,
    _ turn: borrowing Turn,
    _ record: R.Type,
    _ condition: (String) -> RecordCondition?
  ) throws {
    let node: FilterNode?
    do throws(ValueError) {
      node = try vocabulary.filter(words, views) { turn.hasName($0, of: record) }
    } catch {
      throw Failure(.usage, error.message + ".", field: "filter")
    }
    if let node { try take(node, turn, record, condition) }
  }

  /// Adds what a filter means.
  ///
  /// - Parameters:
  ///   - node: The filter.
  ///   - turn: The turn, whose time and session count.
  ///   - record: The kind.
  ///   - condition: Returns what a condition of the declaration means.
  /// - Throws: What can't be resolved.
  private mutating func take<R: Record>(
    _ node: FilterNode,
    _ turn: borrowing Turn,
    _ record: R.Type,
    _ condition: (String) -> RecordCondition?
  ) throws {
    // The parts of a conjunction stand side by side, so that an index serves each.
    if case .view(let node) = node { return try take(node, turn, record, condition) }
    if case .all(let nodes) = node {
      for node in nodes { try take(node, turn, record, condition) }
      return
    }
    switch try self.condition(node, isNegated: false, turn, record, condition) {
    case .and(let parts): conditions += parts
    case let part: conditions.append(part)
    }
  }

  private mutating func condition<R: Record>(
    _ node: FilterNode,
    isNegated: Bool,
    _ turn: borrowing Turn,
    _ record: R.Type,
    _ meaning: (String) -> RecordCondition?
  ) throws -> RecordCondition {
    func all(_ nodes: [FilterNode], _ meant: inout Self) throws -> [RecordCondition] {
      var conditions: [RecordCondition] = []
      for node in nodes {
        conditions.append(try meant.condition(node, isNegated: isNegated, turn, record, meaning))
      }
      return conditions
    }
    switch node {
    case .all(let nodes): return .and(try all(nodes, &self))
    case .any(let nodes): return .or(try all(nodes, &self))
    case .not(let node):
      return try condition(node, isNegated: !isNegated, turn, record, meaning).negated
    case .view(let node):
      // Who leaves out what a view finds does not ask for what lists leave out, whatever the view says of it.
      let spoken = self.spoken
      defer { if isNegated { self.spoken = spoken } }
      return try condition(node, isNegated: isNegated, turn, record, meaning)
    case .term(.records(let references)):
      var conditions: [RecordCondition] = []
      for reference in try turn.resolveInFilter(references, of: record) {
        let condition = reference.condition(of: record)
        conditions.append(condition)
        // Of a range those are meant for which the command is.
        if !isNegated, reference.mostRecords == 1 { named.append(condition) }
      }
      return conditions.count == 1 ? conditions[0] : .or(conditions)
    case .term(let term):
      let condition = try term.condition(turn, record, meaning)
      spoken.append(condition.fields)
      return condition
    }
  }
}

extension RecordReference {
  /// What the record meets.
  fileprivate func condition<R: Record>(of record: R.Type) -> RecordCondition {
    switch self {
    case .number(let number): return .numbers(number, number)
    case .numbers(let range): return .numbers(range.lowerBound, range.upperBound)
    case .identity(let text):
      guard let field = R._table.identity.map({ R._table.fields[$0] }) else { return .or([]) }
      // What begins so is less than that with a letter behind which no digit is.
      let name = "\(field.name)"
      return .and([
        .field(name, .atLeast, .text(text)), .field(name, .less, .text(text + "g")),
      ])
    // Resolved already.
    case .last, .named: return .or([])
    }
  }
}

extension FilterTerm {
  /// The field that it asks for; nil if it asks for none by its name.
  var field: Field? {
    switch self {
    case .contains(let field, _), .named(let field, _), .label(let field, _), .value(let field, _),
      .range(let field, _, _), .days(let field, _, _), .lacks(let field):
      field
    case .text, .condition, .deleted, .records, .view: nil
    }
  }

  fileprivate func condition<R: Record>(
    _ turn: borrowing Turn,
    _ record: R.Type,
    _ meaning: (String) -> RecordCondition?
  ) throws -> RecordCondition {
    guard let field else {
      switch self {
      case .text(let text, _): return .text(text.searchForm)
      case .condition(let name): return meaning(name) ?? .or([])
      case .deleted: return Condition<R>.isMarkedDeleted.stored
      default: return .or([])
      }
    }
    let name = "\(field.name)"
    do {
      switch self {
      case .contains(_, let text): return .contains(name, text.searchForm)
      case .named(_, let text):
        // New names are composed, those of before may not be.
        let composed = text.composed
        var ways: [RecordCondition] = []
        for text in composed.isIdentical(to: text) ? [text] : [text, composed] {
          // A slash is the character after a full stop.
          let beneath: [RecordCondition] = [
            .field(name, .atLeast, .text(text + ".")), .field(name, .less, .text(text + "/")),
          ]
          ways += [.anyOf(name, [.text(text)]), .and(beneath)]
        }
        return .or(ways)
      case .label(_, let text): return Field.has(name, text)
      case .value(_, let value): return .anyOf(name, [try field.stored(value, turn)])
      case .range(_, let start, let end):
        let start = try start.map { try field.stored($0, turn) }
        let end = try end.map { try field.stored($0, turn) }
        if let start, let end, end.isLess(than: start) {
          throw ValueError("runs backwards; write the smaller value first")
        }
        var ends: [RecordCondition] = []
        if let start { ends.append(.field(name, .atLeast, start)) }
        if let end { ends.append(.field(name, .atMost, end)) }
        return .and(ends)
      case .days(_, let days, _):
        // An instant says when something happened.
        let isInstant = field.type == Instant.self || field.type == Instant?.self
        let direction: DateDirection = isInstant ? .behind : .ahead
        if let times = try field.times(days, direction, turn) { return times }
        let ends = try field.ends(days, of: nil, direction, turn)
        return ends.isEmpty ? .not([.anyOf(name, [.null])]) : .and(ends)
      case .lacks:
        if field.traits.contains(.set) { return .anyOf(name, [.null, .text("[]")]) }
        return .anyOf(name, field.type._isOptional ? [.null] : [.null, .text("")])
      default: return .or([])
      }
    } catch let error as ValueError {
      throw Failure(.usage, "\(name): \(error.message).", field: "filter")
    } catch let failure as Failure {
      throw Failure(.usage, "\(name): \(failure.message)", field: "filter")
    }
  }
}

extension Field {
  /// Returns the condition that its set has a name.
  static func has(_ name: String, _ text: String) -> RecordCondition {
    // New names are composed, those of before may not be.
    let composed = text.composed
    return composed.isIdentical(to: text)
      ? .has(name, text) : .or([.has(name, text), .has(name, composed)])
  }

  /// Returns the conditions that its time is not before some days, and not after them.
  ///
  /// - Parameters:
  ///   - days: The days.
  ///   - parameter: The parameter that a failure is about; nil for none.
  ///   - direction: Whether days that are said without their week or their year lie ahead.
  ///   - turn: The turn.
  /// - Returns: The conditions, one for each end.
  /// - Throws: A failure where there are no such days.
  func ends(
    _ days: DateRange,
    of parameter: String?,
    _ direction: DateDirection,
    _ turn: borrowing Turn
  ) throws -> [RecordCondition] {
    let days = try days.resolved(of: parameter, at: turn.time, in: turn.zone, direction)
    var ends: [RecordCondition] = []
    if let first = days.first { ends.append(.field("\(name)", .atLeast, bound(first, turn))) }
    if let next = days.last?.adding(days: 1) {
      ends.append(.field("\(name)", .less, bound(next, turn)))
    }
    return ends
  }

  /// Returns the condition that its time is between two, of which one at least is a minute; nil for days.
  ///
  /// A day without a time lasts until its end.
  func times(
    _ range: DateRange,
    _ direction: DateDirection,
    _ turn: borrowing Turn
  ) throws -> RecordCondition? {
    guard let (first, last) = range.moments else {
      guard case .between(let start, let end) = range else { return nil }
      for case .days(let one?, _)? in [start, end] {
        let time = try one.date(at: turn.time, in: turn.zone, direction)
        if time.minute != nil { throw ValueError("a time needs a day or a time at the other end") }
      }
      return nil
    }
    let start = try first?.date(at: turn.time, in: turn.zone, direction)
    var end = try last?.date(at: turn.time, in: turn.zone, direction)
    func isReversed(_ start: CivilTime, _ end: CivilTime) -> Bool {
      guard start.day == end.day else { return end.day < start.day }
      guard let first = start.minute, let last = end.minute else { return false }
      return turn.zone.instant(of: last) < turn.zone.instant(of: first)
    }
    if let start, let found = end, isReversed(start, found) {
      // `tue 9:00..thu 12:00` is the Thursday after that Tuesday.
      let minute = start.minute ?? CivilMinute(startOf: start.day)
      end = try last?.date(at: turn.zone.instant(of: minute), in: turn.zone, .ahead)
      if let end, isReversed(start, end) {
        throw ValueError("runs backwards; write the earlier time first")
      }
    }
    guard start?.minute != nil || end?.minute != nil else { return nil }
    let isInstant = type == Instant.self || type == Instant?.self
    func compared(_ comparison: RecordCondition.Comparison, _ time: CivilTime) -> RecordCondition {
      .field("\(name)", comparison, bound(time, turn))
    }
    var ends: [RecordCondition] = []
    if let start {
      let isLater = compared(.atLeast, start)
      let day = start.minute != nil && !isInstant ? compared(.equal, .day(start.day)) : nil
      ends.append(day.map { .or([$0, isLater]) } ?? isLater)
    }
    if let end {
      if end.minute == nil {
        if let next = end.day.adding(days: 1) { ends.append(compared(.less, .day(next))) }
      } else if isInstant, case .integer(let milliseconds) = bound(end, turn) {
        // All of the minute.
        ends.append(.field("\(name)", .less, .integer(milliseconds + 60_000)))
      } else {
        let day = CivilTime.day(end.day)
        ends.append(
          .or([compared(.less, day), .and([compared(.greater, day), compared(.atMost, end)])])
        )
      }
    }
    return .and(ends)
  }

  private func bound(_ day: CivilDay, _ turn: borrowing Turn) -> StoredValue {
    bound(.day(day), turn)
  }

  /// A time in the stored form of the field.
  func bound(_ time: CivilTime, _ turn: borrowing Turn) -> StoredValue {
    guard type == Instant.self || type == Instant?.self else { return .text(time.text) }
    let minute =
      if case .minute(let minute) = time { minute } else { CivilMinute(startOf: time.day) }
    return .integer(turn.zone.instant(of: minute).milliseconds)
  }

  /// Returns the stored form of a given value.
  func stored(_ value: JSON, _ turn: borrowing Turn) throws -> StoredValue {
    try type.storedValue(value, turn)
  }
}

extension FieldValue {
  /// Returns the stored form of a given value, by which it is compared.
  static func storedValue(_ json: JSON, _ turn: borrowing Turn) throws -> StoredValue {
    let value = try _given(json, turn)
    return try value.compared ?? value.stored
  }
}

extension StoredValue {
  /// Whether it is a number before another one.
  fileprivate func isLess(than other: StoredValue) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second
    case (.real(let first), .real(let second)): first < second
    default: false
    }
  }
}

extension Condition {
  /// What is marked as deleted; nothing where deletion removes.
  static var isMarkedDeleted: Self { Deletion<R>()?.deleted ?? .any() }
}

extension DateRange {
  /// What it begins and ends with where each is a day or a time; nil for weeks, months and the like.
  fileprivate var moments: (first: When?, last: When?)? {
    switch self {
    case .days(let first, let last): return (first, last)
    case .between(let start, let end):
      guard case .days(let first, _)? = start ?? .days(nil, nil),
        case .days(_, let last)? = end ?? .days(nil, nil)
      else { return nil }
      return (first, last)
    default: return nil
    }
  }
}

extension CivilTime {
  /// The minute; nil for a day.
  fileprivate var minute: CivilMinute? {
    if case .minute(let minute) = self { minute } else { nil }
  }
}
