import EventMVVM
public import EventValues
public import JSONText

/// The records that a command is about: one or several, by number, UUID or a name of the session, and the
/// revision of them that the caller had read.
///
/// In JSON `id` is one of them and `ids` an array. A range, `1-3`, is those from 1 to 3 that exist.
///
/// ```swift
/// struct RequestReading: RecordEdit, Codable {
///   typealias Reply = ResponseView<SampleView>
///   var id = Target<Sample>()
///   var value = 0.0
///   var last = false
/// ```
public struct Target<R: Record>: RecordReferring, Sendable, Equatable {
  /// The references, in the order in which they were given.
  public var references: [RecordReference] = []
  /// Whether several were meant, so that a result is an array in any case.
  public var isList = false
  /// The words of a filter that finds the records, in place of references; empty for none.
  public var terms: [String] = []
  /// The views that the filter names, as they were when it was read.
  public var views: [NamedFilter] = []
  /// Whether the filter finds what lists leave out, too, as that of a program does.
  public var findsHidden = false
  /// Whether the filter was given in one text, beside which no other word of it stands; while words are read.
  package var isInOneText = false
  /// The numbers that the filter has found, where a person was asked about them; nil where it was not looked for.
  public var found: [Int]?
  /// The revision that the caller had read; a field that was changed since is a conflict (S71).
  public var seen: Int?
  /// The record as a view shows it, which the change begins with instead of the stored one; nil for that.
  public private(set) var shown: Kept<R>?

  /// No records yet.
  public init() {}

  /// Refers to records.
  public init(_ references: RecordReference..., seen revision: Int? = nil) {
    self.references = references
    seen = revision
    isList = references.contains { $0.mostRecords > 1 } || references.count > 1
  }

  /// Refers to the record that a view shows: its change never reverts an external one (S71).
  public init(_ record: Kept<R>, by reference: RecordReference) {
    references = [reference]
    shown = record
  }

  /// The references as a person writes them, at most three.
  public var subject: String? { references.subject }
}

extension Target: CommandProperty {
  /// One or more.
  public static var arity: ValueArity { .some }
  /// The shape of its values.
  public static var shape: ValueShape { RecordReference.shape(of: R.self) }

  /// Reads a reference to one record from JSON.
  package static func reference(_ json: JSON) throws(ValueError) -> RecordReference {
    if case .string(let word) = json {
      try reference(word)
    } else {
      try RecordReference(json: json)
    }
  }

  /// Reads a reference to one record.
  package static func reference(_ word: String) throws(ValueError) -> RecordReference {
    let reference: RecordReference?
    do throws(ValueError) {
      reference = try RecordReference(reading: word)
    } catch {
      // Where records have no identifiers, a word is none that is too short.
      guard R._table.identity == nil else { throw error }
      reference = nil
    }
    guard let reference else {
      throw ValueError("'\(word.quotable)' is no \(R.kind); write its number, as lists show it")
    }
    return reference
  }

  /// Adds the references in a word, which are between commas if it has several.
  public mutating func take(word: String) throws(ValueError) {
    for word in word.betweenCommas {
      if let range = try RecordReference.range(word) {
        references.append(range)
        isList = true
      } else {
        references.append(try Self.reference(word))
      }
    }
    if references.count > 1 { isList = true }
  }

  /// Sets one reference, or a range.
  public mutating func take(json: JSON) throws(ValueError) {
    references = []
    guard case .string(let word) = json else {
      references = [try RecordReference(json: json)]
      return
    }
    try take(word: word)
  }

  /// Sets the references of a member, by its name: one or, in that for several, an array.
  public mutating func take(json: JSON, named name: String) throws(ValueError) {
    guard case .array(let items) = json else {
      if name.isIdentical(to: "ids") { throw ValueError("expected an array, found \(json.kind)") }
      return try take(json: json)
    }
    var all: [RecordReference] = []
    for (index, item) in items.enumerated() {
      do {
        try take(json: item)
        all += references
      } catch {
        throw ValueError(error.message, path: "/\(index)\(error.path)")
      }
    }
    if all.isEmpty { throw ValueError("expected at least one \(R.kind)") }
    references = all
    isList = true
  }

  /// Returns the names of the members for one record and for several.
  public static func jsonNames(for name: String) -> [String] { [name, name + "s"] }
}

extension Target: Codable {
  private enum Key: CodingKey {
    case references, isList, terms, views, findsHidden, found, seen, shown
  }

  /// Writes the references, and of the rest what is set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(references, forKey: .references)
    if isList { try container.encode(true, forKey: .isList) }
    if !terms.isEmpty { try container.encode(terms, forKey: .terms) }
    if !views.isEmpty { try container.encode(views, forKey: .views) }
    if findsHidden { try container.encode(true, forKey: .findsHidden) }
    try container.encodeIfPresent(found, forKey: .found)
    try container.encodeIfPresent(seen, forKey: .seen)
    try container.encodeIfPresent(shown, forKey: .shown)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    references = try container.decode([RecordReference].self, forKey: .references)
    isList = try container.decodeIfPresent(Bool.self, forKey: .isList) ?? false
    terms = try container.decodeIfPresent([String].self, forKey: .terms) ?? []
    views = try container.decodeIfPresent([NamedFilter].self, forKey: .views) ?? []
    findsHidden = try container.decodeIfPresent(Bool.self, forKey: .findsHidden) ?? false
    found = try container.decodeIfPresent([Int].self, forKey: .found)
    seen = try container.decodeIfPresent(Int.self, forKey: .seen)
    shown = try container.decodeIfPresent(Kept<R>.self, forKey: .shown)
  }
}

extension Target: GrowingValue {}

/// A filter with a name, by which others mean it: `@today`.
public struct NamedFilter: Sendable, Equatable, Codable {
  /// The name.
  public let name: String
  /// The filter, in one text.
  public let filter: String

  /// Gives a filter a name.
  public init(_ name: String, _ filter: String) { (self.name, self.filter) = (name, filter) }
}
