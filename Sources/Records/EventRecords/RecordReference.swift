public import EventMVVM
public import EventValues
public import JSONText

/// A reference of a command to a record: by its number, `3` or `#3`, by its UUID or the beginning of
/// that, or by a name of the session, `@last` or `@name`.
///
/// A record has a UUID if its kind declares one; see ``Fields/identity(_:_:)``. At least four
/// hexadecimal digits of it are needed. Digits alone are a number, unless there are 32 of them.
///
/// ```swift
/// struct RequestAgain: Command, Codable {
///   typealias Reply = ResponseView<SampleView>
///   var id = RecordReference(0)
/// ```
public enum RecordReference: Hashable, Sendable {
  /// By its number.
  case number(Int)
  /// By the first digits of its UUID, in lower case with its hyphens; by
  /// all 32, if they are given.
  case identity(String)
  /// All records with numbers from the first to the last: `1-3`, of which those are meant that exist.
  case numbers(ClosedRange<Int>)
  /// The one that the session added or changed last: `@last`.
  case last
  /// The one that the session gave that name: `@name`.
  case named(String)

  /// Refers to a record by its number.
  public init(_ number: Int) { self = .number(number) }
  /// Refers to a record by its UUID.
  public init(_ identity: UniqueID) { self = .identity(identity.text) }

  /// The number, for records that have no UUID.
  ///
  /// - Throws: An error if it is no number.
  public var number: Int {
    get throws(Failure) {
      guard let knownNumber else {
        throw Failure(.usage, "'\(text)' is no number, such as 3 or #3", field: "id")
      }
      return knownNumber
    }
  }

  /// The number; nil if it can't be determined without reading the records.
  var knownNumber: Int? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  /// The reference as a person writes it.
  public var text: String {
    switch self {
    case .number(let number): "#\(number)"
    case .identity(let text): text
    case .numbers(let range): "\(range.lowerBound)-\(range.upperBound)"
    case .last: "@last"
    case .named(let name): "@\(name)"
    }
  }

  /// How many records it can refer to.
  public var mostRecords: Int {
    if case .numbers(let range) = self { range.count } else { 1 }
  }

  /// Reads the reference of a command that depends on no domain.
  init(subject: String) throws(Failure) {
    do {
      self = try RecordReference(word: subject)
    } catch {
      throw Failure(.usage, error.message, field: "id")
    }
  }
}

extension RecordReference: CommandValue {
  /// Reads `3`, `#3`, `@last`, `@name`, a UUID, or its first four digits or more, with or without its
  /// hyphens.
  public init(word: String) throws(ValueError) {
    guard let reference = try RecordReference(reading: word) else {
      throw ValueError("'\(word.quotable)' is no number, such as 3 or #3")
    }
    self = reference
  }

  /// Reads what ``init(word:)`` does; nil if it is no number, no name and not the beginning of a UUID.
  ///
  /// - Throws: An error for an invalid number or UUID.
  public init?(reading word: String) throws(ValueError) {
    if word.utf8.first == UInt8(ascii: "@") {
      self = try Self.session(String(Substring(word.utf8.dropFirst())))
      return
    }
    if try Self.range(word) != nil {
      throw ValueError("'\(word.quotable)' is several; this takes one")
    }
    let digits = word.utf8.dropFirst(word.utf8.first == UInt8(ascii: "#") ? 1 : 0)
    if !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count != 32 {
      guard let number = Int(String(Substring(digits))) else {
        throw ValueError("there is no number \(word.quotable)")
      }
      self = .number(number)
      return
    }
    guard let text = try UniqueID.beginning(word) else { return nil }
    self = .identity(text)
  }

  /// Reads the part after an `@`.
  private static func session(_ name: String) throws(ValueError) -> RecordReference {
    guard !name.isEmpty else { throw ValueError("'@' is followed by a name") }
    guard !name.utf8.contains(UInt8(ascii: " ")) else {
      throw ValueError("'@\(name.quotable)' is no name: names have no blanks")
    }
    guard name.utf8.count <= SessionNames.longestName else {
      throw ValueError(
        "'@\(name.quotable)' is no name: names have at most \(SessionNames.longestName) bytes"
      )
    }
    return name.isIdentical(to: "last") ? .last : .named(name)
  }

  /// Reads `1-3`, with at most seven digits on a side, as more before the hyphen are the beginning of a UUID;
  /// nil if it is something else.
  ///
  /// - Throws: An error for a range that runs backwards, has no end or one that is too large.
  public static func range(_ word: String) throws(ValueError) -> RecordReference? {
    let sides = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard sides.count == 2, let first = number(sides[0]), first.digits <= 7 else { return nil }
    if sides[1].isEmpty {
      // More are the beginning of a UUID.
      guard first.digits < 4 else { return nil }
      throw ValueError(
        "'\(word.quotable)' has no end; write \(first.number)-\(first.number + 3) for several"
      )
    }
    guard let last = number(sides[1]) else { return nil }
    guard last.digits <= 7 else {
      throw ValueError("'\(word.quotable)' goes too far; its end has seven digits at most")
    }
    guard first.number <= last.number else {
      throw ValueError(
        "'\(word.quotable)' runs backwards; write \(last.number)-\(first.number)"
      )
    }
    return .numbers(first.number...last.number)
  }

  private static func number(
    _ side: Substring.UTF8View.SubSequence
  ) -> (number: Int, digits: Int)? {
    let digits = side.dropFirst(side.first == UInt8(ascii: "#") ? 1 : 0)
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return (Int(String(Substring(digits))) ?? .max, digits.count)
  }

  /// Reads a number or a string.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .string(let text): try self.init(word: text)
    default:
      guard let number = json.wholeNumber else {
        throw ValueError("expected a whole number or a string, found \(json.found)")
      }
      self.init(Int(number))
    }
  }

  /// The shape of its values.
  public static var shape: ValueShape { shape(hasIdentity: true) }

  /// The shape of the references to records of a kind, which may have no identity but their numbers.
  package static func shape<R: Record>(of kind: R.Type) -> ValueShape {
    var shape = shape(hasIdentity: R._table.identity != nil)
    shape.candidates = { RequestOfferedRecords(R.kind, .all, prefix: $0) }
    return shape
  }

  private static func shape(hasIdentity: Bool) -> ValueShape {
    ValueShape(
      "NUMBER",
      explanation: [
        "A number, as lists show it: 42 or #42, or several, 1,4 or 1-3, where a command takes",
        "them; @last, which was added or changed last; or @name, if 'as @name' at the end of a",
        "command gave it that name. These two are known within one script or conversation.",
      ]
        + (hasIdentity
          ? ["Or the long identifier of one, or at least four characters of it, as JSON has it."]
          : []),
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }
}

extension RecordReference: Codable {
  /// Writes the number, or the text; digits alone are followed by a hyphen, as they would otherwise
  /// be a number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .identity(let text):
      let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      try container.encode(isNumber ? text + "-" : text)
    case .numbers, .last, .named: try container.encode(text)
    }
  }

  /// Reads a number or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .number(number)
    } else {
      let word = try container.decode(String.self)
      self = try Self.range(word) ?? RecordReference(word: word)
    }
  }
}

/// One or more references to records.
public protocol RecordReferring {
  /// The references, in order.
  var references: [RecordReference] { get }
}

extension RecordReference: RecordReferring {
  /// The reference itself.
  public var references: [RecordReference] { [self] }
}

extension Int: RecordReferring {
  /// The record with this number.
  public var references: [RecordReference] { [.number(self)] }
}

extension Array: RecordReferring where Element: RecordReferring {
  /// The references of all elements.
  public var references: [RecordReference] {
    // Not `flatMap`: a process would search its conformances for it, as for `joined(separator:)`.
    var all: [RecordReference] = []
    for element in self { all += element.references }
    return all
  }
}
