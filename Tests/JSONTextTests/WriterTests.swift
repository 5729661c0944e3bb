import EventMVVMTesting
import JSONText
import Testing

@Suite(.hangLimit) struct WriterTests {
  @Test func `members and elements are written in the order of the calls`() {
    let text = written { writer in
      writer.object { object in
        object.member("z", "text")
        object.member("a", 1)
        object.key("list")
        object.array { list in
          list.value("x")
          list.value(2)
          list.value(true)
          list.value(0.5)
          list.null()
          list.object { _ in }
          list.array { _ in }
          list.value(["k": [1, 2]])
        }
        object.key("inner")
        object.object { inner in
          inner.member("b", false)
          inner.member("c", 2.5)
        }
        object.member("last", nil as String?)
      }
    }
    #expect(
      text == #"{"z":"text","a":1,"list":["x",2,true,0.5,null,{},[],{"k":[1,2]}],"#
        + #""inner":{"b":false,"c":2.5},"last":null}"#
    )
  }

  @Test func `a member without value is null`() {
    let text = written { writer in
      writer.object { object in
        object.member("a", nil as String?)
        object.member("b", nil as Int?)
        object.member("c", nil as Int64?)
        object.member("d", nil as Bool?)
        object.member("e", nil as Double?)
        object.member("f", nil as JSON?)
        object.member("g", .null)
      }
    }
    #expect(text == #"{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null,"g":null}"#)
  }

  @Test func `a member takes every kind of value`() {
    let text = written { writer in
      writer.object { object in
        object.member("a", Optional("s"))
        object.member("b", 1)
        object.member("c", Int64.max)
        object.member("d", true)
        object.member("e", 1.0)
        object.member("f", ["x": [nil]])
      }
    }
    #expect(
      text == #"{"a":"s","b":1,"c":9223372036854775807,"d":true,"e":1.0,"f":{"x":[null]}}"#
    )
  }

  @Test func `a lone value is a document`() {
    #expect(written { $0.null() } == "null")
    #expect(written { $0.value(nil) } == "null")
    #expect(written { $0.value(true) } == "true")
    #expect(written { $0.value(-5) } == "-5")
    #expect(written { $0.value(1.5) } == "1.5")
    #expect(written { $0.value("") } == #""""#)
    #expect(written { $0.array { _ in } } == "[]")
    #expect(written { $0.object { _ in } } == "{}")
  }

  @Test(arguments: [
    ("\"", #"\""#), ("\\", #"\\"#), ("/", "/"), ("\u{0}", #"\u0000"#), ("\u{1}", #"\u0001"#),
    ("\u{7}", #"\u0007"#), ("\u{8}", #"\b"#), ("\t", #"\t"#), ("\n", #"\n"#), ("\u{B}", #"\u000b"#),
    ("\u{C}", #"\f"#), ("\r", #"\r"#), ("\u{E}", #"\u000e"#), ("\u{F}", #"\u000f"#),
    ("\u{10}", #"\u0010"#), ("\u{1B}", #"\u001b"#), ("\u{1F}", #"\u001f"#), (" ", " "),
    ("\u{7F}", #"\u007f"#), ("\u{80}", #"\u0080"#), ("\u{9B}31m", #"\u009b31m"#),
    ("\u{9F}", #"\u009f"#), ("\u{A0}", "\u{A0}"), ("\u{61C}", #"\u061c"#),
    ("\u{61B}", "\u{61B}"), ("\u{61D}", "\u{61D}"), ("\u{200D}", "\u{200D}"),
    ("\u{200E}", #"\u200e"#), ("\u{200F}", #"\u200f"#), ("\u{2010}", "\u{2010}"),
    ("\u{2027}", "\u{2027}"), ("\u{2028}", #"\u2028"#), ("\u{2029}", #"\u2029"#),
    ("\u{202A}", #"\u202a"#), ("\u{202E}", #"\u202e"#), ("\u{202F}", "\u{202F}"),
    ("\u{2065}", "\u{2065}"), ("\u{2066}", #"\u2066"#), ("\u{2069}", #"\u2069"#),
    ("\u{206A}", "\u{206A}"), ("\u{FEFF}", "\u{FEFF}"), ("é€😀", "é€😀"), ("\r\n", #"\r\n"#),
    ("plain", "plain"), ("\"a\"", #"\"a\""#), ("a\nb\nc", #"a\nb\nc"#), ("é\té", #"é\té"#),
    ("ends\\", #"ends\\"#), ("\"\"\"", #"\"\"\""#),
  ])
  func `text is escaped where it must be`(text: String, escaped: String) {
    #expect(written { $0.value(text) } == "\"\(escaped)\"")
    #expect(written { $0.object { $0.member(JSONName(text), 1) } } == "{\"\(escaped)\":1}")
  }

  @Test func `a literal name is written as it stands, any other one escaped`() {
    #expect(written { $0.object { $0.member("a b/é", 1) } } == #"{"a b/é":1}"#)
    #expect(written { $0.object { $0.member("x", 1) } } == #"{"x":1}"#)
    #expect(written { $0.object { $0.member("", 1) } } == #"{"":1}"#)
    let name = "a\"\n"
    #expect(written { $0.object { $0.member(JSONName(name), 1) } } == #"{"a\"\n":1}"#)
  }

  @Test(arguments: ["\u{1B}", "\"", "\u{7F}", "\u{9B}", "\u{61C}", "\u{202E}", "\u{2069}"])
  func `text is escaped wherever the character stands`(character: Character) throws {
    for before in 0...20 {
      for after in 0...9 {
        let text =
          String(repeating: "é", count: before / 2) + String(repeating: "a", count: before % 2 * 7)
          + "\(character)" + String(repeating: "b", count: after)
        let json = written { $0.value(text) }
        #expect(json.dropFirst().dropLast().contains("\\"))
        #expect(try JSON(parsing: json) == .string(text))
      }
    }
  }

  @Test func `every scalar is escaped or not as the rule says`() {
    let escaped: [ClosedRange<UInt32>] = [
      0...0x1F, 0x22...0x22, 0x5C...0x5C, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F,
      0x2028...0x202E, 0x2066...0x2069,
    ]
    for scalar in (0...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
      let isEscaped = written { $0.value(String(scalar)) }.utf8.dropFirst().first == 0x5C
      if isEscaped != escaped.contains(where: { $0.contains(scalar.value) }) {
        Issue.record("U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test(
    arguments: [
      (0, "0"), (7, "7"), (10, "10"), (-1, "-1"), (-120, "-120"), (1_234_567_890, "1234567890"),
      (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
    ] as [(Int64, String)]
  )
  func `an integer is written in decimal`(value: Int64, text: String) {
    #expect(written { $0.value(value) } == text)
    #expect(written { $0.value(.integer(value)) } == text)
  }

  @Test(
    arguments: [
      (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"),
      (1e15, "1000000000000000.0"),
      (1e16, "1e+16"), (1e-5, "1e-05"), (.leastNonzeroMagnitude, "5e-324"),
      (0.1 + 0.2, "0.30000000000000004"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (123.456, "123.456"),
      (.nan, "null"), (.signalingNaN, "null"), (.infinity, "null"), (-.infinity, "null"),
    ] as [(Double, String)]
  )
  func `a real is written as its shortest text`(value: Double, text: String) {
    #expect(written { $0.value(value) } == text)
    #expect(written { $0.value(.real(value)) } == text)
    #expect(written { $0.object { $0.member("r", value) } } == "{\"r\":\(text)}")
  }

  @Test func `a writer can be used again`() {
    var writer = JSONWriter()
    for keepsCapacity in [true, false] {
      writer.array { $0.value(1) }
      #expect(writer.bytes == Array("[1]".utf8))
      writer.removeAll(keepingCapacity: keepsCapacity)
      #expect(writer.bytes == [])
    }
    writer.object { $0.member("a", 1) }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1}"#)
  }

  @Test func `a description is compact text`() {
    let value: JSON = ["a": [1, -2.5, "x\n", true, nil], "": [:]]
    #expect(value.description == #"{"a":[1,-2.5,"x\n",true,null],"":{}}"#)
    #expect("\(value)" == value.description)
  }
}
