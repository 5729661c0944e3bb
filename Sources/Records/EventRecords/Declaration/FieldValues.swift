public import EventMVVM
public import EventValues
public import JSONText

// The types of fields. Each form in JSON is the type's own encoding.

extension String: FieldValue {
  /// Reads a text.
  public init(field json: JSON) throws {
    guard case .string(let text) = json else { throw ValueError.expected("a string", json) }
    self = text
  }

  /// Writes the text.
  public func writeField(to json: inout JSONWriter) { json.value(self) }

  /// Returns the stored form of a list.
  public static func _storedList(_ value: UnsafeRawPointer) throws -> StoredValue {
    let texts = value.assumingMemoryBound(to: [String].self).pointee
    return try StoredValue(plainTexts: texts) ?? texts.stored
  }

  /// Assigns a stored list; one that was never stored leaves the list unchanged.
  public static func _loadList(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    if case .null = stored { return }
    let texts = if let texts = stored.plainTexts { texts } else { try [String](stored: stored) }
    value.assumingMemoryBound(to: [String].self).pointee = texts
  }

  /// Whether both are the same bytes: two spellings of a character differ.
  public func isIdenticalField(to other: String) -> Bool { isIdentical(to: other) }

  /// Reads a text.
  public init(stored: StoredValue) throws {
    guard case .text(let text) = stored else { throw ValueError.expected("a text", stored) }
    self = text
  }

  /// The text.
  public var stored: StoredValue {
    get throws {
      guard !hasByte(0) else { throw StoredNUL() }
      return .text(self)
    }
  }
}

extension Bool: FieldValue {
  /// Reads true or false.
  public init(field json: JSON) throws {
    guard case .bool(let flag) = json else { throw ValueError.expected("a boolean", json) }
    self = flag
  }

  /// Writes true or false.
  public func writeField(to json: inout JSONWriter) { json.value(self) }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads 0 or 1.
  public init(stored: StoredValue) throws {
    switch stored {
    case .integer(0): self = false
    case .integer(1): self = true
    default: throw ValueError.expected("0 or 1", stored)
    }
  }

  /// 0 or 1.
  public var stored: StoredValue { .integer(self ? 1 : 0) }
}

extension Int: FieldValue {
  /// Reads an integer.
  public init(field json: JSON) throws {
    guard let number = json.wholeNumber else {
      throw ValueError("expected an integer, found \(json.found)")
    }
    self = Int(number)
  }

  /// Writes an integer.
  public func writeField(to json: inout JSONWriter) { json.value(self) }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads an integer.
  public init(stored: StoredValue) throws {
    guard case .integer(let number) = stored else {
      throw ValueError.expected("an integer", stored)
    }
    self = Int(number)
  }

  /// The integer.
  public var stored: StoredValue { .integer(Int64(self)) }
}

extension Double: FieldValue {
  /// Reads a number.
  public init(field json: JSON) throws {
    switch json {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw ValueError.expected("a number", json)
    }
  }

  /// Writes a number.
  ///
  /// - Throws: An error if it is infinite or NaN: JSON has neither (RFC 8259 §6).
  public func writeField(to json: inout JSONWriter) throws { json.value(try finite) }

  /// A number.
  public static var storedType: StoredType { .real }

  /// Reads a number.
  public init(stored: StoredValue) throws {
    switch stored {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: throw ValueError.expected("a number", stored)
    }
  }

  /// The number.
  ///
  /// - Throws: An error if it is infinite or NaN.
  public var stored: StoredValue { get throws { .real(try finite) } }

  private var finite: Double {
    get throws {
      guard isFinite else { throw ValueError("\(self) can't be stored") }
      // Databases have one zero.
      return self == 0 ? 0 : self
    }
  }
}

extension Amount: FieldValue {
  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads hundredths.
  public init(stored: StoredValue) throws { self.init(hundredths: try Int(stored: stored)) }

  /// The hundredths.
  public var stored: StoredValue { hundredths.stored }
}

extension Instant: FieldValue {
  /// Reads a time of ISO 8601, or milliseconds since 1970.
  public init(field json: JSON) throws {
    switch json {
    case .integer(let milliseconds): self.init(milliseconds: milliseconds)
    case .string(let text):
      guard let instant = Instant(iso8601: text) else {
        throw ValueError("'\(text.quotable)' is no time, such as 2026-11-20T10:00:00.000Z")
      }
      self = instant
    default: throw ValueError.expected("a time", json)
    }
  }

  /// Writes it in ISO 8601, in UTC with milliseconds.
  public func writeField(to json: inout JSONWriter) { json.value(iso8601) }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads milliseconds.
  public init(stored: StoredValue) throws {
    self.init(milliseconds: Int64(try Int(stored: stored)))
  }

  /// The milliseconds.
  public var stored: StoredValue { .integer(milliseconds) }
}

extension CivilTime: FieldValue {
  /// Writes its text.
  public func writeField(to json: inout JSONWriter) { json.value(text) }

  /// Reads a day or a minute.
  public init(stored: StoredValue) throws {
    let text = try String(stored: stored)
    guard let time = CivilTime(text) else { throw ValueError("'\(text)' is no date") }
    self = time
  }

  /// Its text: texts of days and minutes sort by time.
  public var stored: StoredValue { .text(text) }
}

extension TimeSpan: FieldValue {
  /// The days, and the minutes, from zero on that fit beside the others.
  private static let most = 1 << 20

  /// Writes its text, `2h30min`; where its parts differ in sign, each with its sign: `+1mo-2d`.
  public func writeField(to json: inout JSONWriter) {
    let parts = [(months, "mo"), (days, "d"), (minutes, "min")].filter { $0.0 != 0 }
    guard parts.contains(where: { $0.0 < 0 }), parts.contains(where: { $0.0 > 0 }) else {
      return json.value(text)
    }
    json.value(parts.map { "\($0.0 < 0 ? "" : "+")\($0.0)\($0.1)" }.joined())
  }

  /// Reads what ``writeField(to:)`` has written.
  public init(field json: JSON) throws {
    let text = try String(field: json)
    var (span, sign) = (TimeSpan.zero, 1)
    var rest = text.utf8[...]
    while let first = rest.first {
      if first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        sign = first == UInt8(ascii: "-") ? -1 : 1
        rest = rest.dropFirst()
      }
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      let unit = rest.dropFirst(digits.count).prefix { $0 > UInt8(ascii: "9") }
      rest = rest.dropFirst(digits.count + unit.count)
      guard let number = Int(Substring(digits)), number <= Self.longest else {
        throw ValueError("'\(text)' is no length of time")
      }
      switch String(Substring(unit)) {
      case "y": span.months += sign * number * 12
      case "mo": span.months += sign * number
      case "w": span.days += sign * number * 7
      case "d": span.days += sign * number
      case "h": span.minutes += sign * number * 60
      case "min": span.minutes += sign * number
      default: throw ValueError("'\(text)' is no length of time")
      }
    }
    self = span
  }

  /// More than any part that can be kept.
  private static var longest: Int { 1 << 40 }

  /// An integer.
  public static var storedType: StoredType { .integer }

  /// Reads what ``stored`` has written.
  public init(stored: StoredValue) throws {
    let number = try Int(stored: stored)
    func parts(_ number: Int) -> (rest: Int, low: Int) {
      let low = (number + Self.most) & (2 * Self.most - 1)
      return ((number + Self.most - low) / (2 * Self.most), low - Self.most)
    }
    let (rest, minutes) = parts(number)
    let (months, days) = parts(rest)
    self.init(months: months, days: days, minutes: minutes)
  }

  /// An integer by which spans sort by their months, then their days, then their minutes: `25h` is before `1d`.
  ///
  /// - Throws: An error that says so where it is too long: a million months, days or minutes.
  public var stored: StoredValue {
    get throws {
      for part in [months, days, minutes] where part.magnitude >= Self.most {
        throw ValueError("'\(text)' is longer than what can be kept")
      }
      return .integer(Int64(((months * 2 * Self.most) + days) * 2 * Self.most + minutes))
    }
  }
}

extension UniqueID: FieldValue {
  /// No identity: the nil UUID (RFC 9562 §5.9).
  public static var none: UniqueID { UniqueID(high: 0, low: 0) }

  /// Writes its text.
  public func writeField(to json: inout JSONWriter) { json.value(text) }

  /// Reads an identity.
  public init(stored: StoredValue) throws {
    let text = try String(stored: stored)
    guard let identity = UniqueID(text) else { throw ValueError("'\(text)' is no identity") }
    self = identity
  }

  /// Its text.
  public var stored: StoredValue { .text(text) }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// It can be absent.
  public static var _isOptional: Bool { true }

  /// Whether it is nil.
  public var isAbsent: Bool { self == nil }

  /// Reads null as nil.
  public init(field json: JSON) throws { self = json == .null ? nil : try Wrapped(field: json) }

  /// Writes the value, or null.
  public func writeField(to json: inout JSONWriter) throws {
    if let self { try self.writeField(to: &json) } else { json.null() }
  }

  /// Whether both are nil, or identical.
  public func isIdenticalField(to other: Self) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdenticalField(to: other)
  }

  /// Whether the optional at an address is nil.
  public static func _isAbsent(_ value: UnsafeRawPointer) -> Bool {
    Wrapped._isOptionalAbsent(value)
  }

  /// Compares the optionals at two addresses.
  public static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    Wrapped._areOptionalsIdentical(first, second)
  }

  /// Writes the value, or null, as a member.
  public static func _write(
    _ value: UnsafeRawPointer,
    named name: JSONName,
    to json: inout JSONWriter
  ) throws {
    try Wrapped._writeOptional(value, named: name, to: &json)
  }

  /// Returns the stored form of the value.
  public static func _stored(_ value: UnsafeRawPointer) throws -> StoredValue {
    try Wrapped._storedOptional(value)
  }

  /// Assigns a stored value.
  public static func _load(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    try Wrapped._loadOptional(stored, into: value)
  }

  /// The type of a present value.
  public static var storedType: StoredType { Wrapped.storedType }
  /// The ranks of present values.
  public static var _ranks: [RankedName] { Wrapped._ranks }
  /// The names that present values had.
  public static var _formerNames: [(name: String, value: String)] { Wrapped._formerNames }
  /// The parts in which a present value is given.
  public static var _parts: [FieldPart] { Wrapped._parts }

  /// Reads null as nil.
  public init(stored: StoredValue) throws {
    if case .null = stored { self = nil } else { self = try Wrapped(stored: stored) }
  }

  /// The value, or null.
  public var stored: StoredValue {
    get throws {
      if let self { try self.stored } else { .null }
    }
  }
}

extension Optional where Wrapped: FieldValue {
  /// The shape of a present value, or null.
  public static var _givenShape: ValueShape {
    var shape = Wrapped._givenShape
    shape.schema = ["anyOf": [shape.schema, ["type": "null"]]]
    return shape
  }

  /// Checks whether it can be read.
  public static func _checkGiven(_ json: JSON) throws(ValueError) {
    if json != .null { try Wrapped._checkGiven(json) }
  }

  /// Creates a value from it; nil from null.
  public static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self {
    json == .null ? nil : try Wrapped._given(json, turn)
  }

  /// Assigns the value of a command, which may depend on the one before.
  public static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws {
    let place = value.assumingMemoryBound(to: Self.self)
    guard json != .null, var wrapped = place.pointee else {
      return place.pointee = try _given(json, turn)
    }
    try withUnsafeMutablePointer(to: &wrapped) { try Wrapped._put(json, turn, into: $0) }
    place.pointee = wrapped
  }
}

extension CivilTime {
  /// Assigns the date of a command; `due+1w` moves the one before.
  public static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws {
    let place = value.assumingMemoryBound(to: Self.self)
    guard case .string(let word) = json, let span = try When(word: word).spanAfterValue?.span else {
      return place.pointee = try _given(json, turn)
    }
    guard let moved = place.pointee.adding(span) else {
      throw Failure(
        .validation,
        span.minutes == 0
          ? "The date is outside the years 1 to 9999."
          : "\(place.pointee.text) has no time that could be moved; write one, such as 14:00."
      )
    }
    place.pointee = moved
  }
}

extension Array where Element: FieldValue {
  /// An array of the shape of one value.
  public static var _givenShape: ValueShape {
    var shape = Element._givenShape
    shape.schema = ["type": "array", "items": shape.schema]
    return shape
  }

  /// Any number of values.
  public static var _arity: ValueArity { .many }

  /// Checks whether one value, or an array of values, can be read.
  public static func _checkGiven(_ json: JSON) throws(ValueError) {
    guard case .array(let items) = json else { return try Element._checkGiven(json) }
    for (index, item) in items.enumerated() {
      do {
        try Element._checkGiven(item)
      } catch {
        throw ValueError(error.message, path: "/\(index)\(error.path)")
      }
    }
  }

  /// Assigns an array to the list; or applies an object: sets it, removes from it,
  /// adds to it.
  public static func _put(
    _ json: JSON,
    _ turn: borrowing Turn,
    into value: UnsafeMutableRawPointer
  ) throws {
    let list = value.assumingMemoryBound(to: Self.self)
    guard case .object = json else {
      list.pointee = try _given(json, turn)
      return
    }
    if let first = json["set"] { list.pointee = try _given(first, turn) }
    let added = try json["add"].map { try _given($0, turn) } ?? []
    let removed = try json["remove"].map { try _given($0, turn) } ?? []
    try list.pointee.remove(removed, excluding: added)
    // Not `+=`: a process would search its conformances for it, as for `joined(separator:)`.
    for value in added { list.pointee.append(value) }
  }

  /// Removes the elements that are among some values, and not among others.
  private mutating func remove(_ removed: Self, excluding kept: Self) throws {
    guard !isEmpty, !removed.isEmpty else { return }
    let removed = TextSet(try removed.map { try $0.jsonText })
    let kept = TextSet(try kept.map { try $0.jsonText })
    try removeAll {
      let text = try $0.jsonText
      return removed.contains(text) && !kept.contains(text)
    }
  }

  /// Creates a list from an array.
  public static func _given(_ json: JSON, _ turn: borrowing Turn) throws -> Self {
    guard case .array(let items) = json else { return [try Element._given(json, turn)] }
    return try items.map { try Element._given($0, turn) }
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// Reads a list.
  public init(field json: JSON) throws {
    guard case .array(let items) = json else { throw ValueError.expected("an array", json) }
    self = try items.map { try Element(field: $0) }
  }

  /// Writes a list.
  public func writeField(to json: inout JSONWriter) throws {
    try json.array { json in
      for element in self { try element.writeField(to: &json) }
    }
  }

  /// Whether both have identical values in the same order.
  public func isIdenticalField(to other: Self) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.isIdenticalField(to: $1) }
  }

  /// Reads the text of its JSON.
  public init(stored: StoredValue) throws {
    if case .text("[]") = stored { self = [] } else { try self.init(storedJSON: stored) }
  }

  /// Compares the lists at two addresses.
  public static func _areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    Element._areListsIdentical(first, second)
  }

  /// Returns the stored form of the list.
  public static func _stored(_ value: UnsafeRawPointer) throws -> StoredValue {
    try Element._storedList(value)
  }

  /// Assigns a stored list.
  public static func _load(
    _ stored: consuming StoredValue,
    into value: UnsafeMutableRawPointer
  ) throws {
    try Element._loadList(stored, into: value)
  }
}

extension FieldValue {
  /// The text of its JSON, which identical values share.
  fileprivate var jsonText: String {
    get throws {
      var json = JSONWriter()
      try writeField(to: &json)
      return String(decoding: json.bytes, as: UTF8.self)
    }
  }
}

extension ValueError {
  fileprivate static func expected(_ what: String, _ json: JSON) -> ValueError {
    ValueError("expected \(what), found \(json.kind)")
  }

  fileprivate static func expected(_ what: String, _ stored: StoredValue) -> ValueError {
    ValueError("expected \(what), found \(stored.sort)")
  }
}
