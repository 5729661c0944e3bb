import EventMVVM
import JSONText

/// An amount with two decimals, such as one of money: `4.20`.
///
/// It is kept in whole hundredths, so that sums are exact.
public struct Amount: CommandValue, Hashable, Comparable, Codable {
  /// The largest that can be read: a milliard.
  private static let longest = 10
  /// The hundredths.
  public let hundredths: Int

  /// An amount of so many hundredths.
  public init(hundredths: Int) {
    self.hundredths = hundredths
  }

  /// Reads `4` or `4.20`.
  public init(word: String) throws(ValueError) {
    let parts = word.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      (1...Self.longest).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isNumber, parts.count == 1 || parts.count == 2 && parts[1].count == 2,
      let whole = Int(Substring(parts[0])),
      let rest = parts.count == 2 ? Int(Substring(parts[1])) : 0
    else { throw ValueError("'\(word.quotable)' is no amount, such as 4 or 4.20") }
    hundredths = whole * 100 + rest
  }

  /// How it is written.
  public var text: String {
    let rest = abs(hundredths) % 100
    return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest / 10)\(rest % 10)"
  }

  /// What its values look like.
  public static var shape: ValueShape {
    ValueShape("AMOUNT", explanation: ["A number with two decimals or none: 4.20 or 4."])
  }

  /// Whether one is less than another.
  public static func < (first: Amount, second: Amount) -> Bool {
    first.hundredths < second.hundredths
  }

  /// The amount so many times.
  public static func * (amount: Amount, number: Int) -> Amount {
    Amount(hundredths: amount.hundredths * number)
  }

  /// Both together.
  public static func + (first: Amount, second: Amount) -> Amount {
    Amount(hundredths: first.hundredths + second.hundredths)
  }

  /// Writes its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Reads its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try Amount(word: try container.decode(String.self))
    } catch let error as ValueError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }
}
