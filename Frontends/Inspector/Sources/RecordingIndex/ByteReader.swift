import Foundation

/// Reads the bytes of a line from left to right.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  /// The index of the next byte.
  private(set) var index: Int

  /// - Parameters:
  ///   - bytes: The bytes, which must outlive the reader.
  ///   - index: The first to read.
  init(_ bytes: UnsafeRawBufferPointer, at index: Int = 0) {
    self.bytes = bytes
    self.index = index
  }

  /// The next byte; nil at the end.
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Reads this text, if it comes next.
  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - index >= count, let start = bytes.baseAddress,
      memcmp(start + index, text.utf8Start, count) == 0
    else { return false }
    index += count
    return true
  }

  /// Reads a whole number, which may be negative; nil if none comes next, or it is too large.
  mutating func takeInteger() -> Int64? {
    let isNegative = next == UInt8(ascii: "-")
    if isNegative { index += 1 }
    guard let magnitude = takeNumber(), let value = Int64(exactly: magnitude) else { return nil }
    return isNegative ? -value : value
  }

  /// Reads a whole number from 0; nil if none comes next, or it is too large.
  mutating func takeNumber() -> UInt64? {
    let start = index
    var value: UInt64 = 0
    while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(UInt64(byte &- 48))
      guard !isTooLarge, !isLarger else { return nil }
      value = sum
      index += 1
    }
    return index > start ? value : nil
  }

  /// Reads a JSON string, and returns its contents as they are written; nil if none comes next.
  mutating func takeString() -> UnsafeRawBufferPointer? {
    guard next == UInt8(ascii: "\"") else { return nil }
    let start = index + 1
    var end = start
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\\"): end += 2
      case UInt8(ascii: "\""):
        index = end + 1
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      default: end += 1
      }
    }
    return nil
  }

  /// Passes over a JSON value of any kind, which need not be valid inside; false if it has no end.
  mutating func skipValue() -> Bool {
    var depth = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard takeString() != nil else { return false }
        if depth == 0 { return true }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return true }
        depth -= 1
        if depth == 0 {
          index += 1
          return true
        }
      case UInt8(ascii: ","):
        if depth == 0 { return true }
      default: break
      }
      index += 1
    }
    return depth == 0
  }

  /// Reads the members of a JSON object that comes next.
  ///
  /// - Parameter body: Called at each value with its name as it is written; it passes over the
  ///   value, or leaves it.
  /// - Returns: False if no object comes next, or it has no end.
  mutating func takeObject(
    _ body: (_ name: UnsafeRawBufferPointer, _ value: inout ByteReader) -> Void
  ) -> Bool {
    guard take("{") else { return false }
    if take("}") { return true }
    repeat {
      guard let name = takeString(), take(":") else { return false }
      var value = self
      body(name, &value)
      guard skipValue() else { return false }
    } while take(",")
    return take("}")
  }

  /// Reads the elements of a JSON array that comes next.
  ///
  /// - Parameter body: Called at each element; it passes over it, or leaves it.
  /// - Returns: False if no array comes next, or it has no end.
  mutating func takeArray(_ body: (_ element: inout ByteReader) -> Void) -> Bool {
    guard take("[") else { return false }
    if take("]") { return true }
    repeat {
      var element = self
      body(&element)
      guard skipValue() else { return false }
    } while take(",")
    return take("]")
  }
}

extension UnsafeRawBufferPointer {
  /// Whether they are this text.
  func isText(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    guard let baseAddress else { return true }
    return memcmp(baseAddress, text.utf8Start, count) == 0
  }
}
