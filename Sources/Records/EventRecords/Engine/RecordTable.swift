import JSONText

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

  /// The name of one record for people.
  public var kind: String { type.kind }
  /// The name of one record in the store, the first that it had: letters, digits, `-` and `_`.
  public var storedKind: String { fields.storedKind }
  /// The number of columns.
  public var count: Int { fields.fields.count }

  /// Returns a column.
  ///
  /// - Parameter index: Its index in the table.
  /// - Returns: The column, without its default.
  public func column(_ index: Int) -> RecordColumn {
    let field = fields.fields[index]
    return RecordColumn(
      name: field.storedText,
      shown: field.name,
      valueType: field.type,
      isOptional: field.type._isOptional,
      traits: field.traits.ofEngine
    )
  }

  /// Returns the index of a column; nil if there is none with that name.
  public func index(of name: String) -> Int? { fields.index(of: name) }

  /// The names that the kind has had since the one in the store.
  public var laterKinds: [String] { fields.kinds.filter { !$0.isIdentical(to: storedKind) } }

  /// Says that a store has records of a kind that this version does not know, for a person.
  public static func unknown(_ kind: String, _ count: Int) -> String {
    "keeps \(count) record\(count == 1 ? "" : "s") of the kind '\(kind)', which this version of the program does "
      + "not know: \(count == 1 ? "it stays" : "they stay") there. If the kind has another name now, declare "
      + "`formerly: \"\(kind)\"`"
  }

  /// Whether the log can have names of before, or values.
  var hasFormerNames: Bool {
    fields.hasFormerNames || fields.fields.contains { !$0.type._formerNames.isEmpty }
  }

  /// Whether a version that has declared one of these signatures has made the table, with all its names.
  public func isMade(among signatures: some Sequence<Int64>) -> Bool {
    let known = Set(signatures)
    return known.contains(signature) && nameSignature.map(known.contains) != false
  }

  /// Returns the columns among some that a version has written under later names of a field, as it had not
  /// declared the rename; nil if there are none to take over.
  ///
  /// After the values were converted nothing is taken any more.
  public func laterColumns(of index: Int, among names: some Sequence<String>) -> LaterColumns? {
    let known = Set(names)
    let later = fields.laterNames(of: index).filter(known.contains)
    let field = fields.fields[index]
    guard !later.isEmpty, field.conversions == 0 || !known.contains(field.storedText) else {
      return nil
    }
    let ranks = fields.conversions(of: index).last?.conversion.ranks ?? field.type._ranks
    let first = "\(field.firstName)"
    return LaterColumns(first: first, isThere: known.contains(first), later: later, ranks: ranks)
  }

  /// What the field of a column was before its values were converted, the last first: the name of its column, and
  /// how its values are converted.
  ///
  /// An engine that finds such a column, and not that of today, converts its values and removes it.
  public func former(_ index: Int) -> [(name: String, conversion: FieldConversion)] {
    fields.conversions(of: index)
  }

  /// Whether a newer version has the values of a column in one of some columns, after a conversion that this
  /// version does not know.
  public func isNewer(_ index: Int, among names: some Sequence<String>) -> Bool {
    let field = fields.fields[index]
    let start = "\(field.firstName)~"
    return names.contains { name in
      guard name.hasPrefix(start) else { return false }
      return Int(name.dropFirst(start.count)).map { $0 > field.conversions } ?? false
    }
  }

  /// Returns the names of columns that an engine has found in the table, and that are neither those of today nor
  /// declared as removed: what is in them may belong to a field that was renamed.
  public func unread(_ names: some Sequence<String>) -> [String] {
    names
      .filter { name in
        !name.hasPrefix("_") && !isRemoved(name)
          && !fields.fields.contains { $0.storedText.isIdentical(to: name) }
      }
      .sorted()
  }

  /// Whether a field of that name is declared as removed.
  package func isRemoved(_ name: String) -> Bool { fields.isRemoved(name) }

  /// Says that records have values in such a column, for a person.
  public func unread(_ name: String, of count: Int) -> String {
    "keeps '\(name)' of \(count) \(count == 1 ? kind : fields.several), "
      + "which this version of the program does not read: it stays there"
      + (name.contains("~") || fields.index(of: name) != nil
        ? "" : ". If it has another name now, declare `.renamed(from: \"\(name)\")`")
  }

  /// The columns, each by its index, by which records are found and sorted together, except the
  /// indexed ones.
  public var orders: [[Int]] { fields.orders }

  /// The rules that no two records have the same values, except that of the identity: an engine may have an
  /// index for each.
  public var uniques: [RecordUnique] {
    var uniques: [RecordUnique] = []
    for rule in fields.rules where !rule.isIdentity {
      uniques.append(RecordUnique(columns: rule.fields, condition: fields.condition(of: rule)))
    }
    return uniques
  }

  /// Whether a column marks what is deleted: nearly all records have the same value in it.
  public func isDeletion(_ index: Int) -> Bool {
    fields.fields[index].traits.contains(.marksDeletion)
  }

  /// Whether its records can be searched by words.
  public var isSearched: Bool { fields.fields.contains { $0.traits.contains(.searched) } }

  /// A number that identifies the columns with their names, types and traits, and the form of the
  /// texts that are searched: equal numbers mean equal columns, in the same form.
  public var signature: Int64 { signature(withForm: true) }

  /// The number without the form, ranks and names of before: where it is known, the records can be read, but a
  /// search may miss some, and an index.
  public var columnSignature: Int64 { signature(withForm: false) }

  /// A number that identifies all names that fields have had; nil if none was renamed.
  ///
  /// Where it is new, a version may have stored values under a later name before it declared the rename;
  /// see ``laterColumns(of:among:)``.
  public var nameSignature: Int64? {
    guard fields.hasFormerNames || fields.kinds.count > 1 else { return nil }
    var names = laterKinds.map { $0 + ";" }.joined()
    for index in fields.fields.indices {
      for name in fields.laterNames(of: index) { names += "\(index) \(name);" }
    }
    guard !names.isEmpty else { return nil }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(storedKind):\(names)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
  }

  /// FNV-1a, 64 bits; the defaults of new records are not included.
  private func signature(withForm hasForm: Bool) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for field in fields.fields {
      field.firstName.withUTF8Buffer { for byte in $0 { take(byte) } }
      if field.conversions > 0 { for byte in "~\(field.conversions)".utf8 { take(byte) } }
      switch field.type.storedType {
      case .integer: take(0xF9)
      case .real: take(0xFA)
      case .text: take(0xFB)
      }
      take(field.type._isOptional ? 0xFD : 0xFC)
      take(UInt8(truncatingIfNeeded: field.traits.ofEngine.rawValue))
      guard hasForm else { continue }
      for rank in field.type._ranks { for byte in "\(rank.name)=\(rank.rank);".utf8 { take(byte) } }
      for (name, value) in field.type._formerNames {
        for byte in "\(name)>\(value);".utf8 { take(byte) }
      }
    }
    for order in fields.orders {
      take(0xFE)
      for place in order { take(UInt8(truncatingIfNeeded: place)) }
    }
    for unique in uniques {
      take(0xF7)
      for column in unique.columns { take(UInt8(truncatingIfNeeded: column)) }
      for byte in "\(unique.condition)".utf8 { take(byte) }
    }
    for byte in storedKind.utf8 { take(byte) }
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
    for kind in [kind, storedKind] {
      precondition(isPlain(kind), "'\(kind)' is no name of a record: letters, digits, - and _")
    }
    precondition(count <= 60, "the record '\(kind)' has more than 60 fields")
    let repeated = fields.repeatedName
    precondition(repeated == nil, "two fields of '\(kind)' are or were called '\(repeated ?? "")'")
    for (index, field) in fields.fields.enumerated() {
      let ranks = field.type._ranks.map(\.rank)
      precondition(
        Set(ranks).count == ranks.count,
        "two values of '\(field.name)' of '\(kind)' have the same rank"
      )
      precondition(
        !fields.fields[..<index].contains { $0.overlaps(field) },
        "the field '\(field.name)' of '\(kind)' is a part of another one"
      )
      let name = "\(field.firstName)"
      precondition(
        !name.hasPrefix("_") && !name.contains { "\"\\~".contains($0) },
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
  ///
  /// It is that of the field in the first version of the program that had it.
  public let name: String
  private let shown: StaticString
  /// The type of the field.
  let valueType: any FieldValue.Type
  /// The type of its values.
  public var type: StoredType { valueType.storedType }
  /// Whether a value can be null; if not, a null means that it was never written, and stands for
  /// the value of a new record.
  public let isOptional: Bool
  /// Its traits.
  public let traits: FieldTraits

  /// Whether it is a set of names: the column has them as a JSON array, and they can be queried
  /// one by one.
  public var isSet: Bool { traits.contains(.set) }

  fileprivate init(
    name: String,
    shown: StaticString,
    valueType: any FieldValue.Type,
    isOptional: Bool,
    traits: FieldTraits
  ) {
    (self.name, self.shown, self.valueType) = (name, shown, valueType)
    (self.isOptional, self.traits) = (isOptional, traits)
  }

  /// The name of the field for people.
  public var shownName: String { "\(shown)" }
  /// The names of its values with their ranks, by which they are compared and sorted; empty for a column
  /// whose values are compared as they are stored.
  public var ranks: [RankedName] { valueType._ranks }
  /// The names that its values had in earlier versions, with those of today.
  public var formerNames: [(name: String, value: String)] { valueType._formerNames }
}

/// The columns of a field under several names, which become one.
public struct LaterColumns: Sendable {
  /// The column that gets the values: that with the first name.
  public let first: String
  /// The column to rename to ``first``, where the store began with a later name; nil if there is ``first``.
  public let renamed: String?
  /// The other columns, the oldest name first, each with the names before it.
  ///
  /// Where the log has its name as the last that was written, its value is the one. They are removed.
  public let taken: [(name: String, before: [String])]
  /// The ranks of the values, which an earlier version stored in place of their names.
  public let ranks: [RankedName]

  fileprivate init(first: String, isThere: Bool, later: [String], ranks: [RankedName]) {
    (self.first, self.ranks) = (first, ranks)
    renamed = isThere ? nil : later[0]
    taken = later.dropFirst(isThere ? 0 : 1)
      .map { name in (name, [first] + later.prefix { $0 != name }) }
  }

  /// The columns that are there.
  public var all: [String] { [renamed ?? first] + taken.map(\.name) }

  /// Returns the types of the columns once those of ranks have their names.
  ///
  /// - Parameters:
  ///   - types: The types by the names of the columns.
  ///   - rank: The type of a column of ranks.
  ///   - name: The type of a column of names.
  /// - Returns: The types of ``all``.
  public func types(
    _ types: [String: String],
    rank: String,
    name: String
  ) -> [String: String] {
    var after: [String: String] = [:]
    for column in all {
      after[column] = !ranks.isEmpty && types[column] == rank ? name : types[column]
    }
    return after
  }
}

/// A rule that no two records have the same values in some columns.
public struct RecordUnique: Sendable {
  /// The columns; a record without a value in one of them does not count.
  public let columns: [Int]
  /// The condition of the records that count.
  public let condition: RecordCondition
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
