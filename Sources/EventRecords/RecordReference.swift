public import EventCommands
import EventMVVM
public import JSONText

/// How a command refers to a record: by its number, `3` or `#3`.
public struct RecordReference: CommandValue, Hashable, Codable {
  /// The number.
  public let number: Int

  /// The number, for what takes several.
  public var numbers: [Int] { [number] }

  /// Refers to a record.
  public init(_ number: Int) {
    self.number = number
  }

  /// Reads `3` or `#3`.
  public init(word: String) throws(ValueError) {
    let digits = word.utf8.first == UInt8(ascii: "#") ? word.dropFirst() : word[...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits) else {
      throw ValueError("'\(word.quotable)' is no number, such as 3 or #3")
    }
    self.number = number
  }

  /// Reads a number or a string.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .integer(let number): self.init(Int(number))
    case .string(let text): try self.init(word: text)
    default: throw ValueError("expected a number or a string, found \(json.kind)")
    }
  }

  /// What its values look like.
  public static var shape: ValueShape {
    ValueShape(
      "REF",
      explanation: ["A number, as lists show it: 3 or #3."],
      schema: ["anyOf": [["type": "integer"], ["type": "string"]]],
      candidates: { RequestSubjectCandidates(prefix: $0) }
    )
  }

  /// Reads the reference of a command that knows no domain.
  init(subject: String) throws(Failure) {
    do {
      self = try RecordReference(word: subject)
    } catch {
      throw Failure(.usage, error.message, field: "id")
    }
  }
}

extension [RecordReference] {
  /// The numbers, in order.
  public var numbers: [Int] { map(\.number) }
}

/// The records that a command is about: one or more, each once.
public struct RecordReferences: CommandProperty, Codable {
  /// One or more.
  public static var arity: ValueArity { .some }
  /// What its values look like.
  public static var shape: ValueShape { RecordReference.shape }

  /// The numbers, each once, in the order in which they were given.
  public private(set) var numbers: [Int] = []

  /// No references yet.
  public init() {}

  /// Takes another one.
  public mutating func take(word: String) throws(ValueError) {
    add(try RecordReference(word: word))
  }

  /// Takes one, or an array of them.
  public mutating func take(json: JSON) throws(ValueError) {
    numbers = []
    guard case .array(let items) = json else { return add(try RecordReference(json: json)) }
    for item in items { add(try RecordReference(json: item)) }
    if numbers.isEmpty { throw ValueError("expected at least one number") }
  }

  private mutating func add(_ reference: RecordReference) {
    if !numbers.contains(reference.number) { numbers.append(reference.number) }
  }
}
