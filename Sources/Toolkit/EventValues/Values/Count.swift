public import JSONText

/// A number of things: 0 or more.
///
/// ```swift
/// var limit: Count?
/// ```
public struct Count: CommandValue, Hashable, Codable {
  /// The number.
  public let number: Int

  /// Creates a count of a number that is not negative.
  public init(_ number: Int) {
    precondition(number >= 0, "nothing is there less than no times")
    self.number = number
  }

  /// Reads the count from a word.
  public init(word: String) throws(ValueError) {
    guard let number = Int(word), number >= 0 else {
      throw ValueError("'\(word.quotable)' is not a whole number from 0")
    }
    self.number = number
  }

  /// Reads the count from JSON.
  public init(json: JSON) throws(ValueError) {
    guard let value = json.wholeNumber, let number = Int(exactly: value), number >= 0 else {
      throw ValueError("expected an integer from 0, found \(json.description.quotable)")
    }
    self.number = number
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("N", schema: ["type": "integer", "minimum": 0])
  }
}
