import EventMVVMTesting
import JSONText
import Testing

@Suite(.hangLimit) struct DamagedTests {
  private static let document = Array(
    #"""
    {"id": 12, "name": "a\n\u00e9\ud83d\ude00é€", "list": [1, -2.5e+3, true, false, null, {}, []],
     "inner": {"a": {"b": [[], [{"c": 0.125}]]}}, "last": "\"\\\/"}
    """#
    .utf8
  )

  @Test func `a document cut short is refused`() {
    let accepted = Self.document.indices.filter { refusal(of: Array(Self.document[..<$0])) == nil }
    #expect(accepted == [])
    #expect(refusal(of: Self.document) == nil)
  }

  @Test func `a damaged document is refused or reads back`() throws {
    var generator = Chance(3)
    for _ in 0..<10_000 {
      let damaged = damage(Self.document, with: &generator)
      guard let value = try? JSON(parsing: damaged) else { continue }
      #expect(try JSON(parsing: value.description) == value)
    }
  }

  @Test func `only digits are documents of one byte`() {
    let accepted = (0...255 as ClosedRange<UInt8>).filter { refusal(of: [$0]) == nil }
    #expect(accepted == Array("0123456789".utf8))
  }

  @Test func `few documents of two bytes are accepted`() {
    var accepted = 0
    for pair in 0..<0x10000 where refusal(of: [UInt8(pair >> 8), UInt8(pair & 0xFF)]) == nil {
      accepted += 1
    }
    // 90 integers from 10 to 99, 10 of minus and digit, 80 of a digit and one of four kinds of
    // space on either side, and three empty values.
    #expect(accepted == 90 + 10 + 80 + 3)
  }

  @Test func `a string is accepted when its bytes are well-formed`() {
    let edges: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED,
      0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var wrong: [[UInt8]] = []
    for first in edges {
      for second in edges {
        for third in edges {
          for fourth in [0x41, 0x80, 0xBF, 0xC2] as [UInt8] {
            let bytes = [first, second, third, fourth]
            let accepted = refusal(of: [0x22] + bytes + [0x22]) == nil
            if accepted != (String(validating: bytes, as: UTF8.self) != nil) { wrong.append(bytes) }
          }
        }
      }
    }
    #expect(wrong == [])
  }

  /// Changes, removes or repeats a few bytes.
  private func damage(_ bytes: [UInt8], with generator: inout Chance) -> [UInt8] {
    let marks =
      Array(#"{}[]",:\u0159.eE+-tfn /"#.utf8) + [0x00, 0x0A, 0x7F, 0x80, 0xC3, 0xED, 0xF4]
    var damaged = bytes
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let index = Int.random(in: damaged.indices, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: damaged.remove(at: index)
      case 1: damaged.insert(damaged[index], at: index)
      case 2: damaged[index] = marks.randomElement(using: &generator) ?? 0
      default: damaged.insert(marks.randomElement(using: &generator) ?? 0, at: index)
      }
    }
    return damaged
  }
}
