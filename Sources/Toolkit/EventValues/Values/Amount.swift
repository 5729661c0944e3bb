import EventMVVM
import JSONText

/// An amount with two decimals, such as one of money: `4.20`.
///
/// It is stored in whole hundredths, so that sums are exact; a value out of range becomes the
/// largest of its sign.
///
/// ```swift
/// let price = Amount(hundredths: hundredths)
/// try say(
///   RequestAddLine(title: title, price: price, quantity: Count(quantity), stock: Count(9))
/// )
/// ```
public struct Amount: CommandValue, Hashable, Comparable, Codable {
  /// How many digits can be read on either side of the point.
  private static let mostDigits = 10
  /// The hundredths.
  public let hundredths: Int

  /// Creates an amount of hundredths.
  public init(hundredths: Int) {
    self.hundredths = max(hundredths, -Int.max)
  }

  /// Reads `4` or `4.20`.
  public init(word: String) throws(ValueError) {
    let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      (1...Self.mostDigits).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isNumber, parts.count == 1 || parts.count == 2 && parts[1].count == 2,
      let whole = Int(Substring(parts[0])),
      let rest = parts.count == 2 ? Int(Substring(parts[1])) : 0
    else {
      throw ValueError(
        "'\(word.quotable)' is no amount, such as 4 or 4.20: it has two decimals or none"
      )
    }
    hundredths = whole * 100 + rest
  }

  /// The amount as it is written: `4.20`.
  public var text: String {
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    return "\(hundredths < 0 ? "-" : "")\(whole).\(rest / 10)\(rest % 10)"
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    ValueShape("AMOUNT", explanation: ["A number with two decimals or none: 4.20 or 4."])
  }

  /// Whether the first amount is less than the second.
  public static func < (first: Amount, second: Amount) -> Bool {
    first.hundredths < second.hundredths
  }

  /// Returns the amount multiplied by a number.
  public static func * (amount: Amount, number: Int) -> Amount {
    let (product, isTooLarge) = amount.hundredths.multipliedReportingOverflow(by: number)
    let isNegative = (amount.hundredths < 0) != (number < 0)
    return Amount(hundredths: isTooLarge ? (isNegative ? -Int.max : .max) : product)
  }

  /// Returns the sum of two amounts.
  public static func + (first: Amount, second: Amount) -> Amount {
    let (sum, isTooLarge) = first.hundredths.addingReportingOverflow(second.hundredths)
    return Amount(hundredths: isTooLarge ? (first.hundredths < 0 ? -Int.max : .max) : sum)
  }

  /// Encodes the ``text``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Decodes an amount from its ``text``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let digits = text.replacing(".", with: "", maxReplacements: 1)
    guard let hundredths = Int(digits), Amount(hundredths: hundredths).text == text else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(text.quotable)' is no amount"
      )
    }
    self.init(hundredths: hundredths)
  }
}
