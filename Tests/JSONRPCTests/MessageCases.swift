extension MessageCase {
  /// Messages before and after `initialize`, good and bad.
  static let all: [MessageCase] = json + requests + ids + batches + lifecycle + parameters

  private static func deep(_ levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  private static func parseError(_ problem: String, id: String = "null") -> String {
    .error(id, -32700, "Parse error: \(problem).")
  }

  private static func invalid(_ problem: String, id: String = "null") -> String {
    .error(id, -32600, "Invalid request: \(problem).")
  }

  private static func early(_ id: String) -> String {
    .error(id, -32002, "The first request is 'initialize'.")
  }

  private static func unknown(_ id: String) -> String {
    .error(id, -32601, "There is no method 'nope'.")
  }

  private static let json: [MessageCase] = [
    MessageCase(
      "a trailing comma",
      ["{\"a\":1,}", .call("1", "x")],
      [parseError("line 1, column 8: expected a member name, found '}'"), early("1")]
    ),
    MessageCase(
      "a duplicate key",
      [#"{"jsonrpc":"2.0","id":1,"id":2,"method":"x"}"#, .call("1", "x")],
      [parseError("line 1, column 25: duplicate member 'id'"), early("1")]
    ),
    MessageCase(
      "a key that is a duplicate by an escape",
      [#"{"jsonrpc":"2.0","id":1,"\u0069d":2,"method":"x"}"#],
      [parseError("line 1, column 25: duplicate member 'id'")]
    ),
    MessageCase(
      "half of a surrogate pair",
      [.call("1", "x", #"{"title":"\ud800"}"#)],
      [parseError(#"line 1, column 57: expected a surrogate pair, found a lone \\ud800"#, id: "1")]
    ),
    MessageCase(
      "an escaped zero",
      [.call("1", "x", #"{"title":"\u0000"}"#)],
      [parseError(#"line 1, column 57: expected any character but U+0000, found \\u0000"#, id: "1")]
    ),
    MessageCase(
      "128 levels",
      [.call("1", "x", deep(127))],
      [early("1")]
    ),
    MessageCase(
      "129 levels",
      [.call("1", "x", deep(128)), .call("2", "x")],
      [
        parseError(
          "line 1, column 174: expected at most 128 levels of nesting, found one more",
          id: "1"
        ),
        early("2"),
      ]
    ),
    MessageCase(
      "a number beyond all numbers",
      [.call("1", "x", "[1e400]")],
      [
        parseError(
          "line 1, column 48: real out of range: expected a magnitude up to "
            + "1.7976931348623157e+308, found 1e400",
          id: "1"
        )
      ]
    ),
    MessageCase(
      "a number with a leading zero",
      [.call("01", "x")],
      [parseError("line 1, column 24: expected no digit after a leading zero, found '1'")]
    ),
    MessageCase(
      "not a number",
      [.call("NaN", "x")],
      [parseError("line 1, column 23: expected a value, found 'N'")]
    ),
    MessageCase(
      "single quotes",
      ["{'jsonrpc':'2.0'}"],
      [parseError("line 1, column 2: expected a member name, found '''")]
    ),
    MessageCase(
      "a comment",
      ["{} // hello"],
      [parseError("line 1, column 4: expected end of input, found '/'")]
    ),
    MessageCase(
      "a tab inside a string",
      ["[\"\t\"]"],
      [parseError("line 1, column 3: expected a control character to be escaped, found U+0009")]
    ),
  ]

  private static let requests: [MessageCase] = [
    MessageCase("a number is no request", ["1"], [invalid("expected an object, found an integer")]),
    MessageCase("a text is no request", ["\"x\""], [invalid("expected an object, found a string")]),
    MessageCase(
      "null is no request",
      [.call("1", "x"), "null"],
      [early("1"), invalid("expected an object, found null")]
    ),
    MessageCase(
      "an empty object is no request",
      ["{}"],
      [invalid(#"expected \"jsonrpc\":\"2.0\""#)]
    ),
    MessageCase(
      "another version",
      [#"{"jsonrpc":"1.0","id":1,"method":"x"}"#],
      [invalid(#"expected \"jsonrpc\":\"2.0\""#, id: "1")]
    ),
    MessageCase(
      "a version that is a number",
      [#"{"jsonrpc":2.0,"id":"a","method":"x"}"#],
      [invalid(#"expected \"jsonrpc\":\"2.0\""#, id: "\"a\"")]
    ),
    MessageCase(
      "no version",
      [#"{"id":1,"method":"x"}"#],
      [invalid(#"expected \"jsonrpc\":\"2.0\""#, id: "1")]
    ),
    MessageCase(
      "no method",
      [#"{"jsonrpc":"2.0","id":1}"#],
      [invalid("a request needs a method", id: "1")]
    ),
    MessageCase(
      "neither method nor id",
      [#"{"jsonrpc":"2.0"}"#],
      [invalid("a request needs a method")]
    ),
    MessageCase(
      "a method that is a number",
      [#"{"jsonrpc":"2.0","id":1,"method":1,"params":"bar"}"#],
      [invalid("a method is a string, found an integer", id: "1")]
    ),
    MessageCase(
      "an answer to what nobody asked",
      [#"{"jsonrpc":"2.0","id":1,"result":3}"#, #"{"jsonrpc":"2.0","id":1,"error":{}}"#],
      []
    ),
    MessageCase(
      "members that nobody knows",
      [#"{"jsonrpc":"2.0","id":1,"method":"x","more":{}}"#],
      [early("1")]
    ),
    MessageCase("a notification that is unknown", [.tell("x"), .tell("$/x", "[1]")], []),
    MessageCase("a notification with bad parameters", [.tell("x", "5")], []),
  ]

  private static let ids: [MessageCase] =
    [
      ("1", "1"), ("0", "0"), ("-7", "-7"), ("-0", "0"),
      ("9223372036854775807", "9223372036854775807"),
      ("-9223372036854775808", "-9223372036854775808"), (#""""#, #""""#), (#""a""#, #""a""#),
      (#""1""#, #""1""#), (#""\u00e4\n\"""#, #""ä\n\"""#), ("null", "null"), ("1.5", "1.5"),
    ]
    .map { sent, echoed in
      MessageCase("the id \(sent)", [.call(sent, "x")], [early(echoed)])
    }
    + [
      MessageCase(
        "the id 2^63",
        [.call("9223372036854775808", "x")],
        [early("9223372036854775808")]
      ),
      MessageCase("the id 1e400", [.call("1e400", "x")], [early("1e400")]),
      MessageCase(
        "an id with U+0000",
        [.call(#""a\u0000b""#, "x")],
        [early(#""a\u0000b""#)]
      ),
      MessageCase(
        "an id with half of a surrogate pair, and a fault beside it",
        [.call(#""\ud800""#, "x"), .call(#""\ud800""#, "x", "[1,]")],
        [
          early(#""\ud800""#),
          parseError(
            "line 1, column 24: expected a surrogate pair, found a lone \\\\ud800",
            id: #""\ud800""#
          ),
        ]
      ),
      MessageCase(
        "an id that is an object with a member twice",
        [.call(#"{"a":1,"a":2}"#, "x")],
        [invalid("an id is a string or a number, found an object")]
      ),
      MessageCase(
        "an id that is an array",
        [.call("[1]", "x")],
        [invalid("an id is a string or a number, found an array")]
      ),
      MessageCase(
        "an id that is an object",
        [.call("{}", "x")],
        [invalid("an id is a string or a number, found an object")]
      ),
      MessageCase(
        "an id that is a boolean",
        [.call("true", "x")],
        [invalid("an id is a string or a number, found a boolean")]
      ),
    ]

  private static let batches: [MessageCase] = [
    MessageCase(
      "an empty batch",
      ["[]", "[ ]"],
      [invalid("the batch is empty"), invalid("the batch is empty")]
    ),
    MessageCase(
      "a batch of nonsense",
      ["[1,2,{}]"],
      [
        "[" + invalid("expected an object, found an integer") + ","
          + invalid("expected an object, found an integer") + ","
          + invalid(#"expected \"jsonrpc\":\"2.0\""#) + "]"
      ]
    ),
    MessageCase("a batch of one", ["[" + .call("1", "x") + "]"], ["[" + early("1") + "]"]),
    MessageCase(
      "a mixed batch",
      ["[" + .call("1", "x") + "," + .tell("x") + ",[]," + .call("\"b\"", "x") + "]"],
      [
        "[" + early("1") + "," + invalid("expected an object, found an array") + ","
          + early("\"b\"") + "]"
      ]
    ),
    MessageCase("a batch of notifications", ["[" + .tell("x") + "," + .tell("y") + "]"], []),
    MessageCase(
      "a batch with a fault is no batch",
      ["[" + .call("1", "x") + ",]"],
      [parseError("line 1, column 40: expected a value, found ']'")]
    ),
    MessageCase(
      "a batch of 1001",
      ["[" + Array(repeating: "1", count: 1001).joined(separator: ",") + "]"],
      [invalid("a batch has at most 1000 messages, found 1001")]
    ),
    MessageCase(
      "a whole session in a batch",
      [
        "["
          + [
            .call("\"hello\"", "initialize"), .tell("initialized"), .call("2", "nope"),
            .call("3", "shutdown"), .tell("exit"),
          ]
          .joined(separator: ",") + "]"
      ],
      ["[{welcome}," + unknown("2") + "," + .result("3", "null") + "]"],
      status: 0
    ),
  ]

  private static let hello = String.call("\"hello\"", "initialize", #"{"processId":null}"#)

  private static let lifecycle: [MessageCase] = [
    MessageCase(
      "a session from its beginning to its end",
      [
        hello, .tell("initialized", "{}"), .call("1", "nope"), .call("2", "shutdown"),
        .tell("exit"),
      ],
      ["{welcome}", unknown("1"), .result("2", "null")],
      status: 0
    ),
    MessageCase(
      "an exit without a shutdown",
      [hello, .tell("exit"), .call("1", "x")],
      ["{welcome}"]
    ),
    MessageCase("an exit before anything", [.tell("exit")], []),
    MessageCase(
      "a shutdown before anything",
      [.call("1", "shutdown"), .tell("exit")],
      [early("1")]
    ),
    MessageCase(
      "a shutdown without an exit",
      [hello, .call("1", "shutdown")],
      ["{welcome}", .result("1", "null")],
      status: 0
    ),
    MessageCase(
      "a second initialize",
      [
        hello, .call("1", "initialize"), .call("2", "initialize", "[1]"),
        .call("3", "initialize", #"{"processId":"x"}"#), .tell("initialize", "[1]"),
        .call("4", "nope"),
      ],
      [
        "{welcome}", .error("1", -32600, "The session is initialized already."),
        .error("2", -32600, "The session is initialized already."),
        .error("3", -32600, "The session is initialized already."), unknown("4"),
      ]
    ),
    MessageCase(
      "a request after the shutdown",
      [hello, .call("1", "shutdown"), .call("2", "todo/list"), .call("3", "initialize")],
      [
        "{welcome}", .result("1", "null"),
        .error("2", -32600, "The session is shut down; only 'exit' is left."),
        .error("3", -32600, "The session is shut down; only 'exit' is left."),
      ],
      status: 0
    ),
    MessageCase(
      "an exit that is a request",
      [hello, .call("1", "exit")],
      ["{welcome}", .error("1", -32600, "'exit' is a notification: it has no id.")]
    ),
    MessageCase(
      "an initialized that is a request",
      [hello, .call("1", "initialized")],
      ["{welcome}", .error("1", -32600, "'initialized' is a notification: it has no id.")]
    ),
    MessageCase(
      "an initialize that is a notification",
      [.tell("initialize"), .call("1", "x")],
      [early("1")]
    ),
    MessageCase(
      "an initialize with positional parameters",
      [.call("1", "initialize", "[1]"), .call("2", "x")],
      [
        .error(
          "1",
          -32602,
          "expected an object, found an array",
          #"{"kind":"usage","path":""}"#
        ), early("2"),
      ]
    ),
    MessageCase(
      "a client that is a text",
      [.call("1", "initialize", #"{"processId":"1"}"#)],
      [
        .error(
          "1",
          -32602,
          "/processId: expected an integer or null, found a string",
          #"{"kind":"usage","field":"processId","path":"/processId"}"#
        )
      ]
    ),
    MessageCase(
      "what editors send besides",
      [
        .call(
          "\"hello\"",
          "initialize",
          #"{"processId":null,"clientInfo":{"name":"vim"},"rootUri":null,"capabilities":{}}"#
        )
      ],
      ["{welcome}"]
    ),
    MessageCase(
      "notifications for the protocol",
      [hello, .tell("$/setTrace", #"{"value":"off"}"#), .tell("$/cancelRequest", #"{"id":5}"#)],
      ["{welcome}"]
    ),
    MessageCase(
      "a request for the protocol",
      [hello, .call("1", "$/nope")],
      ["{welcome}", .error("1", -32601, "There is no method '$/nope'.")]
    ),
  ]

  private static let parameters: [MessageCase] =
    [
      ("absent", ""), ("null", "null"), ("an object", "{}"), ("an array", "[]"),
    ]
    .map { name, params in
      MessageCase(
        "parameters that are \(name)",
        [hello, .call("1", "plugins", params)],
        [
          "{welcome}",
          .result(
            "1",
            #"[{"name":"records"},{"name":"view-models"},{"name":"questions"},{"name":"catalogue"},"#
              + #"{"name":"screens"},{"name":"undo"},{"name":"trace"},{"name":"analytics"},"#
              + #"{"name":"observers"},{"name":"recorder"},{"name":"inspector"}]"#
          ),
        ]
      )
    }
    + [
      MessageCase(
        "positional parameters",
        [hello, .call("1", "todo/show", "[1]")],
        [
          "{welcome}",
          .error("1", -32602, "expected an object, found an array", #"{"kind":"usage","path":""}"#),
        ]
      ),
      MessageCase(
        "parameters that are a number",
        [hello, .call("1", "todo/show", "1")],
        [
          "{welcome}",
          .error(
            "1",
            -32602,
            "expected an object, found an integer",
            #"{"kind":"usage","path":""}"#
          ),
        ]
      ),
      MessageCase(
        "a parameter that nobody knows",
        [hello, .call("1", "todo/add", #"{"titel":"x"}"#)],
        [
          "{welcome}",
          .error(
            "1",
            -32602,
            "add has no parameter 'titel'; did you mean 'title'?",
            #"{"kind":"usage","path":"/titel"}"#
          ),
        ]
      ),
      MessageCase(
        "a parameter of another type, inside an array",
        [hello, .call("1", "todo/add", #"{"title":"x","tags":["a",5]}"#)],
        [
          "{welcome}",
          .error(
            "1",
            -32602,
            "/tags/1: expected a string, found an integer",
            #"{"kind":"usage","field":"tags","path":"/tags/1"}"#
          ),
        ]
      ),
      MessageCase(
        "a parameter that is missing",
        [hello, .call("1", "todo/show")],
        [
          "{welcome}",
          .error("1", -32602, "show needs id", #"{"kind":"usage","field":"id","path":"/id"}"#),
        ]
      ),
      MessageCase(
        "what nobody can be asked",
        [hello, .call("1", "todo/delete", #"{"ids":[1,2,3,4]}"#)],
        [
          "{welcome}",
          .error(
            "1",
            -32602,
            "Delete 4 todos? Nobody can be asked here; --yes answers it.",
            #"{"kind":"usage"}"#
          ),
        ]
      ),
      MessageCase(
        "a rule of the domain",
        [hello, .call("1", "todo/add", #"{"title":" "}"#)],
        [
          "{welcome}",
          .error("1", 1, "Please add a title.", #"{"kind":"validation","field":"title"}"#),
        ]
      ),
      MessageCase(
        "a todo that is not there",
        [hello, .call("1", "todo/done", #"{"id":99}"#)],
        [
          "{welcome}",
          .error(
            "1",
            2,
            "There is no todo #99.",
            #"{"kind":"notFound","field":"id","id":99}"#
          ),
        ]
      ),
    ]
}
