public import JSONText

/// The change of one of the things that a step changed.
public struct SubjectChange: Sendable, Equatable, Codable {
  /// The kind of change.
  public enum Kind: String, Sendable, Codable {
    /// It was not there before.
    case added
    /// Some of its fields have other values.
    case changed
    /// It is not there any more.
    case removed
  }

  /// Its number.
  public let id: Int
  /// What it is called now.
  public let title: String
  /// The kind of change.
  public let kind: Kind
  /// The fields that have other values; for what was added, those that are not as in a fresh one.
  public let fields: [FieldChange]

  /// Describes a change.
  public init(id: Int, title: String, kind: Kind, fields: [FieldChange]) {
    self.id = id
    self.title = title
    self.kind = kind
    self.fields = fields
  }
}

/// A field's value before a change and after it.
public struct FieldChange: Sendable, Equatable, Codable {
  /// The field, under its name in JSON.
  public let name: String
  /// Its value before.
  public let before: JSON
  /// Its value after.
  public let after: JSON
  /// Whether its values are times: instants, or days and minutes without a zone.
  public let isTime: Bool

  /// Describes a change of a field.
  public init(_ name: String, from before: JSON, to after: JSON, isTime: Bool = false) {
    self.name = name
    self.before = before
    self.after = after
    self.isTime = isTime
  }
}
