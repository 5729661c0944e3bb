/// An error with the reason and the position of a refused document.
public struct JSONError: Error, Equatable, Sendable {
  /// The position of the fault, in bytes from the start of the document.
  ///
  /// It equals the length of the document when that ended too early.
  public var offset: Int

  /// The line of the fault, counted from 1; a line feed ends a line.
  public var line: Int

  /// The column of the fault in its line, in Unicode scalars counted from 1.
  public var column: Int

  /// What was expected and what was found, as a phrase without a full stop.
  public var message: String

  /// Describes a fault.
  public init(offset: Int, line: Int, column: Int, message: String) {
    self.offset = offset
    self.line = line
    self.column = column
    self.message = message
  }
}

extension JSONError {
  /// How the message of a member that occurs twice begins.
  static let duplicateMember = "duplicate member"

  /// Whether the fault is a member that occurs twice, which RFC 8259 §4 only discourages.
  package var isDuplicateMember: Bool { message.starts(with: Self.duplicateMember) }
}

extension JSONError: CustomStringConvertible {
  /// The position and the message, such as "line 1, column 2: expected a value, found ']'".
  public var description: String { "line \(line), column \(column): \(message)" }
}
