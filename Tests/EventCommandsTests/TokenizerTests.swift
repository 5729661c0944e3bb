import EventMVVMTesting
import Testing

@testable import EventCommands

/// The texts of the words of each line; errors are left out.
private func words(_ script: String) -> [[String]] {
  Tokenizer.lines(SourceText(name: "test", bytes: Array(script.utf8))).lines
    .map { $0.words.map(\.text) }
}

private func errors(_ script: String) -> [SyntaxError] {
  Tokenizer.lines(SourceText(name: "test", bytes: Array(script.utf8))).errors
}

private func firstWord(_ script: String) throws -> Word {
  let lines = Tokenizer.lines(SourceText(name: "test", bytes: Array(script.utf8))).lines
  return try #require(lines.first?.words.first)
}

private func isIncomplete(_ script: String) -> Bool {
  Tokenizer.isIncomplete(Array(script.utf8))
}

// MARK: - Words

@Suite(.hangLimit) struct WordTests {
  @Test func `words stand between spaces and tabs`() {
    #expect(words("add  milk\t --due\t2026-12-01 ") == [["add", "milk", "--due", "2026-12-01"]])
  }

  @Test func `each line is a command and the last needs no newline`() {
    #expect(words("add milk\nlist\n\n  \t\nquit") == [["add", "milk"], ["list"], ["quit"]])
  }

  @Test func `an empty script has no commands`() {
    #expect(words("") == [])
    #expect(words("\n\n") == [])
    #expect(words("   ") == [])
  }

  @Test func `single quotes keep everything as it is`() {
    #expect(words(#"add 'Buy "milk" \n # 2'"#) == [["add", #"Buy "milk" \n # 2"#]])
  }

  @Test func `double quotes know three escapes`() {
    #expect(words(#"add "a \"b\" \\ c\nd 'e'""#) == [["add", "a \"b\" \\ c\nd 'e'"]])
  }

  @Test func `a backslash outside of quotes takes the next character as it is`() {
    #expect(
      words(##"add Buy\ milk \'x\" \\ \# \n \漢"##) == [
        ["add", "Buy milk", "'x\"", "\\", "#", "n", "漢"]
      ]
    )
  }

  @Test func `parts that touch are one word`() {
    #expect(words(#"--title="Buy "'milk'\!"#) == [["--title=Buy milk!"]])
    #expect(words(#"'a'"b""#) == [["ab"]])
  }

  @Test func `quotes with nothing in them are an empty word`() {
    #expect(words(#"add '' "" x"#) == [["add", "", "", "x"]])
  }

  @Test func `a newline may stand in quotes`() {
    #expect(words("add 'a\nb' \"c\n\nd\"\nlist") == [["add", "a\nb", "c\n\nd"], ["list"]])
  }

  @Test func `only a word without quotes and escapes is bare`() throws {
    #expect(try firstWord("--due").isBare)
    #expect(try firstWord("#42").isBare)
    #expect(try !firstWord("'--due'").isBare)
    #expect(try !firstWord("\"--due\"").isBare)
    #expect(try firstWord("--d'u'e").isBare)
    #expect(try !firstWord("--due='x'").isBare)
    #expect(try !firstWord("\\--due").isBare)
    #expect(try !firstWord("''").isBare)
  }

  @Test func `a word knows the offset of its first byte`() {
    let source = SourceText(name: "test", bytes: Array("\n  漢字 'b' \\c\nd".utf8))
    let lines = Tokenizer.lines(source).lines
    #expect(lines.map(\.offset) == [3, 17])
    #expect(lines.map { $0.words.map(\.offset) } == [[3, 10, 14], [17]])
  }

  @Test func `words of any script and any length are kept`() {
    let long = String(repeating: "漢字😀e\u{301}", count: 1000)
    #expect(words("add \(long) '\(long)' \"\(long)\"") == [["add", long, long, long]])
  }

  @Test func `what looks like a space is one, except in quotes`() {
    #expect(
      words("add\u{A0}milk\u{3000}x \u{202F} --due\u{A0}fri 'a\u{A0}b' d\u{B}e\u{2009}") == [
        ["add", "milk", "x", "--due", "fri", "a\u{A0}b", "d\u{B}e"]
      ]
    )
    #expect(words("add\u{A0}\"x y\"\u{A0}a\\\u{A0}b") == [["add", "x y", "a\u{A0}b"]])
    #expect(words("add milk\u{A0}# note\n\u{3000}# all") == [["add", "milk"]])
    #expect(words("add a\u{A0}<<E\nx\nE\nlist") == [["add", "a", "x"], ["list"]])
    #expect(errors("add\u{A0}#foo").count == 1)
    #expect("a\u{A0}b".asScriptWord == "'a\u{A0}b'")
    let line = Tokenizer.lines(SourceText(name: "", bytes: Array("\u{A0}add\u{A0}ä".utf8))).lines
    #expect(line.map { $0.words.map(\.offset) } == [[2, 7]])
  }

  @Test func `a million words on a line are read`() throws {
    let script = String(repeating: "w ", count: 1_000_000)
    #expect(words(script).first?.count == 1_000_000)
  }
}

// MARK: - Comments

@Suite(.hangLimit) struct CommentTests {
  @Test func `a comment starts at a word`() {
    #expect(
      words("# all of it\nadd milk # and more\nlist#all\n#") == [["add", "milk"], ["list#all"]]
    )
  }

  @Test(arguments: ["#42", "#0", "#00123456789012345678901234567890"])
  func `a hash before digits alone is a word`(word: String) {
    #expect(words("done \(word) x") == [["done", word, "x"]])
    #expect(words("done \(word)") == [["done", word]])
    #expect(words("\(word)\n") == [[word]])
  }

  @Test(arguments: ["#", "# 42", "##42", "#!42", "#\t"])
  func `a hash before a blank, a hash or an exclamation mark is a comment`(comment: String) {
    #expect(words("done \(comment) x") == [["done"]])
  }

  @Test(arguments: ["#", "# 42", "#home", "#4a", "#a4", "#42'x'", "#-1", "#４２", "##", "#!/bin/x"])
  func `a line that begins with a hash is a comment`(comment: String) {
    #expect(words("\(comment) x\ndone") == [["done"]])
    #expect(errors("  \(comment) 'x\ndone") == [])
  }

  @Test(arguments: ["#4a", "#a4", "#home", "#42'x'", "#-1", "#４２"])
  func `a hash before anything else is no word, and nothing is left out`(mark: String) {
    #expect(words("add milk \(mark) x\ndone") == [["done"]])
    let error = Tokenizer.lines(SourceText(name: "", bytes: Array("add milk \(mark) x".utf8)))
      .errors
    #expect(error.map(\.offset) == [9])
    #expect(error.first?.message.hasPrefix("'\(mark)' is no word here: a label is +") == true)
  }

  @Test(arguments: ["#1,4", "#1-3", "#1,#4"])
  func `several numbers are a word`(word: String) {
    #expect(words("done \(word) x") == [["done", word, "x"]])
  }

  @Test func `a number can be followed by a comment`() {
    #expect(words("done #42 # the milk") == [["done", "#42"]])
  }

  @Test func `a hash in quotes or escaped is a word`() {
    #expect(words(##"tag '#home' "#x" \#y"##) == [["tag", "#home", "#x", "#y"]])
  }

  @Test(
    arguments: ["Don't", "l'été", "O'Brien's", "не'так", "Ἀθη'να", "e\u{301}'a", "rock'n'roll"]
  )
  func `an apostrophe between letters is a letter`(word: String) {
    #expect(words("add \(word) forget\nlist") == [["add", word, "forget"], ["list"]])
    #expect(!Tokenizer.isIncomplete(Array("add \(word)".utf8)))
  }

  @Test(arguments: ["x='a b'", "4'a b'", "'a b'", "a\"'\"b"])
  func `any other opens a quote`(word: String) {
    #expect(words("add \(word)").first?.count == 2)
    #expect(Tokenizer.isIncomplete(Array("add 'n".utf8)))
    #expect(Tokenizer.isIncomplete(Array("add boys' club".utf8)))
  }

  @Test func `quotes in a comment mean nothing`() {
    #expect(words("# don't\nlist # \"x\nquit") == [["list"], ["quit"]])
    #expect(errors("# don't \\") == [])
  }
}

// MARK: - Line ends and marks

@Suite(.hangLimit) struct LineEndTests {
  @Test func `a byte order mark is dropped`() {
    #expect(words("\u{FEFF}add milk") == [["add", "milk"]])
    #expect(words("\u{FEFF}# comment") == [])
    #expect(words("\u{FEFF}") == [])
  }

  @Test func `a byte order mark that is not at the start is part of a word`() {
    #expect(words("add \u{FEFF}x") == [["add", "\u{FEFF}x"]])
  }

  @Test func `carriage returns before newlines are dropped`() {
    #expect(
      words("add milk\r\n'b c'\r\n#42\r\n\r\nlist\r") == [
        ["add", "milk"], ["b c"], ["#42"], ["list"],
      ]
    )
  }

  @Test(arguments: [
    ("add a\radd b\r", 5), ("add left\rright\n", 8), ("a \r b\n", 2), ("a \\\rb\n", 3),
    ("add a # first\radd b\n", 13), ("# plan\radd a\r", 6), ("\radd a\n", 0), ("a\r\rb", 1),
  ])
  func `a carriage return that ends no line is an error, and never joins two lines`(
    _ script: String,
    _ offset: Int
  ) {
    let found = errors(script)
    #expect(found.map(\.offset) == [offset])
    #expect(
      found.map(\.message) == [
        "a carriage return ends no line here; end each line with a newline"
      ]
    )
  }

  @Test func `several carriage returns before a newline are dropped together`() {
    #expect(words("add a\r\r\nlist # all\r\r\n\r\r") == [["add", "a"], ["list"]])
  }

  @Test func `in quotes a carriage return is dropped before a newline only`() {
    #expect(words("'a\r\nb' \"c\r\nd\" 'e\rf'") == [["a\nb", "c\nd", "e\rf"]])
  }
}

// MARK: - Texts of several lines

@Suite(.hangLimit) struct HeredocTests {
  @Test func `a heredoc is the lines up to its name`() {
    let script = "add milk --subtitle <<EOF\n  two 'bottles' # \\\n\n<<EOF\nEOF \nEOF\nlist"
    #expect(
      words(script) == [
        ["add", "milk", "--subtitle", "  two 'bottles' # \\\n\n<<EOF\nEOF "], ["list"],
      ]
    )
  }

  @Test func `a heredoc may be empty or one empty line`() {
    #expect(words("a <<E\nE\nb <<E\n\nE") == [["a", ""], ["b", ""]])
  }

  @Test func `several heredocs are read in order`() {
    #expect(
      words("a <<A b <<B <<A\n1\nB\nA\n2\nB\n3\nA\nlist") == [
        ["a", "1\nB", "b", "2", "3"], ["list"],
      ]
    )
  }

  @Test func `a heredoc begins after the end of the logical line`() {
    #expect(words("a <<E 'x\ny' # z\ntext\nE") == [["a", "text", "x\ny"]])
  }

  @Test func `the name ends the text also with a carriage return or at the end`() {
    #expect(words("a <<E\r\nx\ry\r\nz\r\nE\r\nlist") == [["a", "x\ry\nz"], ["list"]])
    #expect(words("a <<E\nx\nE\r") == [["a", "x"]])
  }

  @Test func `the word keeps its place and is not bare`() throws {
    #expect(try firstWord("  <<E_1\nx\nE_1") == Word(text: "x", offset: 2, isBare: false))
  }

  @Test(arguments: ["<<", "<<1E", "<<E-F", "<<É", "<E", "a<<E", "--text=<<E", "<<<E"])
  func `anything but a name makes an ordinary word`(word: String) {
    #expect(words("a \(word)\nE") == [["a", word], ["E"]])
  }

  @Test func `a quoted or escaped one is an ordinary word`() {
    #expect(words("'<<E' \"<<E\" \\<<E <<'E'") == [["<<E", "<<E", "<<E", "<<E"]])
  }

  @Test func `one that never ends is an error at its opening and takes the rest`() {
    #expect(
      errors("list\na <<EOF\nit's\n\"") == [
        SyntaxError(message: "the text after <<EOF never ends: no line is 'EOF'", offset: 7)
      ]
    )
    #expect(words("list\na <<EOF\nquit") == [["list"]])
    #expect(errors("a <<A <<B\nA\n").map(\.offset) == [6])
  }

  @Test func `a line with an error still has its heredocs skipped`() {
    #expect(words("a <<E \"\\q\"\nit's\nE\nlist") == [["list"]])
    #expect(errors("a <<E \"\\q\"\nit's\nE\nlist").map(\.offset) == [7])
  }
}

// MARK: - Errors

@Suite(.hangLimit) struct SyntaxErrorTests {
  @Test func `a quote that is never closed is an error at its opening`() {
    #expect(
      errors("add 'milk") == [
        SyntaxError(message: "the quote ' is never closed", offset: 4)
      ]
    )
    #expect(
      errors("add a\"milk\\\"\nlist\n") == [
        SyntaxError(message: "the quote \" is never closed", offset: 5)
      ]
    )
  }

  @Test func `after such a quote reading goes on at the next line`() {
    #expect(words("add 'a\nb' \"c\nlist\nquit") == [["list"], ["quit"]])
    #expect(errors("add 'a\nb' \"c\nlist\n\\").map(\.offset) == [10, 18])
  }

  @Test(arguments: [
    (#""\q""#, #"unknown escape '\q'; in double quotes there are \", \\ and \n"#),
    (#""\t""#, #"unknown escape '\t'; in double quotes there are \", \\ and \n"#),
    (#""\漢""#, #"unknown escape '\漢'; in double quotes there are \", \\ and \n"#),
    ("\"\\\u{1B}\"", #"unknown escape '\\u{1B}'; in double quotes there are \", \\ and \n"#),
    ("\"\\\n\"", "a backslash cannot end a line"),
    ("\"\\\r\n\"", "a backslash cannot end a line"),
  ])
  func `an unknown escape in double quotes is an error`(script: String, message: String) {
    #expect(errors("ab \(script)\n") == [SyntaxError(message: message, offset: 4)])
    #expect(words("ab \(script)\nlist") == [["list"]])
  }

  @Test(arguments: ["a\\", "a\\\nlist", "a\\\r\nlist", "a\\\r"])
  func `a backslash at the end of a line is an error`(script: String) {
    #expect(errors(script) == [SyntaxError(message: "a backslash cannot end a line", offset: 1)])
  }

  @Test func `the first error of a line is the one reported`() {
    #expect(errors("\"\\q\" \"\\r\" 'x").map(\.offset) == [1])
    #expect(errors("'\" \\").map(\.offset) == [0])
  }

  @Test func `all lines with errors are reported`() {
    let script = "\"\\q\"\nlist\na\\\n\"\\z\" # x\nadd 'x"
    #expect(errors(script).map(\.offset) == [1, 11, 14, 26])
    #expect(words(script) == [["list"]])
  }

  @Test func `next gives lines and errors in turn`() {
    var tokenizer = Tokenizer(SourceText(name: "test", bytes: Array("a\n\\\n\n# x\nb".utf8)))
    let word = { (text: String, offset: Int) in
      ScriptLine(words: [Word(text: text, offset: offset, isBare: true)], offset: offset)
    }
    #expect(tokenizer.next() == .success(word("a", 0)))
    #expect(
      tokenizer.next()
        == .failure(SyntaxError(message: "a backslash cannot end a line", offset: 2))
    )
    #expect(tokenizer.next() == .success(word("b", 9)))
    #expect(tokenizer.next() == nil)
    #expect(tokenizer.next() == nil)
  }
}

@Suite(.hangLimit) struct RefusedByteTests {
  private func read(_ bytes: [UInt8]) -> (lines: [ScriptLine], errors: [SyntaxError]) {
    Tokenizer.lines(SourceText(name: "test", bytes: bytes))
  }

  @Test(arguments: ["a\0b", "'\0'  ", "# \0x", "  \0", "\\\0", "<<E\0"])
  func `NUL is refused wherever it stands`(script: String) throws {
    let offset = try #require(Array(script.utf8).firstIndex(of: 0))
    let result = read(Array("\(script)\nlist".utf8))
    #expect(result.lines.map { $0.words.map(\.text) } == [["list"]])
    #expect(
      result.errors == [
        SyntaxError(message: "a script cannot contain the character NUL", offset: offset)
      ]
    )
  }

  @Test(
    arguments: [
      ([0x80], 0x80), ([0xC0, 0x80], 0xC0), ([0xC1, 0xBF], 0xC1), ([0xC3], 0xC3),
      ([0xE0, 0x9F, 0xBF], 0xE0), ([0xED, 0xA0, 0x80], 0xED), ([0xE4, 0xB8], 0xE4),
      ([0xF0, 0x8F, 0xBF, 0xBF], 0xF0), ([0xF4, 0x90, 0x80, 0x80], 0xF4),
      ([0xF0, 0x9F, 0x98], 0xF0), ([0xF5, 0x80, 0x80, 0x80], 0xF5), ([0xFF], 0xFF),
      ([0xFE], 0xFE),
    ] as [([UInt8], UInt8)]
  )
  func `what is not UTF-8 is refused`(bytes: [UInt8], byte: UInt8) {
    let message = "the byte 0x\(String(byte, radix: 16, uppercase: true)) is not valid UTF-8 here"
    let expected = [SyntaxError(message: message, offset: 4)]
    #expect(read([0x61, 0x64, 0x64, 0x20] + bytes + [0x0A, 0x61]).errors == expected)
    #expect(read([0x61, 0x64, 0x64, 0x20] + bytes).errors == expected)
    #expect(
      read([0x61, 0x64, 0x64, 0x20] + bytes + [0x0A, 0x61]).lines.map(\.offset)
        == [4 + bytes.count + 1]
    )
  }

  @Test(arguments: [
    "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}",
    "\u{10FFFF}", "\u{7F}", "\u{1}",
  ])
  func `every other character is taken`(character: String) {
    #expect(words("a\(character)b") == [["a\(character)b"]])
  }

  @Test func `each physical line is reported once`() {
    let result = read(Array("a\0\0\n'b\n\0c\n\0'\nlist\n# \0\n".utf8) + [0xFF])
    #expect(result.errors.map(\.offset) == [1, 7, 10, 20, 22])
    #expect(result.lines.map { $0.words.map(\.text) } == [["list"]])
  }

  @Test func `a refused byte and an error of syntax are both reported`() {
    let result = read(Array("\"\\q\" \0\n\0\nlist".utf8))
    #expect(result.errors.map(\.offset) == [1, 5, 7])
    #expect(result.lines.count == 1)
  }

  @Test func `bytes in a heredoc are refused as well`() {
    let result = read(Array("a <<E\nx\0\nE\nlist".utf8))
    #expect(result.errors.map(\.offset) == [7])
    #expect(result.lines.map { $0.words.map(\.text) } == [["list"]])
  }

  @Test func `no bytes trap`() {
    var generator = Chance(1)
    let alphabet =
      Array(" \t\n\r'\"\\#<<EE4a\0漢😀\u{A0}\u{3000}".utf8) + [0xFF, 0xE4, 0xEF, 0xBB, 0xBF]
    for _ in 0..<2000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator))
        .map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        }
      let source = SourceText(name: "test", bytes: bytes)
      for error in Tokenizer.lines(source).errors {
        #expect((0...bytes.count).contains(error.offset))
        #expect(Diagnostic(error, in: source).rendered().contains("\n"))
      }
      _ = Tokenizer.isIncomplete(bytes)
    }
  }
}

// MARK: - Prompts

@Suite(.hangLimit) struct IncompleteTests {
  @Test(arguments: [
    "add 'milk", "add \"milk\n", "a\nb 'c\nd", "add 'x' \"\\\"", "a <<E", "a <<E\ntext\n",
    "a <<A <<B\nA\n", "a <<E 'b", "\"\\q", "'",
  ])
  func `an open quote or text asks for more`(script: String) {
    #expect(isIncomplete(script))
  }

  @Test(arguments: [
    "", "add milk", "add 'milk'\n", "a <<E\ntext\nE", "# don't", "a\\", "\"\\q\"", "a '<<E'",
    "a\0b", "'\n'",
  ])
  func `anything else does not`(script: String) {
    #expect(!isIncomplete(script))
  }
}

// MARK: - Positions

@Suite(.hangLimit) struct SourceTextTests {
  private func position(_ text: String, _ offset: Int) -> SourcePosition {
    SourceText(name: "test", bytes: Array(text.utf8)).position(atByte: offset)
  }

  @Test func `lines and columns count from 1`() {
    #expect(position("ab\ncd", 0) == SourcePosition(line: 1, column: 1))
    #expect(position("ab\ncd", 1) == SourcePosition(line: 1, column: 2))
    #expect(position("ab\ncd", 2) == SourcePosition(line: 1, column: 3))
    #expect(position("ab\ncd", 3) == SourcePosition(line: 2, column: 1))
    #expect(position("ab\ncd", 5) == SourcePosition(line: 2, column: 3))
    #expect(position("ab\n", 3) == SourcePosition(line: 2, column: 1))
    #expect(position("", 0) == SourcePosition(line: 1, column: 1))
  }

  @Test func `columns count characters as people do`() {
    #expect(position("漢字 x", 7).column == 4)
    #expect(position("e\u{301} x", 4).column == 3)
    #expect(position("👨‍👩‍👧 x", 19).column == 3)
    #expect(position("👨‍👩‍👧 x", 7).column == 1)
    #expect(position(" \u{301}x", 1).column == 1)
  }

  @Test func `a byte order mark has no column`() {
    #expect(position("\u{FEFF}ab", 0).column == 1)
    #expect(position("\u{FEFF}ab", 3).column == 1)
    #expect(position("\u{FEFF}ab", 4).column == 2)
  }

  @Test func `offsets outside count as the nearest end`() {
    #expect(position("ab", -1) == SourcePosition(line: 1, column: 1))
    #expect(position("ab", 99) == SourcePosition(line: 1, column: 3))
    #expect(position("ab", .max) == SourcePosition(line: 1, column: 3))
    #expect(position("", .min) == SourcePosition(line: 1, column: 1))
  }

  @Test func `the line has neither its end nor a byte order mark`() {
    let source = SourceText(name: "test", bytes: Array("\u{FEFF}ab\r\ncd\n".utf8))
    #expect(source.line(containing: 0) == "ab")
    #expect(source.line(containing: 5) == "ab")
    #expect(source.line(containing: 6) == "ab")
    #expect(source.line(containing: 7) == "cd")
    #expect(source.line(containing: 10) == "")
    #expect(source.line(containing: 99) == "")
  }

  @Test func `bytes that are not UTF-8 count one column each`() {
    let source = SourceText(name: "test", bytes: [0x61, 0xFF, 0xFE, 0x62])
    #expect(source.line(containing: 0) == "a\u{FFFD}\u{FFFD}b")
    #expect(source.position(atByte: 3).column == 4)
  }
}

// MARK: - Diagnostics

@Suite(.hangLimit) struct DiagnosticTests {
  private func rendered(_ text: String, _ offset: Int, _ message: String = "no") -> [String] {
    let source = SourceText(name: "plan.todo", bytes: Array(text.utf8))
    return Diagnostic(message: message, at: offset, in: source).rendered()
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func `a diagnostic shows place, message, line and caret`() {
    let script = "list\n  ad \"Buy milk\"\nquit\n"
    #expect(
      rendered(script, 7, "no command 'ad'; did you mean 'add'?") == [
        "plan.todo:2:3: error: no command 'ad'; did you mean 'add'?",
        "    ad \"Buy milk\"",
        "    ^",
      ]
    )
  }

  @Test func `a syntax error is shown where it stands`() {
    let source = SourceText(name: "<stdin>", bytes: Array("add 'milk".utf8))
    let diagnostics = Tokenizer.lines(source).errors.map { Diagnostic($0, in: source) }
    #expect(
      diagnostics == [
        Diagnostic(
          message: "the quote ' is never closed",
          sourceName: "<stdin>",
          position: SourcePosition(line: 1, column: 5),
          line: "add 'milk"
        )
      ]
    )
    #expect(
      diagnostics.map { $0.rendered() } == [
        "<stdin>:1:5: error: the quote ' is never closed\n  add 'milk\n      ^"
      ]
    )
  }

  @Test func `the caret stands after wide characters and emoji`() {
    #expect(rendered("漢字 x", 7) == ["plan.todo:1:4: error: no", "  漢字 x", "       ^"])
    #expect(rendered("😀👨‍👩‍👧 x", 23) == ["plan.todo:1:4: error: no", "  😀👨‍👩‍👧 x", "       ^"])
    #expect(rendered("e\u{301} x", 4) == ["plan.todo:1:3: error: no", "  e\u{301} x", "    ^"])
  }

  @Test func `the caret may stand after the line`() {
    #expect(rendered("add", 3) == ["plan.todo:1:4: error: no", "  add", "     ^"])
    #expect(rendered("", 0) == ["plan.todo:1:1: error: no", "  ", "  ^"])
  }

  @Test func `tabs are shown as one space`() {
    #expect(rendered("\t\tadd\tx", 2) == ["plan.todo:1:3: error: no", "    add x", "    ^"])
  }

  @Test func `controls and overrides are shown escaped`() {
    #expect(
      rendered("a\u{1B}[31m x", 7) == [
        "plan.todo:1:8: error: no", "  a\\u{1B}[31m x", "              ^",
      ]
    )
    #expect(
      rendered("\u{202E}x", 3) == ["plan.todo:1:2: error: no", "  \\u{202E}x", "          ^"]
    )
    #expect(rendered("a\rb", 2) == ["plan.todo:1:3: error: no", "  a\\u{D}b", "        ^"])
  }

  @Test func `name and message are escaped too`() {
    let diagnostic = Diagnostic(
      message: "no command '\u{1B}'\n",
      sourceName: "a\nb",
      position: SourcePosition(line: 1, column: 1),
      line: "x"
    )
    #expect(diagnostic.rendered() == "a\\u{A}b:1:1: error: no command '\\u{1B}'\\u{A}\n  x\n  ^")
  }

  @Test func `a line of a hundred columns is shown whole`() {
    let line = String(repeating: "x", count: 100)
    for offset in [0, 39, 40, 50, 99, 100] {
      #expect(rendered(line, offset)[1] == "  \(line)")
      #expect(rendered(line, offset)[2] == "  \(String(repeating: " ", count: offset))^")
    }
  }

  @Test func `a longer line is cut around the caret`() {
    let line = String(repeating: "a", count: 200) + "b" + String(repeating: "c", count: 200)
    let shown = rendered(line, 200)
    let before = String(repeating: "a", count: 60)
    let after = String(repeating: "c", count: 39)
    #expect(shown[0] == "plan.todo:1:201: error: no")
    #expect(shown[1] == "  …\(before)b\(after)…")
    #expect(shown[2] == "  \(String(repeating: " ", count: 61))^")
  }

  @Test func `a longer line is cut at one end if the caret is near the other`() {
    let line = String(repeating: "a", count: 400)
    let part = String(repeating: "a", count: 100)
    #expect(rendered(line, 0)[1] == "  \(part)…")
    #expect(rendered(line, 0)[2] == "  ^")
    #expect(rendered(line, 400)[1] == "  …\(part)")
    #expect(rendered(line, 400)[2] == "  \(String(repeating: " ", count: 101))^")
  }

  @Test func `a longer line of wide characters is cut at a hundred columns`() {
    let line = String(repeating: "漢", count: 200)
    #expect(rendered(line, 300)[1] == "  …\(String(repeating: "漢", count: 50))…")
    #expect(rendered(line, 300)[2] == "  \(String(repeating: " ", count: 61))^")
  }

  @Test func `a column outside the line puts the caret at its nearest end`() {
    let low = Diagnostic(
      message: "no",
      sourceName: "x",
      position: SourcePosition(line: 1, column: .min),
      line: "ab"
    )
    #expect(low.rendered() == "x:1:-9223372036854775808: error: no\n  ab\n  ^")
    let high = Diagnostic(
      message: "no",
      sourceName: "x",
      position: SourcePosition(line: 1, column: .max),
      line: "ab"
    )
    #expect(high.rendered() == "x:1:9223372036854775807: error: no\n  ab\n    ^")
  }
}

// MARK: - Escaping and width

@Suite(.hangLimit) struct EscapingTests {
  @Test(arguments: [
    "", "add milk", "漢字 – “ñ” … é\u{A0}", "👨‍👩‍👧", #"\u{1B}"#, "\u{27E8}",
  ])
  func `a text without hazards stays as it is`(text: String) {
    #expect(escapedForTerminal(text) == text)
  }

  @Test(arguments: [
    ("\u{0}", "\\u{0}"), ("\u{1B}", "\\u{1B}"), ("\u{1F}", "\\u{1F}"), ("\u{7F}", "\\u{7F}"),
    ("\u{80}", "\\u{80}"), ("\u{9B}", "\\u{9B}"), ("\u{9F}", "\\u{9F}"), ("\r", "\\u{D}"),
    ("\u{61C}", "\\u{61C}"), ("\u{200E}", "\\u{200E}"), ("\u{200F}", "\\u{200F}"),
    ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"), ("\u{202A}", "\\u{202A}"),
    ("\u{202E}", "\\u{202E}"), ("\u{2066}", "\\u{2066}"), ("\u{2069}", "\\u{2069}"),
    ("\n", "\\u{A}"), ("\t", "\\u{9}"), ("\r\n", "\\u{D}\\u{A}"),
  ])
  func `a hazard is shown as its number`(hazard: String, shown: String) {
    #expect(escapedForTerminal(hazard) == shown)
    #expect(escapedForTerminal("漢\(hazard)b") == "漢\(shown)b")
  }

  @Test func `every scalar is escaped or not as the rule says`() {
    let hazards: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    for value in UInt32(0)...0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isEscaped = escapedForTerminal(String(scalar)) != String(scalar)
      let isHidden = scalar.properties.isDefaultIgnorableCodePoint
      if isEscaped != (isHidden || hazards.contains(where: { $0.contains(value) })) {
        Issue.record("U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func `newline and tab are kept on demand`() {
    #expect(escapedForTerminal("a\n\tb\r", keeping: .newline) == "a\n\\u{9}b\\u{D}")
    #expect(escapedForTerminal("a\n\tb\r", keeping: .tab) == "a\\u{A}\tb\\u{D}")
    #expect(escapedForTerminal("a\n\tb", keeping: [.newline, .tab]) == "a\n\tb")
  }

  @Test func `a part of a text is escaped`() {
    #expect(escapedForTerminal("ab\u{1B}c".dropFirst()) == "b\\u{1B}c")
  }
}

@Suite(.hangLimit) struct DisplayWidthTests {
  @Test(
    arguments: [
      ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("…", 1), ("Ж", 1), ("漢", 2), ("あ", 2),
      ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("Ａ", 2), ("ｱ", 1), ("　", 2), ("😀", 2),
      ("👨‍👩‍👧", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
      ("✅", 2), ("🪿", 2), ("\u{301}", 0), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{1B}", 0),
      ("\u{AD}", 1), ("\u{20000}", 2), ("\u{1F1E9}", 1), ("\u{10FFFF}", 1),
    ] as [(Character, Int)]
  )
  func `a character takes its columns`(character: Character, width: Int) {
    #expect(DisplayWidth.of(character) == width)
  }

  @Test func `a text takes the columns of its characters`() {
    #expect(DisplayWidth.of("") == 0)
    #expect(DisplayWidth.of("a漢e\u{301}😀") == 6)
    #expect(DisplayWidth.of("ab漢".dropFirst()) == 3)
  }
}
