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
  /// The text of one that was read from a recording, as its shown values are not computed again.
  @usableFromInline let text: [UInt8]?

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
    (self.record, self.time, text) = (record, time, nil)
  }

  /// Returns the user's local time; nil if no shown value depends on it.
  package static func time(_ turn: borrowing Turn) -> CivilMinute? {
    R._table.isTimed ? turn.zone.civil(at: turn.time) : nil
  }

  /// Creates the view of a record, at the time of an event that is answered later.
  public init(_ record: Kept<R>, _ turn: AsyncTurn) {
    self.init(record, at: R._table.isTimed ? turn.zone.civil(at: turn.envelope.time) : nil)
  }

  /// Creates the view of a record in a transaction.
  public init(_ record: Kept<R>, _ store: borrowing RecordTransaction) {
    self.init(record, at: R._table.isTimed ? store.now : nil)
  }

  /// Creates the view of a record whose shown values don't depend on the time.
  public init(_ record: Kept<R>) { self.init(record, at: nil) }

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
    if let text { return json.value(text: text) }
    try record.writeView(at: time, to: &json)
  }

  /// Writes an object with its number, some of its fields and its revision.
  package func write(only fields: [Field], to json: inout JSONWriter) throws {
    try json.object { json in
      json.member("id", number)
      for field in fields { try value.withFields { try field.writeShown($0, to: &json) } }
      json.member("revision", revision)
    }
  }

  /// Writes the object.
  public func encode(to encoder: any Encoder) throws {
    var json = JSONWriter()
    try write(to: &json)
    try encoder.embed(json.bytes)
  }
}

extension RecordView: Decodable {
  /// Reads the object, with the fields that it has.
  public init(from decoder: any Decoder) throws {
    let json = try (decoder as? any JSONSource).map(\.json) ?? JSON(from: decoder)
    guard let number = json["id"]?.wholeNumber, let revision = json["revision"]?.wholeNumber else {
      throw ValueError("expected a record, found \(json.found)")
    }
    record = Kept(Int(number), try R(json: json, isShown: true), revision: Int(revision))
    time = nil
    text = Array(json.description.utf8)
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
