import EventMVVMTesting
import JSONText
import Testing

@Suite(.hangLimit) struct ErrorTests {
  @Test(arguments: [
    ("", "line 1, column 1: expected a value, found end of input"),
    ("  ", "line 1, column 3: expected a value, found end of input"),
    ("[1,]", "line 1, column 4: expected a value, found ']'"),
    ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
    ("[1", "line 1, column 3: expected ',' or ']', found end of input"),
    (#"{"a":1 2}"#, "line 1, column 8: expected ',' or '}', found '2'"),
    (#"{"a" 1}"#, "line 1, column 6: expected ':', found '1'"),
    (#"{"a":}"#, "line 1, column 6: expected a value, found '}'"),
    ("{a:1}", "line 1, column 2: expected a member name, found 'a'"),
    (#"{"a":1,}"#, "line 1, column 8: expected a member name, found '}'"),
    ("{", "line 1, column 2: expected a member name, found end of input"),
    ("1 1", "line 1, column 3: expected end of input, found '1'"),
    ("[]]", "line 1, column 3: expected end of input, found ']'"),
    ("nul", "line 1, column 4: expected the rest of 'null', found end of input"),
    ("trux", "line 1, column 4: expected the rest of 'true', found 'x'"),
    ("[False]", "line 1, column 2: expected a value, found 'F'"),
    ("\u{FEFF}[]", "line 1, column 1: expected a value, found U+FEFF"),
    ("[\u{0}]", "line 1, column 2: expected a value, found U+0000"),
    ("[\u{1F600}]", "line 1, column 2: expected a value, found U+1F600"),
  ])
  func `a fault of structure tells what was expected and found`(text: String, message: String) {
    #expect(refusal(of: text) == message)
  }

  @Test(arguments: [
    ("-", "line 1, column 2: expected a digit after '-', found end of input"),
    ("-x", "line 1, column 2: expected a digit after '-', found 'x'"),
    ("01", "line 1, column 2: expected no digit after a leading zero, found '1'"),
    ("1.", "line 1, column 3: expected a digit after '.', found end of input"),
    ("1.e", "line 1, column 3: expected a digit after '.', found 'e'"),
    ("1e", "line 1, column 3: expected a digit in the exponent, found end of input"),
    ("1e+]", "line 1, column 4: expected a digit in the exponent, found ']'"),
    (
      "[9223372036854775808]",
      "line 1, column 2: integer out of range: expected -9223372036854775808 to "
        + "9223372036854775807, found 9223372036854775808"
    ),
    (
      "11111111112222222222333333333344444444445",
      "line 1, column 1: integer out of range: expected -9223372036854775808 to "
        + "9223372036854775807, found 1111111111222222222233333333334444444444…"
    ),
    (
      "-1e400",
      "line 1, column 1: real out of range: expected a magnitude up to 1.7976931348623157e+308, "
        + "found -1e400"
    ),
  ])
  func `a fault of a number tells what was expected and found`(text: String, message: String) {
    #expect(refusal(of: text) == message)
  }

  @Test(arguments: [
    (#""a"#, #"line 1, column 3: expected '"' to end the string, found end of input"#),
    ("\"a\nb\"", "line 1, column 3: expected a control character to be escaped, found U+000A"),
    (#""\x""#, #"line 1, column 3: expected one of " \ / b f n r t u after '\', found 'x'"#),
    ("\"\\", #"line 1, column 3: expected one of " \ / b f n r t u after '\', found end of input"#),
    (#""\u12G4""#, #"line 1, column 6: expected four hexadecimal digits after '\u', found 'G'"#),
    (#""\ud800""#, #"line 1, column 2: expected a surrogate pair, found a lone \ud800"#),
    (#""a\uD800\u0041""#, #"line 1, column 3: expected a surrogate pair, found a lone \uD800"#),
    (#""\uDC00\uD800""#, #"line 1, column 2: expected a surrogate pair, found a lone \uDC00"#),
    (#""\u0000""#, #"line 1, column 2: expected any character but U+0000, found \u0000"#),
    ("\"\u{0}\"", "line 1, column 2: expected a control character to be escaped, found U+0000"),
  ])
  func `a fault of a string tells what was expected and found`(text: String, message: String) {
    #expect(refusal(of: text) == message)
  }

  @Test(arguments: [
    (#"{"x":1,"x":2}"#, "line 1, column 8: duplicate member 'x'"),
    (#"{"x":1, "\u0078":2}"#, "line 1, column 9: duplicate member 'x'"),
    (#"{"":1,"":2}"#, "line 1, column 7: duplicate member ''"),
    (#"{"\n":1,"\n":2}"#, #"line 1, column 9: duplicate member '\n'"#),
  ])
  func `a member that occurs twice is named`(text: String, message: String) {
    #expect(refusal(of: text) == message)
  }

  @Test func `a long name is cut in the message`() {
    let name = String(repeating: "é", count: 65)
    #expect(
      refusal(of: "{\"\(name)\":1,\"\(name)\":2}")
        == "line 1, column 72: duplicate member '\(String(repeating: "é", count: 64))…'"
    )
  }

  @Test func `a name that just fits is shown whole`() {
    let name = String(repeating: "n", count: 64)
    #expect(
      refusal(of: "{\"\(name)\":1,\"\(name)\":2}")
        == "line 1, column 71: duplicate member '\(name)'"
    )
  }

  @Test func `a repeated name among many is found`() {
    let members = (0..<1000).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    #expect(
      refusal(of: "{\n\(members),\n\"n500\":0}") == "line 3, column 1: duplicate member 'n500'"
    )
    #expect(refusal(of: "{\(members)}") == nil)
  }

  @Test(arguments: 1...40)
  func `a repeated name is found in an object of any size`(count: Int) {
    let members = (1...count).map { "\"n\($0)\":\($0)" }.joined(separator: ",")
    #expect(refusal(of: "{\(members)}") == nil)
    #expect(refusal(of: "{\(members),\n\"n1\":0}") == "line 2, column 1: duplicate member 'n1'")
  }

  @Test(
    arguments: [
      ([0x22, 0xC0, 0xAF, 0x22], "line 1, column 2: expected well-formed UTF-8, found byte 0xC0"),
      ([0x22, 0x61, 0xFF, 0x22], "line 1, column 3: expected well-formed UTF-8, found byte 0xFF"),
      ([0x22, 0xED, 0xA0, 0x80], "line 1, column 2: expected well-formed UTF-8, found byte 0xED"),
      ([0x5B, 0x80, 0x5D], "line 1, column 2: expected a value, found byte 0x80"),
    ] as [([UInt8], String)]
  )
  func `a fault of encoding names the byte`(bytes: [UInt8], message: String) {
    #expect(refusal(of: bytes) == message)
  }

  @Test func `an error counts bytes, lines and characters`() {
    #expect(throws: JSONError(offset: 18, line: 3, column: 6, message: "expected ':', found ','")) {
      try JSON(parsing: "{\"a\":1,\r\n\n \"é€\",1}")
    }
    #expect(
      throws: JSONError(offset: 0, line: 1, column: 1, message: "expected a value, found 'x'")
    ) {
      try JSON(parsing: "x")
    }
  }

  @Test func `a combining character counts as a column`() {
    #expect(
      refusal(of: "[\"e\u{301}👩‍👩‍👧\"x]")
        == "line 1, column 11: expected ',' or ']', found 'x'"
    )
  }

  @Test func `only a line feed ends a line`() {
    #expect(refusal(of: "\r\rx") == "line 1, column 3: expected a value, found 'x'")
    #expect(refusal(of: "\r\nx") == "line 2, column 1: expected a value, found 'x'")
    #expect(refusal(of: "\n\n") == "line 3, column 1: expected a value, found end of input")
  }
}
