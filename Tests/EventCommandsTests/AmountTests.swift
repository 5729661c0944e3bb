import EventCommands
import EventMVVMTesting
import EventValues
import Foundation
import JSONText
import Testing

@Suite(.hangLimit) struct AmountTests {
  @Test(
    arguments: [
      ("4", 400), ("4.20", 420), ("0.05", 5), ("0", 0), ("9999999999.99", 999_999_999_999),
    ])
  func `an amount is read and written`(_ word: String, _ hundredths: Int) throws {
    let amount = try Amount(word: word)
    #expect(amount.hundredths == hundredths)
    #expect(try Amount(word: amount.text) == amount)
    #expect(try Amount(json: .string(word)) == amount)
  }

  @Test(arguments: [
    "", ".", "4.", ".5", "4.2", "4.200", "-1", "+1", "1,20", "12345678901", "1.-1", "٣",
  ])
  func `what is no amount says what one is like`(_ word: String) {
    #expect(
      throws: ValueError("'\(word)' is no amount, such as 4 or 4.20: it has two decimals or none")
    ) {
      try Amount(word: word)
    }
  }

  @Test func `a sum is exact, and what is owed is negative`() {
    let sum = (0..<10).reduce(Amount(hundredths: 0)) { sum, _ in sum + Amount(hundredths: 10) }
    #expect(sum.text == "1.00")
    #expect((Amount(hundredths: 5) * -1).text == "-0.05")
    #expect(Amount(hundredths: -120).text == "-1.20")
    #expect(Amount(hundredths: 1) < Amount(hundredths: 2))
  }

  @Test func `what is too large is the largest, and nothing traps`() throws {
    let most = Amount(hundredths: .max)
    #expect(most + most == most)
    #expect(most * 3 == most)
    #expect((most * -3).text == "-92233720368547758.07")
    #expect(Amount(hundredths: .min) + Amount(hundredths: .min) == most * -1)
  }

  @Test(arguments: [0, 5, -5, 100, -12_345, Int.max, Int.min])
  func `what is written is read again, whatever it is`(_ hundredths: Int) throws {
    let amount = Amount(hundredths: hundredths)
    let data = try JSONEncoder().encode([amount])
    #expect(try JSONDecoder().decode([Amount].self, from: data) == [amount])
  }

  @Test(arguments: [
    #"["1"]"#, #"["1.5"]"#, #"["+1.00"]"#, #"["01.00"]"#, #"[1.00]"#, #"["1.00.0"]"#,
  ])
  func `what nobody has written is not read`(_ text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([Amount].self, from: Data(text.utf8))
    }
  }
}
