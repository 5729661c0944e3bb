import JSONText

/// Finds the id of a request that can't be read, so that its client can identify it.
///
/// Faults inside a value are skipped: a control character, half of a surrogate pair, a number that
/// is too large, a member that occurs twice. At a fault in its own members, or in any bracket or
/// quote, it stops, as the rest may be part of any text. Takes time in proportion to the bytes.
struct IDScanner {
  /// The most bytes of `"id"`, with each letter as an escape.
  private static let longestName = 14

  private let bytes: [UInt8]
  private var index = 0
  /// The place of the last id.
  private var place: Range<Int>?

  /// Returns the id of a request; nil if it has none that can be read, or two that differ.
  static func id(in bytes: [UInt8]) -> RPCID? {
    var scanner = IDScanner(bytes: bytes)
    return scanner.id()
  }

  /// Decodes a request that can't be read for its id alone; nil if there is another reason.
  ///
  /// An id is echoed and never read, so it may be what no other value here may be: a string with
  /// U+0000, a number of any size. An object in which a member occurs twice is no id.
  static func message(in bytes: [UInt8], _ limits: JSONLimits) -> RPCMessage? {
    var scanner = IDScanner(bytes: bytes)
    let id = scanner.id()
    guard let place = scanner.place else { return nil }
    var standIn = "0"
    do throws(JSONError) {
      _ = try JSON(parsing: bytes[place])
      return nil
    } catch {
      if id == nil {
        guard error.isDuplicateMember else { return nil }
        standIn = bytes[place.lowerBound] == UInt8(ascii: "{") ? "{}" : "[]"
      }
    }
    let readable = bytes[..<place.lowerBound] + Array(standIn.utf8) + bytes[place.upperBound...]
    return (try? JSON(parsing: readable, limits: limits)).map { RPCMessage($0, id: id) }
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func id() -> RPCID? {
    guard skip("{") else { return nil }
    var found: RPCID?
    repeat {
      guard let name = string(), skip(":") else { return found }
      let isID = name.count <= Self.longestName && (try? JSON(parsing: name)) == .string("id")
      guard let value = value() else { return found }
      guard isID else { continue }
      place = value.startIndex..<value.endIndex
      guard let id = RPCID(written: value) else { return nil }
      if let found, found != id { return nil }
      found = id
    } while skip(",")
    guard skip("}") else { return found }
    skipBlanks()
    // The rest may be another request.
    return byte == nil ? found : nil
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Skips blanks and then a character; false if there is another one.
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard byte == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
  }

  /// Returns the next string, quotes included; nil if there is none, or no end of it.
  private mutating func string() -> ArraySlice<UInt8>? {
    skipBlanks()
    let start = index
    guard skip("\"") else { return nil }
    while let byte {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return bytes[start..<index] }
    }
    return nil
  }

  /// Returns the next value; nil if there is none, or no end of it.
  private mutating func value() -> ArraySlice<UInt8>? {
    skipBlanks()
    let start = index
    var closing: [UInt8] = []
    repeat {
      skipBlanks()
      switch byte {
      case nil: return nil
      case UInt8(ascii: "\"")?: guard string() != nil else { return nil }
      case UInt8(ascii: "{")?:
        closing.append(UInt8(ascii: "}"))
        index += 1
      case UInt8(ascii: "[")?:
        closing.append(UInt8(ascii: "]"))
        index += 1
      case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
        guard byte == closing.popLast() else { return nil }
        index += 1
      case UInt8(ascii: ",")?, UInt8(ascii: ":")?:
        guard !closing.isEmpty else { return nil }
        index += 1
      default: guard skipWord() else { return nil }
      }
    } while !closing.isEmpty
    return bytes[start..<index]
  }

  /// Skips a number or literal; false if it may continue after the end of the bytes.
  private mutating func skipWord() -> Bool {
    while let byte {
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
        return true
      case UInt8(ascii: "\""), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "["): return false
      default: index += 1
      }
    }
    return false
  }
}
