import EventCommands
import EventMVVM
import JSONText

/// A field: its name, where in its record it lies, and what it is made of.
@usableFromInline
struct Field: Sendable {
  let name: StaticString
  let offset: Int
  let type: any FieldValue.Type

  func has(name other: String) -> Bool {
    var other = other
    return other.withUTF8 { isNamed($0) }
  }

  func hasName(of other: Field) -> Bool { other.name.withUTF8Buffer { isNamed($0) } }

  private func isNamed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(bytes) }
  }
}

/// The fields of a record, as loops want them: no code here is made anew for each type of record.
///
/// Addresses of records are handled here and in ``FieldValue``, nowhere else. Each is that of a whole record for as
/// long as the call takes, and ``Fields/field(_:_:)`` took the offsets from the record's own layout with the types
/// that lie there.
@usableFromInline
struct FieldTable: Sendable {
  private(set) var fields: [Field] = []

  @usableFromInline init() {}

  mutating func append(_ field: Field) {
    precondition(
      !fields.contains { $0.hasName(of: field) },
      "two fields are called '\(field.name)'"
    )
    fields.append(field)
  }

  /// A field that a new record has, and that could never be stored as absent; nil if there is none.
  func optionalWithValue(_ new: UnsafeRawPointer) -> StaticString? {
    fields.first { $0.type._isOptional && !$0.type._isAbsent(new + $0.offset) }?.name
  }

  /// Whether two records have the same fields, texts byte for byte.
  func areIdentical(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Bool {
    for field in fields
    where !field.type._areIdentical(first + field.offset, second + field.offset) {
      return false
    }
    return true
  }

  /// Writes the fields of a record as the members of an object; what it does not have is left out.
  ///
  /// - Throws: Why a value can't be written.
  func write(_ record: UnsafeRawPointer, to json: inout JSONWriter) throws {
    try json.object { json in
      for field in fields {
        let name = JSONName(stringLiteral: field.name)
        do {
          try field.type._write(record + field.offset, named: name, to: &json)
        } catch {
          throw FieldProblem(field.name, error)
        }
      }
    }
  }

  /// Reads the members of an object into a record; others than its fields are passed over.
  ///
  /// - Throws: Which field can't be read, and why.
  func read(_ json: JSON, into record: UnsafeMutableRawPointer) throws {
    guard case .object(let members) = json else {
      throw FieldProblem("expected an object, found \(json.kind)")
    }
    // Nearly always they stand in the order of the fields.
    var next = 0
    for member in members {
      guard let index = index(of: member.name, from: next) else { continue }
      let field = fields[index]
      do {
        try field.type._read(member.value, into: record + field.offset)
      } catch {
        throw FieldProblem(field.name, error)
      }
      next = index + 1
    }
  }

  private func index(of name: String, from start: Int) -> Int? {
    if start < fields.count, fields[start].has(name: name) { return start }
    return fields.firstIndex { $0.has(name: name) }
  }
}

/// Why a field can't be read or written.
struct FieldProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  init(_ name: StaticString, _ error: any Error) {
    let why = (error as? ValueError)?.message ?? "\(error)"
    self.init("'\(name)': \(why)")
  }
}
