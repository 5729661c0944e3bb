public import EventMVVM
public import EventValues
public import JSONText

/// A record in the form for views: an object with its number as `id`, its fields in the order of
/// their declaration, the other shown values, and its `revision`.
///
/// Absent values are null, so that the members are always the same. A field with the name `id` or
/// `revision` is omitted. A view that shows several has them in an array.
///
/// ```swift
/// struct SampleView: RecordResult {
///   let records: [RecordView<Sample>]
///   let isList: Bool
/// ```
public struct RecordView<R: Record>: Sendable, Equatable, Encodable {
  /// The record.
  public let record: Kept<R>
  /// The user's local time; nil if no shown value depends on it.
  public let time: CivilMinute?

  /// Creates the view of a record.
  ///
  /// - Parameters:
  ///   - record: The stored record.
  ///   - turn: The turn in which it is shown.
  public init(_ record: Kept<R>, _ turn: borrowing Turn) {
    self.init(record, at: Self.time(turn))
  }

  /// Creates the view of a record at a time, as ``time(_:)`` gave it.
  package init(_ record: Kept<R>, at time: CivilMinute?) {
    (self.record, self.time) = (record, time)
  }

  /// Returns the user's local time; nil if no shown value depends on it.
  package static func time(_ turn: borrowing Turn) -> CivilMinute? {
    R._table.isTimed ? turn.zone.civil(at: turn.time) : nil
  }

  /// Creates the view of a record, at the time of an event that is answered later.
  public init(_ record: Kept<R>, _ turn: AsyncTurn) {
    self.record = record
    time = R._table.isTimed ? turn.zone.civil(at: turn.envelope.time) : nil
  }

  /// Creates the view of a record in a transaction.
  public init(_ record: Kept<R>, _ store: borrowing RecordTransaction) {
    self.init(record, at: R._table.isTimed ? store.now : nil)
  }

  /// Creates the view of a record whose shown values don't depend on the time.
  public init(_ record: Kept<R>) {
    self.record = record
    time = nil
  }

  /// Its number.
  public var number: Int { record.number }
  /// The revision that is shown.
  public var revision: Int { record.revision }
  /// The record itself.
  public var value: R { record.value }

  /// Writes the object.
  ///
  /// - Throws: An error that names the unwritable field, and why.
  @inlinable
  public func write(to json: inout JSONWriter) throws {
    try record.writeView(at: time, to: &json)
  }

  /// Writes the object.
  public func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    try write(to: &json)
    try encoder.embed(json.bytes)
  }
}

extension Kept {
  /// Writes the object that a ``RecordView`` of it writes.
  ///
  /// - Parameters:
  ///   - time: The user's local time; nil if no shown value depends on it.
  ///   - json: The writer.
  /// - Throws: An error that names the unwritable field, and why.
  @inlinable
  public func writeView(at time: CivilMinute? = nil, to json: inout JSONWriter) throws {
    try json.object { json in
      json.member("id", number)
      try value.withFields { try R._table.writeShown($0, at: time, to: &json) }
      json.member("revision", revision)
    }
  }
}
