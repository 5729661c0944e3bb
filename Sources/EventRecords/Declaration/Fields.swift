/// The fields of a record, named once: what is stored, compared, merged, undone and shown follows from them.
///
/// A name is that of the field in the store, in the history, in conflicts and in JSON. To give a property
/// another name is safe, to give a field another one is not: what was stored before has it under the old one.
///
/// ```swift
/// static let fields = Fields<Self>("sample")
///   .field("title", \.title)
///   .field("status", \.status)
///   .field("city", \.origin.city)
/// ```
///
/// Key paths are taken for where in the record a property lies. The methods are inlined for that, so that
/// optimised code makes no key path when a process starts. Only stored properties will do, and parts of them
/// that are stored themselves (`\.address.city`).
public struct Fields<R: Record>: Sendable {
  /// What one record is called, in the file and in errors: `note`.
  public let name: String
  @usableFromInline var table = FieldTable()

  /// A record of a name, without fields as yet.
  public init(_ name: String) { self.name = name }

  /// Adds a field.
  ///
  /// - Parameters:
  ///   - name: Its name, which needs no escape in JSON; no other field of the record has it.
  ///   - path: The stored property, or a stored part of one.
  /// - Returns: The fields with this one behind them.
  @inlinable
  @inline(__always)
  public func field<Value: FieldValue>(
    _ name: StaticString,
    _ path: WritableKeyPath<R, Value>
  ) -> Self {
    adding(name, MemoryLayout<R>.offset(of: path), Value.self)
  }

  @usableFromInline
  func adding(_ name: StaticString, _ offset: Int?, _ type: any FieldValue.Type) -> Self {
    guard let offset else {
      preconditionFailure("the field '\(name)' of \(R.self) is no stored property")
    }
    var result = self
    result.table.append(Field(name: name, offset: offset, type: type))
    return result
  }
}
