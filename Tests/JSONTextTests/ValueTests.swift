import EventMVVMTesting
import JSONText
import Testing

@Suite(.hangLimit) struct ValueTests {
  @Test func `members keep their order`() throws {
    let value = try JSON(parsing: #"{"z":1,"a":2,"m":{"y":3,"b":4},"0":5}"#)
    #expect(value.description == #"{"z":1,"a":2,"m":{"y":3,"b":4},"0":5}"#)
    #expect(value == ["z": 1, "a": 2, "m": ["y": 3, "b": 4], "0": 5])
    #expect(value != ["a": 2, "z": 1, "m": ["y": 3, "b": 4], "0": 5])
  }

  @Test func `a member is found by its name`() {
    let value: JSON = ["a": 1, "b": nil, "a": 2]
    #expect(value["a"] == .integer(1))
    #expect(value["b"] == .null)
    #expect(value["c"] == nil)
  }

  @Test func `a name is found code unit by code unit`() {
    let value: JSON = ["e\u{301}": 1, "\u{E9}": 2]
    #expect(value["\u{E9}"] == .integer(2))
    #expect(value["e\u{301}"] == .integer(1))
  }

  @Test(arguments: [nil, true, 1, 1.5, "a", ["a"]] as [JSON])
  func `a value that is no object has no members`(value: JSON) {
    #expect(value["a"] == nil)
  }

  @Test(
    arguments: [
      (nil, "null"), (true, "a boolean"), (1, "an integer"), (1.0, "a number"), ("1", "a string"),
      ([1], "an array"), (["1": 1], "an object"),
    ] as [(JSON, String)]
  )
  func `a value tells its kind`(value: JSON, kind: String) {
    #expect(value.kind == kind)
  }

  @Test func `values of different kinds differ`() {
    let values: [JSON] = [nil, false, 0, 0.0, "", [], [:]]
    for (index, value) in values.enumerated() {
      #expect(values.map { $0 == value } == values.indices.map { $0 == index })
    }
  }

  @Test func `values of one kind differ by their content`() {
    let pairs: [(JSON, JSON)] = [
      (true, false), (1, 2), (1.0, 2.0), ("a", "b"), ([1], [2]), ([1], [1, 1]),
      (["a": 1], ["b": 1]), (["a": 1], ["a": 2]), ("\u{E9}", "e\u{301}"),
      (["\u{E9}": 1], ["e\u{301}": 1]), (.real(.nan), .real(.nan)),
    ]
    #expect(pairs.filter { $0.0 == $0.1 }.map(\.0.description) == [])
  }

  @Test func `literals give the cases`() {
    let cases: [JSON] = [
      .null, .bool(true), .integer(-1), .real(0.5), .string("x"), .array([.integer(1)]),
      .object([JSON.Member("b", .integer(1)), JSON.Member("a", .null)]),
    ]
    #expect([nil, true, -1, 0.5, "x", [1], ["b": 1, "a": nil]] as [JSON] == cases)
  }

  @Test func `a document may come as any collection of bytes`() throws {
    let bytes = Array(#"x{"a":[1]}x"#.utf8)
    #expect(try JSON(parsing: bytes.dropFirst().dropLast()) == ["a": [1]])
    #expect(try JSON(parsing: ContiguousArray(bytes[1..<10])) == ["a": [1]])
    #expect(try JSON(parsing: #"x{"a":[1]}"#.dropFirst()) == ["a": [1]])
    #expect(try JSON(parsing: CollectionOfOne(UInt8(ascii: "7"))) == 7)
  }

  @Test func `the offset of a slice counts from its start`() {
    #expect(
      throws: JSONError(offset: 1, line: 1, column: 2, message: "expected a value, found 'x'")
    ) {
      try JSON(parsing: Array("xx[x]".utf8).dropFirst(2))
    }
  }

  @Test(arguments: [
    ("1", 1), ("1.0", 1), ("-2.0e0", -2), ("1e3", 1000), ("-0.0", 0),
    ("9007199254740991.0", 9_007_199_254_740_991),
    ("9223372036854775807", Int64.max),
  ])
  func `a number is whole however it is written`(_ text: String, _ number: Int64) throws {
    #expect(try JSON(parsing: text).wholeNumber == number)
  }

  @Test(arguments: [
    "1.5", "9007199254740992.0", "9007199254740993.0", "1e300", "\"1\"", "true", "null", "[1]",
  ])
  func `what may have lost digits is no whole number`(_ text: String) throws {
    #expect(try JSON(parsing: text).wholeNumber == nil)
  }
}
