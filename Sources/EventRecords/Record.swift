public import EventMVVM
public import EventPatterns

/// Something that a domain keeps: a value with fields, told from others of its kind by a number.
///
/// Its fields are what it encodes; each is a line in the history and is undone by itself. What is added later
/// needs a value where it is missing, as what was stored before does not have it: an optional, or an
/// `init(from:)` of its own.
///
/// ```swift
/// /// A note, as it is kept.
/// struct Note: Record {
///   static let kind = "note"
///   var title = ""
/// }
/// ```
public protocol Record: Codable, Sendable, Equatable {
  /// What one is called, in the file and in errors: `line`.
  static var kind: String { get }
  /// What it is called in the history.
  var title: String { get }
  /// What can be counted of a change; see ``Measure``.
  ///
  /// - Parameters:
  ///   - before: What it was; nil if it was not there.
  ///   - after: What it is; nil if it is not there any more.
  ///   - time: When.
  /// - Returns: The measures; none unless declared.
  static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure]
}

extension Record {
  /// Nothing is counted.
  public static func measures(from before: Self?, to after: Self?, at time: Instant) -> [Measure] {
    []
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
  public init(_ number: Int, _ value: R, revision: Int) {
    self.number = number
    self.revision = revision
    self.value = value
  }
}

/// What became of a record.
public struct RecordTransition<R: Record>: Sendable, Equatable, Codable {
  /// Its number.
  public let number: Int
  /// What it was; nil if it was not there.
  public let before: R?
  /// What it is; nil if it is not there any more.
  public let after: R?
  /// The revision that this has made.
  public let revision: Int

  /// Describes what became of a record.
  public init(_ number: Int, from before: R?, to after: R?, revision: Int) {
    self.number = number
    self.before = before
    self.after = after
    self.revision = revision
  }
}
