import EventMVVMTesting
import JSONText
import Testing

@Suite(.hangLimit) struct RoundTripTests {
  @Test(
    arguments: AcceptedTests.structures + AcceptedTests.numbers + AcceptedTests.plainStrings
      + AcceptedTests.escapedStrings
  )
  func `what is written reads back as the same value`(document: Accepted) throws {
    #expect(try JSON(parsing: document.value.description) == document.value)
  }

  @Test func `every character but U+0000 reads back`() throws {
    var text = ""
    for scalar in (1...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      text.unicodeScalars.append(scalar)
    }
    let value = try JSON(parsing: JSON.string(text).description)
    #expect(value == .string(text))
  }

  @Test func `every character of the basic plane can be escaped`() throws {
    var wrong: [UInt32] = []
    for scalar in (1...0xFFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let digits = String(scalar.value + 0x10000, radix: 16).dropFirst()
      let value = try JSON(parsing: "\"\\u\(digits)\"")
      if value != .string(String(scalar)) { wrong.append(scalar.value) }
    }
    #expect(wrong == [])
  }

  @Test func `reals of all magnitudes read back`() throws {
    var generator = Chance(1)
    for _ in 0..<5000 {
      let real = Double(bitPattern: generator.next())
      guard real.isFinite else { continue }
      #expect(try JSON(parsing: JSON.real(real).description) == .real(real))
    }
  }

  @Test func `integers of all magnitudes read back`() throws {
    var generator = Chance(2)
    for shift in 0..<5000 {
      let integer = Int64(bitPattern: generator.next()) >> (shift % 64)
      #expect(try JSON(parsing: JSON.integer(integer).description) == .integer(integer))
    }
  }

  @Test func `a large array reads back`() throws {
    let value = JSON.array((0..<50_000).map { [.integer($0), [], ["n": .real(Double($0))]] })
    let text = value.description
    #expect(text.utf8.count == 1_227_781)
    #expect(try JSON(parsing: text) == value)
  }

  @Test func `a large object reads back`() throws {
    let value = JSON.object((0..<20_000).map { JSON.Member("name \($0)", .integer($0)) })
    #expect(try JSON(parsing: value.description) == value)
  }

  @Test func `a long string reads back`() throws {
    let text = String(repeating: "0123456789\n\"€\"", count: 100_000)
    #expect(try JSON(parsing: JSON.string(text).description) == .string(text))
  }

  @Test func `a long number is read or refused`() throws {
    let digits = String(repeating: "9", count: 1_000_000)
    #expect(try JSON(parsing: "0.\(digits)") == 1.0)
    #expect(refusal(of: digits)?.hasPrefix("line 1, column 1: integer out of range") == true)
    #expect(refusal(of: "\(digits).0")?.hasPrefix("line 1, column 1: real out of range") == true)
    #expect(refusal(of: "1e\(digits)")?.hasPrefix("line 1, column 1: real out of range") == true)
    #expect(try JSON(parsing: "1e-\(digits)") == 0.0)
  }
}
