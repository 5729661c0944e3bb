/// The table of the records of a kind, for an engine.
///
/// In addition to each record's columns an engine stores its number, its revision and, if
/// ``isSearched``, its search text; and for each set which records contain which names.
///
/// ```swift
/// let engine = try engine()
/// engine.open([RecordTable(Reading.self)])
/// return engine
/// ```
public struct RecordTable: Sendable {
  /// The type of the records.
  let type: any Record.Type
  let fields: FieldTable

  /// Creates the table of a type of records.
  public init<R: Record>(_ type: R.Type) {
    self.type = type
    fields = R._table
  }

  /// The name of one record: letters, digits, `-` and `_`.
  public var kind: String { type.kind }
  /// The number of columns.
  public var count: Int { fields.fields.count }

  /// Returns a column.
  ///
  /// - Parameter index: Its index in the table.
  /// - Returns: The column, without its default.
  public func column(_ index: Int) -> RecordColumn {
    let field = fields.fields[index]
    return RecordColumn(
      name: "\(field.name)",
      type: field.type.storedType,
      isOptional: field.type._isOptional,
      traits: field.traits.ofEngine
    )
  }

  /// Returns the index of a column; nil if there is none with that name.
  public func index(of name: String) -> Int? { fields.index(of: name) }

  /// The columns, each by its index, by which records are found and sorted together, except the
  /// indexed ones.
  public var orders: [[Int]] { fields.orders }

  /// Whether its records can be searched by words.
  public var isSearched: Bool { fields.fields.contains { $0.traits.contains(.searched) } }

  /// A number that identifies the columns with their names, types and traits, and the form of the
  /// texts that are searched: equal numbers mean equal columns, in the same form.
  public var signature: Int64 { signature(withForm: true) }

  /// The number without the form: where it is known, the records can be read, but a search may miss
  /// some.
  public var columnSignature: Int64 { signature(withForm: false) }

  /// FNV-1a, 64 bits; the defaults of new records are not included.
  private func signature(withForm hasForm: Bool) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for field in fields.fields {
      field.name.withUTF8Buffer { for byte in $0 { take(byte) } }
      switch field.type.storedType {
      case .integer: take(0xF9)
      case .real: take(0xFA)
      case .text: take(0xFB)
      }
      take(field.type._isOptional ? 0xFD : 0xFC)
      take(UInt8(truncatingIfNeeded: field.traits.ofEngine.rawValue))
    }
    for order in fields.orders {
      take(0xFE)
      for place in order { take(UInt8(truncatingIfNeeded: place)) }
    }
    for byte in kind.utf8 { take(byte) }
    if hasForm, isSearched { take(SearchForm.version) }
    return Int64(bitPattern: hash)
  }

  /// Returns the values of a new record in its columns, which also apply where a field was never
  /// written.
  ///
  /// - Throws: An error if a value can't be stored.
  public func defaults() throws -> [StoredValue] {
    try defaults(of: self.type)
  }

  private func defaults<R: Record>(of type: R.Type) throws -> [StoredValue] {
    try R()
      .withFields { record in
        try fields.fields.indices.map { try fields.stored($0, of: record) }
      }
  }

  /// Stops the program if no database could have such a table; engines call it before they create
  /// one.
  public func check() {
    func isPlain(_ text: String) -> Bool {
      !text.isEmpty
        && text.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
            true
          default: false
          }
        }
    }
    precondition(isPlain(kind), "'\(kind)' is no name of a record: letters, digits, - and _")
    precondition(count <= 60, "the record '\(kind)' has more than 60 fields")
    for (index, field) in fields.fields.enumerated() {
      precondition(
        !fields.fields[..<index].contains { $0.hasName(of: field) },
        "two fields of '\(kind)' are called '\(field.name)'"
      )
      precondition(
        !fields.fields[..<index].contains { $0.overlaps(field) },
        "the field '\(field.name)' of '\(kind)' is a part of another one"
      )
      let name = "\(field.name)"
      precondition(
        !name.hasPrefix("_") && !name.contains { "\"\\".contains($0) },
        "'\(name)' is no name of a field"
      )
      precondition(
        !field.traits.contains(.searched) || field.type.storedType == .text,
        "the field '\(name)' of '\(kind)' is searched, and no text"
      )
    }
  }
}

/// A column of a table.
public struct RecordColumn: Sendable {
  /// Its name, which may need quotes; none begins with `_` or differs from another in case alone.
  public let name: String
  /// The type of its values.
  public let type: StoredType
  /// Whether a value can be null; if not, a null means that it was never written, and stands for
  /// the value of a new record.
  public let isOptional: Bool
  /// Its traits.
  public let traits: FieldTraits

  /// Whether it is a set of names: the column has them as a JSON array, and they can be queried
  /// one by one.
  public var isSet: Bool { traits.contains(.set) }
}

/// The values of a record, for an engine to store; valid during the call that they are passed
/// to.
public struct RecordValues {
  private let table: FieldTable
  private let record: UnsafeRawPointer

  init(_ table: FieldTable, _ record: UnsafeRawPointer) {
    self.table = table
    self.record = record
  }

  /// Returns the value of a column.
  ///
  /// - Throws: Why it can't be stored.
  public func value(_ index: Int) throws -> StoredValue { try table.stored(index, of: record) }

  /// Returns the names in a column that is a set.
  public func names(_ index: Int) -> [String] {
    let field = table.fields[index]
    guard field.traits.contains(.set) else { return [] }
    return (record + field.offset).assumingMemoryBound(to: [String].self).pointee
  }

  /// Returns the text by which the record is searched, a line for each of its texts, in the form of
  /// `String.searchForm`.
  ///
  /// - Throws: Why it can't be stored.
  public func searchText() throws -> String {
    var text: String?
    for (index, field) in table.fields.enumerated() where field.traits.contains(.searched) {
      guard case .text(let value) = try value(index) else { continue }
      text = text.map { $0 + "\n" + value } ?? value
    }
    return text?.searchForm ?? ""
  }

  /// Whether any of these columns is searched.
  public func areSearched(_ set: FieldSet) -> Bool {
    set.contains { table.fields[$0].traits.contains(.searched) }
  }
}
