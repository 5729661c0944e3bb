extension ByteCase {
  private static let one = #"{"jsonrpc":"2.0","id":1,"method":"x"}"#
  private static let two = #"{"jsonrpc":"2.0","id":2,"method":"x"}"#
  private static let bodyOne =
    #"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"The first request is 'initialize'."}}"#
  private static let bodyTwo =
    #"{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"The first request is 'initialize'."}}"#
  private static let answerOne = "Content-Length: 95\r\n\r\n" + bodyOne
  private static let answerTwo = "Content-Length: 95\r\n\r\n" + bodyTwo
  private static let frameOne = "Content-Length: 37\r\n\r\n" + one
  private static let frameTwo = "Content-Length: 37\r\n\r\n" + two

  private static func fault(_ problem: String, id: String = "null") -> String {
    TestFraming.headers.frame(.error(id, -32700, "Parse error: \(problem)."))
  }

  private static func lineFault(_ problem: String) -> String {
    .error("null", -32700, "Parse error: \(problem).") + "\n"
  }

  /// Frames, good and bad.
  static let framing: [ByteCase] = headers + lengths + resynchronisation + lines

  private static let headers: [ByteCase] = [
    ByteCase("nothing at all", "", ""),
    ByteCase("only blanks", " \r\n\t\n", ""),
    ByteCase("a frame", frameOne, answerOne),
    ByteCase("two frames in one read", frameOne + frameTwo, answerOne + answerTwo),
    ByteCase(
      "fifty frames in one read",
      String(repeating: frameOne, count: 50),
      String(repeating: answerOne, count: 50)
    ),
    ByteCase("line feeds without returns", "Content-Length: 37\n\n" + one, answerOne),
    ByteCase("a header in lower case", "content-length: 37\r\n\r\n" + one, answerOne),
    ByteCase("a header in upper case", "CONTENT-LENGTH: 37\r\n\r\n" + one, answerOne),
    ByteCase("a header without a blank", "Content-Length:37\r\n\r\n" + one, answerOne),
    ByteCase("a header with many blanks", "Content-Length: \t 37  \r\n\r\n" + one, answerOne),
    ByteCase("leading zeros", "Content-Length: 0037\r\n\r\n" + one, answerOne),
    ByteCase(
      "a type before the length",
      "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 37\r\n\r\n" + one,
      answerOne
    ),
    ByteCase(
      "a type behind the length",
      "Content-Length: 37\r\nContent-Type: application/json\r\n\r\n" + one,
      answerOne
    ),
    ByteCase(
      "headers that nobody knows",
      "X-Nonsense: 5\r\nno colon\r\nContent-Length: 37\r\nContent-Lengthy: 9\r\n\r\n" + one,
      answerOne
    ),
    ByteCase(
      "the same length twice",
      "Content-Length: 37\r\nContent-Length: 37\r\n\r\n" + one,
      answerOne
    ),
    ByteCase("blank lines before a frame", "\r\n\n  " + frameOne, answerOne),
    ByteCase(
      "blank lines between frames",
      frameOne + "\r\n\r\n\n" + frameTwo,
      answerOne + answerTwo
    ),
    ByteCase("blanks inside the length", "Content-Length: 40\r\n\r\n \n\(one)\n", answerOne),
  ]

  private static let lengths: [ByteCase] = [
    ByteCase(
      "no length",
      "Content-Type: x\r\n\r\n\(one)" + frameTwo,
      fault("a message has no Content-Length") + answerTwo
    ),
    ByteCase(
      "two lengths that differ",
      "Content-Length: 37\r\nContent-Length: 38\r\n\r\n\(one)" + frameTwo,
      fault("a message has two Content-Lengths that differ") + answerTwo
    ),
    ByteCase(
      "a negative length",
      "Content-Length: -37\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "a length that is a word",
      "Content-Length: many\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "a length with a fraction",
      "Content-Length: 37.0\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "a length with a sign",
      "Content-Length: +37\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "an empty length",
      "Content-Length:\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "two lengths in one header",
      "Content-Length: 37, 37\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "a length one beyond the limit",
      "Content-Length: 16777217\r\n\r\n\(one)" + frameTwo,
      fault("a message has at most 16777216 bytes") + answerTwo
    ),
    ByteCase(
      "a length of a terabyte",
      "Content-Length: 1099511627776\r\n\r\n\(one)" + frameTwo,
      fault("a message has at most 16777216 bytes") + answerTwo
    ),
    ByteCase(
      "a length beyond all numbers",
      "Content-Length: 99999999999999999999999999\r\n\r\n\(one)" + frameTwo,
      fault("a message has at most 16777216 bytes") + answerTwo
    ),
    ByteCase(
      "a length of nothing",
      "Content-Length: 0\r\n\r\n" + frameTwo,
      fault("line 1, column 1: expected a value, found end of input") + answerTwo
    ),
    ByteCase(
      "headers without an end",
      "X: " + String(repeating: "x", count: 70_000) + "\r\n\r\n" + frameTwo,
      fault("the headers of a message have at most 65536 bytes") + answerTwo
    ),
  ]

  private static let resynchronisation: [ByteCase] = [
    ByteCase(
      "a length that is too short",
      "Content-Length: 36\r\n\r\n\(one)" + frameTwo,
      fault("line 1, column 37: expected ',' or '}', found end of input", id: "1")
        + fault("a message has no Content-Length") + answerTwo
    ),
    ByteCase(
      "a length that is too long by one",
      "Content-Length: 38\r\n\r\n\(one)" + frameTwo + frameOne,
      fault("line 1, column 38: expected end of input, found 'C'")
        + fault("a message has no Content-Length") + answerOne
    ),
    ByteCase(
      "a header inside a string is none",
      "Content-Length: no\r\n\r\n" + #"{"title":"x}Content-Length: 5\r\n\r\n"}"# + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "two bad frames in a row",
      "Content-Length: a\r\n\r\n\(one)Content-Length: -1\r\n\r\n\(one)" + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "a megabyte of nonsense",
      "Content-Length: a\r\n\r\n" + String(repeating: "nonsense ", count: 120_000) + "\n"
        + frameTwo,
      fault("a Content-Length is no number of bytes") + answerTwo
    ),
    ByteCase(
      "bad JSON in a good frame",
      "Content-Length: 4\r\n\r\nnope" + frameTwo,
      fault("line 1, column 2: expected the rest of 'null', found 'o'") + answerTwo
    ),
    ByteCase(
      "an end inside the headers",
      "Content-Length: 37\r\n",
      fault("the input ended inside a message")
    ),
    ByteCase("an end inside a header", "Content-Le", fault("the input ended inside a message")),
    ByteCase(
      "an end inside a message",
      frameOne + "Content-Length: 37\r\n\r\n{",
      answerOne + fault("the input ended inside a message")
    ),
    ByteCase(
      "bad headers, and nothing more",
      "Hello\r\n\r\n",
      fault("a message has no Content-Length")
    ),
  ]

  private static let lines: [ByteCase] = [
    ByteCase("a line", one + "\n", bodyOne + "\n"),
    ByteCase("a line with a return", one + "\r\n", bodyOne + "\n"),
    ByteCase("a last line without an end", one, bodyOne + "\n"),
    ByteCase("blank lines", "\n\n \(one)\n\r\n\t\n\(two)\n", bodyOne + "\n" + bodyTwo + "\n"),
    ByteCase(
      "fifty lines in one read",
      String(repeating: one + "\n", count: 50),
      String(repeating: bodyOne + "\n", count: 50)
    ),
    ByteCase(
      "one bad line among good ones",
      "\(one)\n{\"jsonrpc\":\n\(two)\n",
      bodyOne + "\n"
        + lineFault("line 1, column 12: expected a value, found end of input") + bodyTwo + "\n"
    ),
    ByteCase(
      "a header among lines is a bad line",
      "\(one)\nContent-Length: 37\n\(two)\n",
      bodyOne + "\n" + lineFault("line 1, column 1: expected a value, found 'C'") + bodyTwo + "\n"
    ),
    ByteCase(
      "two messages on a line",
      "\(one)\(two)\n\(two)\n",
      lineFault("line 1, column 38: expected end of input, found '{'") + bodyTwo + "\n"
    ),
    ByteCase(
      "a byte order mark",
      bytes: [0xEF, 0xBB, 0xBF] + Array((one + "\n" + two + "\n").utf8),
      lineFault("line 1, column 1: expected a value, found U+FEFF") + bodyTwo + "\n"
    ),
    ByteCase(
      "bytes that are no UTF-8",
      bytes: Array("\"".utf8) + [0xFF, 0xFE] + Array("\"\n\(two)\n".utf8),
      lineFault("line 1, column 2: expected well-formed UTF-8, found byte 0xFF") + bodyTwo + "\n"
    ),
    ByteCase(
      "a zero byte",
      bytes: [0x7B, 0x00, 0x0A] + Array((two + "\n").utf8),
      lineFault("line 1, column 2: expected a member name, found U+0000") + bodyTwo + "\n"
    ),
    ByteCase(
      "a line of more than 16 MiB",
      "{" + String(repeating: " ", count: 16_777_216) + "}\n\(two)\n",
      lineFault("a message has at most 16777216 bytes") + bodyTwo + "\n"
    ),
  ]
}
