import EventApp
import EventCommands
import EventMVVMTesting
import EventValues
import Foundation
import Testing

/// What Foundation has is a value of a command in each program.
@Suite(.hangLimit) struct FoundationValuesTests {
  @Test func `values of Foundation are given by words`() throws {
    #expect(try URL(word: "https://example.org/a") == URL(string: "https://example.org/a"))
    #expect(throws: ValueError("'example' is not an address, such as https://example.org")) {
      try URL(word: "example")
    }
    let id = try UUID(word: "01234567-89ab-4def-8123-456789abcdef")
    #expect(id.uuidString == "01234567-89AB-4DEF-8123-456789ABCDEF")
    #expect(throws: ValueError("'1' is not a UUID")) { try UUID(word: "1") }
  }
}
