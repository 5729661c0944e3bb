public import EventMVVM
public import EventValues
public import JSONText

/// A reference of a record to another one, as the value of a field: a loan's copy, a copy's book.
///
/// It stays true: what it refers to is there when the record is stored, by a command, by an undo or otherwise,
/// and ``ReferenceRemoval`` says what happens to it when that is removed. The store has the UUID, where
/// the kind has one (``Fields/identity(_:_:)``), else the number; people write and see the number.
///
/// ```swift
/// struct Copy: CommandRecord {
///   var mark = ""
///   var book = Reference<Book>()
///   var reservedFor: Reference<Member>?
///   var uuid = UniqueID.none
///   var title: String { mark }
///
///   static let fields = Fields<Self>("copy", several: "copies")
///     .field("mark", \.mark, [.searched, .unique], "What is written on its back")
///     .reference("book", \.book, onRemoval: .cascade, "Of which book")
///     .reference("reservedFor", \.reservedFor, onRemoval: .clear, "For whom it is kept")
///     .identity("uuid", \.uuid)
/// ```
///
/// In the JSON of a view it is an object: the `id` and the `title` of the record, and its `uuid`, if it has one. A
/// command takes the number, or what else a ``RecordReference`` can be.
public struct Reference<R: Record>: Sendable {
  /// The reference: in a stored record the UUID or the number, else as it was given.
  public private(set) var reference: RecordReference
  /// The number of the record; nil where the reference was not read from a store.
  public private(set) var number: Int?
  /// The title of the record; nil where the reference was not read from a store.
  public private(set) var title: String?

  /// Refers to no record yet.
  public init() { self.init(.number(0)) }

  /// Refers to a record by its number, its UUID or a name.
  public init(_ reference: RecordReference) { self.reference = reference }

  /// Refers to a stored record.
  public init(_ record: Kept<R>) {
    let identity = R._table.identity.flatMap { index in
      record.value.withFields { try? R._table.stored(index, of: $0) }
    }
    reference = identity.flatMap { $0.fullIdentity }.map { .identity($0) } ?? .number(record.number)
    (number, title) = (record.number, record.value.title)
  }

  /// Whether it refers to no record yet.
  public var isNone: Bool { reference == .number(0) }
}

/// What happens to a record when one that it refers to is removed.
public enum ReferenceRemoval: Sendable {
  /// That one can't be removed, unless this one is removed as well.
  case restrict
  /// This one is removed, too.
  case cascade
  /// This one refers to nothing any more; the field is an optional.
  case clear
}

extension Reference: Hashable {
  /// Whether both are the same reference; what is known of the record makes no difference.
  public static func == (first: Self, second: Self) -> Bool { first.reference == second.reference }

  /// Hashes the reference.
  public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

extension Reference: RecordReferring {
  /// The reference.
  public var references: [RecordReference] { [reference] }
}

extension Reference: FieldValue, FieldOption {
  /// Reads a number, a text, or the object of a view; null refers to none.
  public init(field json: JSON) throws {
    self.init(json == .null ? nil : try Referent(json))
  }

  /// Writes a number or a text; null if it refers to none.
  public func writeField(to json: inout JSONWriter) {
    if isNone { return json.null() }
    if case .number(let number) = reference {
      json.value(number)
    } else {
      json.value(reference.text)
    }
  }

  /// Whether it refers to no record.
  public var isAbsent: Bool { isNone }

  /// An integer where the kind has no identity, else a text.
  public static var storedType: StoredType { R._table.identity == nil ? .integer : .text }

  /// Reads an identity or a number; a record of a kind with identities may have been added before it had them.
  public init(stored: StoredValue) throws {
    guard case .text(let text) = stored else {
      self.init(.number(try Int(stored: stored)))
      return
    }
    // Not read as an identity, which takes more than the rest of a record.
    if text.utf8.count == 36 {
      self.init(.identity(text))
    } else if text.utf8.first == UInt8(ascii: "#") {
      self.init(try RecordReference(word: text))
    } else {
      throw ValueError("'\(text)' is no identity")
    }
  }

  /// The identity or the number; of a reference that is not resolved its text, which no record has.
  public var stored: StoredValue {
    if Self.storedType == .integer, case .number(let number) = reference {
      return .integer(Int64(number))
    }
    return .text(reference.text)
  }

  /// Replaces a name of the session.
  public init(given: Reference, in turn: borrowing Turn) throws {
    self.init(try turn.resolve([given.reference], of: R.self)[0])
  }
}

extension Reference: CommandValue {
  /// Reads `3`, `#3`, `@last`, `@name`, a UUID or the beginning of one.
  public init(word: String) throws(ValueError) { self.init(try Target<R>.reference(word)) }

  /// Reads a number, a string, or the object of a view.
  public init(json: JSON) throws(ValueError) {
    switch json {
    case .object: self.init(try Referent(json) as Referent?)
    default: self.init(try Target<R>.reference(json))
    }
  }

  /// The shape of its values; the records of the kind are suggested, by their numbers and titles.
  public static var shape: ValueShape {
    var shape = RecordReference.shape(of: R.self)
    shape.placeholder = R.kind.uppercased()
    shape.explanation = [
      "The number of a \(R.kind), as lists show it; @last, @name, or its identifier."
    ]
    return shape
  }
}

extension Reference: Codable {
  /// Writes the reference and, if they are known, the number and the title.
  public func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    if number == nil {
      writeField(to: &json)
    } else {
      Referent(reference, number: number, title: title).write(to: &json)
    }
    try encoder.embed(json.bytes)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    try self.init(field: (decoder as? any JSONSource).map(\.json) ?? JSON(from: decoder))
  }
}

/// What a reference of any kind refers to.
@usableFromInline
struct Referent: Sendable {
  let reference: RecordReference
  let number: Int?
  let title: String?

  init(_ reference: RecordReference, number: Int? = nil, title: String? = nil) {
    (self.reference, self.number, self.title) = (reference, number, title)
  }

  /// Reads what ``write(to:)`` writes, a number or a text.
  init(_ json: JSON) throws(ValueError) {
    guard case .object = json else {
      self.init(try RecordReference(json: json))
      return
    }
    let title: String? = if case .string(let title)? = json["title"] { title } else { nil }
    let number = json["id"]?.wholeNumber.map { Int($0) }
    if case .string(let text)? = json["uuid"] {
      guard let identity = UniqueID(text) else {
        throw ValueError("'\(text.quotable)' is no identifier of a record")
      }
      self.init(RecordReference(identity), number: number, title: title)
    } else if let number {
      self.init(.number(number), number: number, title: title)
    } else {
      throw ValueError("expected an object with 'id' or 'uuid'")
    }
  }

  /// The object of a view.
  var json: JSON {
    get throws {
      var json = JSONWriter()
      write(to: &json)
      return try JSON(parsing: json.bytes)
    }
  }

  /// Writes the object of a view: without a title where nothing is known of the record.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      if let number = number ?? reference.knownNumber { json.value(number) } else { json.null() }
      json.key("title")
      if let title { json.value(title) } else { json.null() }
      if case .identity(let identity) = reference { json.member("uuid", identity) }
    }
  }
}

extension JSON {
  /// The number and the title of a record, as a reference to it has them: `#3 Dune`; nil if it is none.
  package var referredText: String? {
    guard case .object(let members) = self, members.count == 2 || self["uuid"] != nil,
      members.count <= 3, let number = self["id"]?.wholeNumber, let title = self["title"]
    else { return nil }
    if case .string(let text) = title { return "#\(number) \(text)" }
    return "#\(number)"
  }
}

extension Field {
  /// Whether it refers to another record.
  package var isReference: Bool { reference != nil }
}

extension Record {
  /// Returns the number and the title of what a field refers to, for a person: `#3 Dune`; nil if to nothing.
  package func referred(by field: Field) -> String? {
    guard let referent = withFields({ field.referent(of: $0) }) else { return nil }
    guard let number = referent.number else { return referent.reference.text }
    return referent.title.map { "#\(number) \($0)" } ?? "#\(number)"
  }
}

extension StoredValue {
  /// The text of an identity that is stored; nil if it is none.
  var fullIdentity: String? {
    if case .text(let text) = self, text != UniqueID.none.text { text } else { nil }
  }
}

/// A reference, or an optional one, for code that knows no type.
@usableFromInline
protocol ReferenceValue: FieldValue {
  /// The type of the records.
  static var _target: any Record.Type { get }
  /// What it refers to; nil if to nothing.
  var _referent: Referent? { get }
  /// Creates a reference; one to nothing from nil.
  init(_ referent: Referent?)
}

extension ReferenceValue {
  /// Returns what the value at an address refers to.
  static func referent(at value: UnsafeRawPointer) -> Referent? {
    value.assumingMemoryBound(to: Self.self).pointee._referent
  }

  /// Assigns a reference to the value at an address.
  static func assign(_ referent: Referent?, to value: UnsafeMutableRawPointer) {
    value.assumingMemoryBound(to: Self.self).pointee = Self(referent)
  }
}

extension Reference: ReferenceValue {
  @usableFromInline static var _target: any Record.Type { R.self }

  @usableFromInline var _referent: Referent? {
    isNone ? nil : Referent(reference, number: number, title: title)
  }

  @usableFromInline
  init(_ referent: Referent?) {
    self.init(referent?.reference ?? .number(0))
    (number, title) = (referent?.number, referent?.title)
  }
}

extension Optional: ReferenceValue where Wrapped: ReferenceValue {
  @usableFromInline static var _target: any Record.Type { Wrapped._target }

  @usableFromInline var _referent: Referent? { self?._referent }

  @usableFromInline init(_ referent: Referent?) { self = referent.map { Wrapped($0) } }
}
