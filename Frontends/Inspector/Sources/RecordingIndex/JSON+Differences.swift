import JSONText

extension JSON {
  /// Returns how two values differ, each difference as the path of its place with both values.
  ///
  /// Identities and times differ in any two runs: they are not compared.
  func differences(from other: JSON, at place: String = "body") -> [String] {
    switch (self, other) {
    case (.object(let left), .object(let right)):
      let gone = right.filter { member in !left.contains { $0.name == member.name } }
        .map { "\(place).\($0.name): nothing | \($0.value.brief)" }
      return gone
        + left.flatMap { member -> [String] in
          let inner = "\(place).\(member.name)"
          guard let value = other[member.name] else {
            return ["\(inner): \(member.value.brief) | nothing"]
          }
          return member.value.differences(from: value, at: inner)
        }
    case (.array(let left), .array(let right)) where left.count == right.count:
      return zip(left, right).enumerated()
        .flatMap { $1.0.differences(from: $1.1, at: "\(place)[\($0)]") }
    case (.array(let left), .array(let right)):
      return ["\(place): \(left.count) elements | \(right.count)"]
    case (.string(let left), .string(let right)) where left.isRunSpecific && right.isRunSpecific:
      return []
    default:
      return self == other ? [] : ["\(place): \(brief) | \(other.brief)"]
    }
  }

  private var brief: String {
    let text = description
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}

extension String {
  /// Whether it is a UUID or an instant.
  fileprivate var isRunSpecific: Bool {
    let bytes = Array(utf8)
    switch bytes.count {
    case 36:
      return bytes.enumerated()
        .allSatisfy { place, byte in
          [8, 13, 18, 23].contains(place)
            ? byte == UInt8(ascii: "-") : byte.isDigit || 97...102 ~= byte
        }
    case 20...27:
      // 2026-11-25T21:32:27.087Z
      return bytes[10] == UInt8(ascii: "T") && bytes.last == UInt8(ascii: "Z")
        && bytes[..<4].allSatisfy(\.isDigit) && bytes[11..<13].allSatisfy(\.isDigit)
    default: return false
    }
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { 48...57 ~= self }
}
