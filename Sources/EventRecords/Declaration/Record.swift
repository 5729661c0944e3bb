public import EventMVVM
import JSONText

/// A value with fields that a domain stores, identified among others of its kind by a number.
///
/// The declaration of its fields is all that storing it takes: each is a line in the history and in
/// a conflict, and is merged and undone by itself. A field that was never written has the value
/// that a new record has in it: what is added later needs no migration.
///
/// ```swift
/// /// A note, as it is kept.
/// struct Note: Record {
///   var title = ""
///   static let fields = Fields<Self>("note").field("title", \.title)
/// }
/// ```
public protocol Record: Codable, Sendable, Equatable {
  /// A record whose fields have the values that a field has where it was never written: the same
  /// ones in every process, and nil in an optional.
  init()
  /// What a record is called, and its fields.
  static var fields: Fields<Self> { get }
  /// What it is called in the history.
  var title: String { get }
  /// Whether completion suggests it; it does unless declared.
  var isSuggested: Bool { get }
  /// Checks a requested change, as it would be stored: merged with what was changed meanwhile.
  ///
  /// An undo is not checked, nor what another process has stored.
  ///
  /// - Parameter change: The record before, nil if it is new, and after.
  /// - Throws: Why it may not be; then nothing is written.
  static func check(_ change: RecordTransition<Self>) throws(Failure)
  /// What can be counted of a change; see `Measure`.
  ///
  /// - Parameters:
  ///   - before: What it was; nil if it was not there.
  ///   - after: What it is; nil if it no longer exists.
  ///   - time: When.
  /// - Returns: The measures; none unless declared.
  static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure]

  // A requirement so that code that knows the record only by this protocol need not make the type
  // of its fields, which takes a process 300 000 instructions.
  static var _table: FieldTable { get }
  // Likewise so that there is code of its own for each type, where many are read.
  static func _read(
    _ row: any RecordRow,
    _ table: FieldTable,
    into records: inout [Kept<Self>]
  ) throws
}

extension Record {
  /// What one is called, in the file and in errors.
  public static var kind: String { _table.kind }

  /// The fields, as loops want them.
  @inlinable public static var _table: FieldTable { fields.table }

  /// Reads a row.
  ///
  /// - Throws: That the record is damaged.
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

  /// Anything may be.
  public static func check(_ change: RecordTransition<Self>) throws(Failure) {}

  /// Completion suggests it.
  public var isSuggested: Bool { true }

  /// Nothing is counted.
  public static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure] {
    []
  }

  /// Whether all fields are equal, texts byte for byte.
  @inlinable
  public static func == (first: Self, second: Self) -> Bool {
    withUnsafeBytes(of: first) { first in
      withUnsafeBytes(of: second) { _table.areIdentical(first.baseAddress, $0.baseAddress) }
    }
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

  /// Stops the program if a field could not be stored as it may be.
  static func checkDeclaration() {
    let name = Self().withFields { _table.optionalWithValue($0) }
    precondition(name == nil, "an optional field of '\(kind)' is not nil in a new record")
  }

  /// Writes the fields as an object.
  ///
  /// - Throws: Which one can't be written, and why.
  func write(to json: inout JSONWriter) throws {
    try withFields { try Self._table.write($0, to: &json) }
  }

  /// Reads an object.
  ///
  /// - Throws: Which field can't be read, and why.
  init(json: JSON) throws {
    self.init()
    _ = try withMutableFields { try Self._table.read(json, into: $0) }
  }
}

extension Record {
  /// Gives it what was made of an earlier state of it: the fields that were changed.
  ///
  /// Of a set it gets what was added, without what was removed. Other fields that have changed
  /// since stay.
  ///
  /// - Parameters:
  ///   - wanted: The edited state.
  ///   - base: The earlier state.
  /// - Returns: The names of the fields that were changed to another value since, and have that of
  ///   `wanted` now.
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

  /// Gives it some fields of another state of it, over its own.
  mutating func copy(_ fields: FieldSet, from other: Self) {
    guard !fields.isEmpty else { return }
    withMutableFields { record in
      other.withFields { Self._table.copy(fields, from: $0, to: record) }
    }
  }
}

/// A record as it is kept.
public struct Kept<R: Record>: Sendable, Equatable, Codable {
  /// Its number among all records; never given to another.
  public let number: Int
  /// The revision of the store at its last change.
  public let revision: Int
  /// The record.
  public var value: R

  /// Describes a record that is kept.
  @inlinable
  public init(_ number: Int, _ value: R, revision: Int) {
    self.number = number
    self.revision = revision
    self.value = value
  }
}

/// The change of a record.
public struct RecordTransition<R: Record>: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// What it was; nil if it was not there.
  public let before: R?
  /// What it is; nil if it no longer exists.
  public let after: R?
  /// The revision that this has made.
  public let revision: Int

  /// Describes the change of a record.
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
  /// without those that never change; a record that is not there has the values of a new one.
  public var changedFields: [String] {
    (after ?? R()).differences(from: before ?? R()).subtracting(R._table.all(.fixed))
      .map { "\(R._table.fields[$0].name)" }
  }

  /// The record as it is kept now; nil if it no longer exists.
  public var kept: Kept<R>? { after.map { Kept(number, $0, revision: revision) } }
}
