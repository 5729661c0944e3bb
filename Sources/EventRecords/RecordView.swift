public import EventCommands
public import EventMVVM
public import JSONText

/// A record as views get to see it: an object with its number as `id`, its fields in the order in
/// which they are declared, what else is shown, and its `revision`.
///
/// What the record does not have is null, so that a program need not know what could be there. A
/// field of the name `id` or `revision` gives way. A view that shows several has them in an array.
public struct RecordView<R: Record>: Sendable, Equatable, Encodable {
  /// The record.
  public let record: Kept<R>
  /// What time it is for the user; nil if nothing that is shown depends on it.
  public let time: CivilMinute?

  /// Shows a record.
  ///
  /// - Parameters:
  ///   - record: The record, as it is kept.
  ///   - turn: The turn in which it is shown.
  public init(_ record: Kept<R>, _ turn: borrowing Turn) {
    self.record = record
    time = turn.zone.civil(at: turn.time)
  }

  /// Shows a record of a kind of which nothing that is shown depends on the time.
  public init(_ record: Kept<R>) {
    self.record = record
    time = nil
  }

  /// Its number.
  public var number: Int { record.number }
  /// The record itself.
  public var value: R { record.value }

  /// Writes the object.
  ///
  /// - Throws: Which field can't be written, and why.
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
  ///   - time: What time it is for the user; nil if nothing that is shown depends on it.
  ///   - json: The text.
  /// - Throws: Which field can't be written, and why.
  @inlinable
  public func writeView(at time: CivilMinute? = nil, to json: inout JSONWriter) throws {
    try json.object { json in
      json.member("id", number)
      try value.withFields { try R._table.writeShown($0, at: time, to: &json) }
      json.member("revision", revision)
    }
  }
}
