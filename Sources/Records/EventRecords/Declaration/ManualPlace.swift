public import EventValues
public import JSONText

/// The place of a record in a manual order (S62); greater places come first.
///
/// A record that was never moved has none, and is sorted by its number, so that new ones come
/// first. One that was moved is somewhere between two others: after a number, by a fraction whose
/// digits are compared one by one. There is always another fraction between two, so that a move
/// changes the moved record and no other one. Fractions grow by a digit for about every five moves
/// into the same ever smaller gap.
///
/// A field of this type is an optional, and indexed; ``RecordWrite/move(_:_:of:in:seen:)`` gives
/// places, and ``Query/sorted(manuallyBy:descending:)`` sorts by them.
///
/// ```swift
/// let (three, four) = (ManualPlace(number: 3), ManualPlace(number: 4))
/// let between = try #require(ManualPlace.between(three, four))
/// #expect(between.text == "3.V")
/// ```
public struct ManualPlace: Sendable, Hashable {
  /// The number above which it is.
  public let number: Int
  /// The distance above it: digits to base 62, the last of which is not 0; empty means at the
  /// number itself.
  public let fraction: String

  /// The most digits of a fraction.
  public static let mostDigits = 4096

  /// Creates the place of a record that was never moved.
  public init(number: Int) {
    self.number = number
    fraction = ""
  }

  private init(number: Int, fraction: [UInt8]) {
    self.number = number
    self.fraction = String(decoding: fraction.map { Self.digits[Int($0)] }, as: UTF8.self)
  }

  /// Reads `42.V`.
  public init?(text: String) {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
    let (whole, fraction) = (text.utf8[..<point], text.utf8[text.utf8.index(after: point)...])
    guard whole.count <= 19, whole.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(Substring(whole))), !fraction.isEmpty,
      fraction.allSatisfy({ Self.value(of: $0) != nil }), fraction.last != UInt8(ascii: "0")
    else { return nil }
    self.number = number
    self.fraction = String(Substring(fraction))
  }

  /// The place as text: `42.V`.
  public var text: String { "\(number).\(fraction)" }

  /// Returns a place strictly between two others.
  ///
  /// - Parameters:
  ///   - lower: The place below; nil means below all.
  ///   - upper: The place above, which is greater; nil means above all existing ones.
  /// - Returns: The place; nil if it would need too many digits.
  public static func between(_ lower: ManualPlace?, _ upper: ManualPlace?) -> ManualPlace? {
    let lower = lower ?? ManualPlace(number: 0)
    let ceiling = upper.flatMap { $0.number == lower.number ? $0.fraction : nil }
    let fraction = between(values(lower.fraction), ceiling.map(values))
    guard fraction.count <= mostDigits else { return nil }
    return ManualPlace(number: lower.number, fraction: fraction)
  }

  /// Returns the digits of a fraction halfway between two; without an upper one, below 1.
  private static func between(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    var upper = upper
    while true {
      let index = result.count
      let low = index < lower.count ? lower[index] : 0
      let high = upper.map { index < $0.count ? $0[index] : 0 } ?? UInt8(digits.count)
      if high > low + 1 {
        result.append((low + high) / 2)
        return result
      }
      // Once the digits differ, the following digits have no upper limit.
      if high != low { upper = nil }
      result.append(low)
    }
  }

  private static let digits = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8
  )

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 36
    default: nil
    }
  }

  private static func values(_ fraction: String) -> [UInt8] {
    fraction.utf8.compactMap(value)
  }
}

extension ManualPlace: Comparable {
  /// Compares by the number, then by the digits from the first one on.
  public static func < (first: ManualPlace, second: ManualPlace) -> Bool {
    guard first.number == second.number else { return first.number < second.number }
    return first.fraction.utf8.lexicographicallyPrecedes(second.fraction.utf8)
  }
}

extension ManualPlace: FieldValue {
  /// Reads `42.V`.
  public init(field json: JSON) throws {
    guard case .string(let text) = json, let place = ManualPlace(text: text) else {
      throw ValueError("expected a place, found \(json.kind)")
    }
    self = place
  }

  /// Writes `42.V`.
  public func writeField(to json: inout JSONWriter) { json.value(text) }

  /// Reads the stored form of a place.
  public init(stored: StoredValue) throws {
    let text = try String(stored: stored)
    guard text.utf8.count > 19 else { throw ValueError("'\(text)' is no place") }
    let point = text.utf8.index(text.utf8.startIndex, offsetBy: 19)
    let plain = String(Substring(text.utf8[..<point])) + "." + Substring(text.utf8[point...])
    guard let place = ManualPlace(text: plain) else { throw ValueError("'\(text)' is no place") }
    self = place
  }

  /// The number in nineteen digits, and the fraction: texts sort as places do.
  public var stored: StoredValue {
    let digits = String(number)
    return .text(String(repeating: "0", count: 19 - digits.count) + digits + fraction)
  }
}

extension ManualPlace: Codable {
  /// Writes `42.V`.
  public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

  /// Reads `42.V`.
  public init(from decoder: any Decoder) throws {
    try self.init(field: .string(String(from: decoder)))
  }
}

/// The side of another record on which a record is placed.
///
/// ```swift
/// let list = try List(kind, of: 5)
/// #expect(try list.order() == [5, 4, 3, 2, 1])
/// try list.move(1, .before, 4)
/// #expect(try list.order() == [5, 1, 4, 3, 2])
/// ```
public enum ManualSide: String, Sendable, Equatable, CaseIterable, Codable {
  /// Right above it.
  case before
  /// Right below it.
  case after
}

extension ManualSide: Choice {}
