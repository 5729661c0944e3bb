import EventCommands

/// Any bytes through the tokenizer.
func checkTokenizer(_ bytes: [UInt8]) {
  TokenizerCheck(bytes).run()
}

/// What holds of every source.
private struct TokenizerCheck {
  private let source: SourceText
  private let lines: [ScriptLine]
  private let errors: [SyntaxError]
  /// Whether the bytes are UTF-8 without NUL.
  private let isSound: Bool

  init(_ bytes: [UInt8]) {
    source = SourceText(name: "fuzz\u{1B}[31m\u{202E}.todo", bytes: bytes)
    (lines, errors) = Self.read(source)
    isSound = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }

  func run() {
    checkPlaces()
    checkText()
    checkErrors()
    checkGrammar()
    checkQuoting()
    checkResuming()
    checkIncompleteness()
    checkLineByLine()
  }

  /// Reads a source, and demands that it comes to an end.
  private static func read(_ source: SourceText) -> ([ScriptLine], [SyntaxError]) {
    var tokenizer = Tokenizer(source)
    var lines: [ScriptLine] = []
    var errors: [SyntaxError] = []
    // A physical line has at most one error of syntax and one refused byte.
    let most = 2 * (source.bytes.count { $0 == 0x0A } + 1)
    while let next = tokenizer.next() {
      switch next {
      case .success(let line): lines.append(line)
      case .failure(let error): errors.append(error)
      }
      require(lines.count + errors.count <= most, "more lines and errors than there are lines")
    }
    return (lines, errors.sorted { $0.offset < $1.offset })
  }

  private static func read(_ bytes: [UInt8]) -> ([ScriptLine], [SyntaxError]) {
    read(SourceText(name: "", bytes: bytes))
  }

  /// Every offset is inside the source, and they rise.
  private func checkPlaces() {
    var last = -1
    for line in lines {
      require(line.offset == line.words.first?.offset, "a line begins with its first word")
      for word in line.words {
        require(word.offset > last, "the word at \(word.offset) is not behind \(last)")
        require(word.offset < source.bytes.count, "the word at \(word.offset) is outside")
        last = word.offset
      }
    }
  }

  /// A bare word says what stands there, and no word has what a script may not have.
  private func checkText() {
    for word in lines.flatMap(\.words) {
      require(!word.text.utf8.contains(0), "a word has NUL")
      require(String(validating: Array(word.text.utf8), as: UTF8.self) != nil, "ill-formed text")
      guard word.isBare else { continue }
      let rest = source.bytes[word.offset...].lazy.filter { $0 != 0x0D }
      require(rest.starts(with: word.text.utf8), "the bare word at \(word.offset) is other text")
    }
    require(isSound || !errors.isEmpty, "bytes that no script may have were not refused")
  }

  /// An error is inside the source, and can be shown on any terminal.
  private func checkErrors() {
    for error in errors {
      require((0...source.bytes.count).contains(error.offset), "the error is outside")
      let diagnostic = Diagnostic(error, in: source)
      let shown = diagnostic.rendered()
      requireSafe(shown, "a diagnostic")
      require(shown.split(separator: "\n", omittingEmptySubsequences: false).count == 3, "3 lines")
      let column = diagnostic.position.column
      require((1...diagnostic.line.count + 1).contains(column), "column \(column) is outside")
      let line = diagnostic.position.line
      require((1...source.bytes.count { $0 == 0x0A } + 1).contains(line), "line \(line) is outside")
    }
  }

  /// The grammar, read plainly, gives the same words, or an error where there is one.
  private func checkGrammar() {
    guard isSound else { return }
    let plain = PlainTokenizer.words(source.bytes)
    let words = errors.isEmpty ? lines.map { $0.words.map(\.text) } : nil
    require(plain == words, "it reads as \(words ?? []), and plainly as \(plain ?? [])")
  }

  /// Words that are written in quotes read back as they were.
  private func checkQuoting() {
    for line in lines {
      let words = line.words.map(\.text)
      let written = words.map(Self.quote).joined(separator: " ")
      let (again, errors) = Self.read(Array(written.utf8))
      require(errors.isEmpty && again.map { $0.words.map(\.text) } == [words], "quoting \(words)")
    }
  }

  private static func quote(_ word: String) -> String {
    let escaped = word.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\n": "\\n"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  /// A line is read again from where it begins.
  private func checkResuming() {
    guard isSound else { return }
    for line in lines {
      var tokenizer = Tokenizer(resuming: source, at: line.offset)
      require((try? tokenizer.next()?.get()) == line, "resuming at \(line.offset)")
    }
  }

  /// What is incomplete has an error; what is complete stays as it is, whatever line follows.
  private func checkIncompleteness() {
    if Tokenizer.isIncomplete(source.bytes) {
      return require(!errors.isEmpty, "it is incomplete, and has no error")
    }
    require(!errors.contains { $0.message.contains(" never ") }, "what never ends is complete")
    let (more, moreErrors) = Self.read(source.bytes + Array("\nnext".utf8))
    require(moreErrors == errors, "a further line changes the errors")
    require(more.dropLast() == lines[...], "a further line changes the lines")
    require(more.last?.words.map(\.text) == ["next"], "the further line is lost")
  }

  /// Whoever reads one physical line after another gets the same lines.
  private func checkLineByLine() {
    let marks = source.bytes.indices.dropFirst().contains { source.bytes[$0...].starts(with: mark) }
    // A mark is dropped at the beginning of a source only.
    guard errors.isEmpty, !marks else { return }
    var begun: [UInt8] = []
    var words: [[String]] = []
    for line in source.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      begun += line + [0x0A]
      guard !Tokenizer.isIncomplete(begun) else { continue }
      words += Self.read(begun).0.map { $0.words.map(\.text) }
      begun = []
    }
    require(words == lines.map { $0.words.map(\.text) }, "line by line it reads differently")
  }

  private var mark: [UInt8] { [0xEF, 0xBB, 0xBF] }
}
