public import JSONText

/// The change of one of the things that a step changed.
///
/// ```swift
/// SubjectChange(
///   id: 1,
///   title: "A",
///   kind: .changed,
///   fields: [
///     FieldChange("title", from: "B", to: "A"), FieldChange("count", from: 4, to: 1),
///   ]
/// )
/// ```
public struct SubjectChange: Sendable, Equatable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Codable {
    /// It did not exist before.
    case added
    /// Some of its fields have other values.
    case changed
    /// It no longer exists.
    case removed
  }

  /// Its number.
  public let id: Int
  /// Its current title.
  public let title: String
  /// The kind of change.
  public let kind: Kind
  /// The changed fields; for an added thing those that differ from a new one.
  public let fields: [FieldChange]

  /// Creates a change.
  public init(id: Int, title: String, kind: Kind, fields: [FieldChange]) {
    self.id = id
    self.title = title
    self.kind = kind
    self.fields = fields
  }
}

/// A field's value before a change and after it.
///
/// ```swift
/// entries[1].changes[0].fields == [FieldChange("note", from: .null, to: "n")]
/// ```
public struct FieldChange: Sendable, Equatable, Codable {
  /// The field, under its name in JSON.
  public let name: String
  /// Its value before.
  public let before: JSON
  /// Its value after.
  public let after: JSON
  /// Whether its values are times: instants, or days and minutes without a zone.
  public let isTime: Bool
  /// Nil unless true; missing in recordings of earlier versions.
  private let ordersManually: Bool?

  /// Whether its values are places in the manual order, which say nothing to a person.
  public var isPlace: Bool { ordersManually ?? false }

  /// Creates a change of a field.
  public init(
    _ name: String,
    from before: JSON,
    to after: JSON,
    isTime: Bool = false,
    isPlace: Bool = false
  ) {
    self.name = name
    self.before = before
    self.after = after
    self.isTime = isTime
    ordersManually = isPlace ? true : nil
  }
}
