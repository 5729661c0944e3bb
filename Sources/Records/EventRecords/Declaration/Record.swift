public import EventMVVM
public import EventValues
public import JSONText

/// A value with fields that a domain stores, identified among others of its kind by a number.
///
/// Declaring its fields is all that storing it requires: each has its own line in the history and
/// in a conflict, and is merged and undone by itself. A field that was never written has the value
/// that it has in a new record: adding a field needs no migration.
///
/// ```swift
/// struct Label: Record {
///   var title = ""
///   static let fields = Fields<Self>("label").field("title", \.title)
/// }
/// ```
public protocol Record: Codable, Sendable, Equatable, GrowingValue {
  /// Creates a record whose fields have the values of fields that were never written: the same
  /// ones in every process, and nil in an optional.
  init()
  /// The name of the record type, and its fields.
  static var fields: Fields<Self> { get }
  /// Its title in the history.
  var title: String { get }
  /// Whether completion suggests it; true unless declared.
  var isSuggested: Bool { get }
  /// Checks a requested change, in its stored form: merged with changes since.
  ///
  /// Undos and external changes are not checked.
  ///
  /// - Parameter change: The record before, nil if it is new, and after.
  /// - Throws: Why it is not allowed; then nothing is written.
  static func check(_ change: RecordTransition<Self>) throws(Failure)
  /// Returns the measures of a change; see `Measure`.
  ///
  /// - Parameters:
  ///   - before: The record before; nil if it did not exist.
  ///   - after: The record after; nil if it no longer exists.
  ///   - time: The time of the change.
  /// - Returns: The measures; unless declared, those of a record with the role `completion`, and else none.
  static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure]

  // A requirement so that code that uses the record by this protocol alone need not instantiate the
  // type of its fields, which takes a process 300 000 instructions.
  static var _table: FieldTable { get }
  // Likewise, so that each type has its own code, where many are read.
  static func _read(
    _ row: any RecordRow,
    _ table: FieldTable,
    into records: inout [Kept<Self>]
  ) throws
}

extension Record {
  /// The name of its type, in the file and in errors.
  public static var kind: String { _table.kind }

  /// The name of several, in sentences.
  public static var several: String { _table.several }

  /// The fields, for generic loops.
  @inlinable public static var _table: FieldTable { fields.table }

  /// Reads a row.
  ///
  /// - Throws: An error if the record is damaged.
  @inlinable
  public static func _read(
    _ row: any RecordRow,
    _ table: FieldTable,
    into records: inout [Kept<Self>]
  ) throws {
    var value = Self()
    try withUnsafeMutableBytes(of: &value) { try table.loadRecord(row, into: $0.baseAddress) }
    records.append(Kept(row.number, value, revision: row.revision))
  }

  /// Allows every change.
  public static func check(_ change: RecordTransition<Self>) throws(Failure) {}

  /// True: completion suggests it.
  public var isSuggested: Bool { true }

  /// Returns the measures that follow from the roles of the fields: see `Measure`.
  public static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure] {
    measuresByRoles(from: before, to: after, at: time)
  }

  /// Whether all fields are equal, texts byte for byte.
  @inlinable
  public static func == (first: Self, second: Self) -> Bool {
    withUnsafeBytes(of: first) { first in
      withUnsafeBytes(of: second) { _table.areIdentical(first.baseAddress, $0.baseAddress) }
    }
  }

  /// The fields of a new record.
  public static var _newForm: JSON? {
    var json = JSONWriter()
    // With null for what is absent: a view has that.
    let new = Self()
    let written: Void? = try? new.withFields { try _table.write($0, writesNull: true, to: &json) }
    return written.flatMap { try? JSON(parsing: json.bytes) }
  }

  /// Writes the fields.
  public func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    try write(to: &json)
    try encoder.embed(json.bytes)
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let json = try (decoder as? any JSONSource).map(\.json) ?? JSON(from: decoder)
    try self.init(json: json)
  }

  /// Stops the program if a field has values that could not be stored.
  static func checkDeclaration() {
    let name = Self().withFields { _table.optionalWithValue($0) }
    precondition(name == nil, "an optional field of '\(kind)' is not nil in a new record")
    #if DEBUG
      let unnamed = unnamedProperty
      precondition(
        unnamed == nil,
        "the property '\(unnamed ?? "")' of '\(kind)' would not be stored: it is no field"
      )
    #endif
  }

  /// Writes the fields as an object.
  ///
  /// - Throws: An error that names the unwritable field, and why.
  func write(to json: inout JSONWriter) throws {
    try withFields { try Self._table.writeWhole($0, to: &json) }
  }

  /// Reads an object.
  ///
  /// - Throws: An error that names the unreadable field, and why.
  init(json: JSON, isShown: Bool = false) throws {
    self.init()
    _ = try withMutableFields { try Self._table.read(json, isShown: isShown, into: $0) }
  }
}

extension Record {
  /// Applies an edit of an earlier state of it: the fields that the edit changed.
  ///
  /// A set gets what was added, without what was removed. Other fields that have changed since
  /// stay.
  ///
  /// - Parameters:
  ///   - wanted: The edited state.
  ///   - base: The earlier state.
  /// - Returns: The names of the fields that were changed to another value since, and now have that
  ///   of `wanted`.
  @discardableResult
  public mutating func take(_ wanted: Self, since base: Self) -> [String] {
    let conflicts = merge(wanted, since: base)
    copy(conflicts, from: wanted)
    return conflicts.map { "\(Self._table.fields[$0].name)" }
  }

  /// Merges an edit of an earlier state of it.
  ///
  /// - Returns: The fields that both have changed, to different values.
  mutating func merge(
    _ wanted: Self,
    since base: Self,
    comparesStampTimes: Bool = false
  ) -> FieldSet {
    wanted.withFields { wanted in
      base.withFields { base in
        withMutableFields {
          Self._table.merge(wanted, since: base, into: $0, comparesStampTimes: comparesStampTimes)
        }
      }
    }
  }

  /// Copies some fields of another state of it.
  package mutating func copy(_ fields: FieldSet, from other: Self) {
    guard !fields.isEmpty else { return }
    withMutableFields { record in
      other.withFields { Self._table.copy(fields, from: $0, to: record) }
    }
  }
}

/// A stored record, with its number and revision.
///
/// ```swift
/// extension MessageView {
///   init(_ message: Kept<Message>) {
///     let value = message.value
///     self.init(id: message.number, from: value.from, title: value.title, text: value.text)
///   }
/// }
/// ```
public struct Kept<R: Record>: Sendable, Equatable, Codable {
  /// Its number among all records; never used for another one.
  public let number: Int
  /// The revision of the store at its last change.
  public let revision: Int
  /// The record.
  public var value: R

  /// Creates a stored record.
  @inlinable
  public init(_ number: Int, _ value: R, revision: Int) {
    self.number = number
    self.revision = revision
    self.value = value
  }
}

/// The change of a record.
///
/// ```swift
/// static func check(_ change: RecordTransition<Sample>) throws(Failure) {
///   guard let batch = change.after?.batch, batch.isEmpty || batch.contains(where: \.isNewline)
///   else { return }
///   throw Failure(.validation, "A batch is one line and not empty.", field: "batch")
/// }
/// ```
public struct RecordTransition<R: Record>: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// The record before; nil if it did not exist.
  public let before: R?
  /// The record after; nil if it no longer exists.
  public let after: R?
  /// The revision of this change.
  public let revision: Int

  /// Creates the change of a record.
  public init(_ number: Int, from before: R?, to after: R?, revision: Int) {
    self.number = number
    self.before = before
    self.after = after
    self.revision = revision
  }

  /// Whether anything about the record changed.
  public var isChange: Bool {
    switch (before, after) {
    case (let before?, let after?): before != after
    case (nil, nil): false
    default: true
    }
  }

  /// The names of the fields that differ before and after, in the order of their declaration,
  /// without fixed ones; a record that does not exist has the values of a new one.
  public var changedFields: [String] {
    (after ?? R()).differences(from: before ?? R()).subtracting(R._table.all(.fixed))
      .map { "\(R._table.fields[$0].name)" }
  }

  /// The stored record after the change; nil if it no longer exists.
  public var kept: Kept<R>? { after.map { Kept(number, $0, revision: revision) } }
}
