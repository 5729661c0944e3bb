package import EventMVVM

/// Reads scripts into commands; no command runs unless the whole script can be read.
package struct ScriptReader: Sendable {
  fileprivate let catalogue: Catalogue
  private let expanding: (@Sendable (String) -> String?)?

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - expanding: Returns what a word without quotes means where the name of a file is expected; nil
  ///     if it means itself.
  package init(
    _ catalogue: Catalogue,
    expanding: (@Sendable (String) -> String?)? = nil
  ) {
    self.catalogue = catalogue
    self.expanding = expanding
  }

  /// Reads several sources as one script; a line that can't be read is reported and left out.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - isUnit: Whether the script is all or nothing, so that what can't be rolled back is a problem.
  ///   - asks: Called with each question.
  ///   - report: Called with each problem.
  /// - Returns: The script, without the lines that were reported.
  package func read(
    _ sources: [SourceText],
    isUnit: Bool = true,
    asks: (ScriptQuestion) -> Void,
    report: (Problem) -> Void
  ) -> Script {
    var lines: [Script.Line] = []
    for (index, source) in sources.enumerated() {
      for command in ScriptCommands(of: source, self) {
        switch command {
        case .success(let command):
          let line = Script.Line(source: index, offset: command.line.offset)
          if isUnit, let failure = command.command.unitRefusal {
            report(problem(failure, line.offset, source))
            continue
          }
          if let question = command.command.question {
            let refusal = problem(CommandRun.refusal(question), line.offset, source)
            asks(ScriptQuestion(text: question, refusal: refusal))
          }
          lines.append(line)
        case .failure(let problem): report(problem)
        }
      }
    }
    return Script(sources: sources, lines: lines)
  }

  /// Reads the command of a line again.
  package func command(of line: Script.Line, in script: Script) throws(Problem) -> ScriptCommand {
    let source = script.sources[line.source]
    // The source was searched for faults when it was read. To do so again at each line would take a
    // time that is quadratic in the length of the script.
    let tokenizer = Tokenizer(resuming: source, at: line.offset)
    var commands = ScriptCommands(reader: self, source: source, tokenizer: tokenizer)
    guard let command = commands.next() else {
      throw problem(Failure(.usage, "a command is missing"), line.offset, source)
    }
    return try command.get()
  }

  /// Returns the words of a command with the names of files that they mean.
  fileprivate func expanded(_ words: [Word]) -> [Word] {
    guard let expanding else { return words }
    return words.enumerated()
      .map { index, word in
        guard index > 0, word.isBare, let name = expanding(word.text),
          catalogue.completion(after: Array(words[..<index]), prefix: word.text).takesFile
        else { return word }
        return Word(text: name, offset: word.offset, isBare: true)
      }
  }

  fileprivate func problem(_ failure: Failure, _ offset: Int, _ source: SourceText) -> Problem {
    Problem(
      failure: failure,
      diagnostic: Diagnostic(message: failure.message, at: offset, in: source)
    )
  }

  fileprivate func command(_ words: [Word]) throws(CommandError) -> any Command {
    try catalogue.read(words) { words, index throws(CommandError) in
      let name = words[index].optionName
      guard catalogue.isProcessOption(name) else { return false }
      throw CommandError(
        "\(name) belongs to the whole process, not to a line",
        offset: words[index].offset
      )
    }
  }
}

/// The commands of a source, in order, each read when its turn comes.
///
/// A line that can't be read is a problem in its position; the lines after it are read
/// nevertheless.
package struct ScriptCommands: Sequence, IteratorProtocol {
  /// The reader of the commands that follow.
  package var reader: ScriptReader
  fileprivate let source: SourceText
  fileprivate var tokenizer: Tokenizer

  /// Reads a source from its beginning.
  package init(of source: SourceText, _ reader: ScriptReader) {
    self.init(reader: reader, source: source, tokenizer: Tokenizer(source))
  }

  fileprivate init(reader: ScriptReader, source: SourceText, tokenizer: Tokenizer) {
    self.reader = reader
    self.source = source
    self.tokenizer = tokenizer
  }

  /// Reads the next command; nil at the end.
  package mutating func next() -> Result<ScriptCommand, Problem>? {
    do {
      guard let line = try tokenizer.next()?.get() else { return nil }
      let command = try reader.command(reader.expanded(line.words))
      return .success(ScriptCommand(command: command, line: line, reader: reader, source: source))
    } catch let error as CommandError {
      return .failure(reader.problem(error.failure, error.offset ?? 0, source))
    } catch let error as SyntaxError {
      return .failure(reader.problem(Failure(.usage, error.message), error.offset, source))
    } catch {
      return .failure(reader.problem(Failure(error), 0, source))
    }
  }
}

/// A command of a script, with its position.
package struct ScriptCommand: Sendable {
  /// The command.
  package let command: any Command
  fileprivate let line: ScriptLine
  fileprivate let reader: ScriptReader
  fileprivate let source: SourceText

  /// Returns the problem of the command's failure; it points at the faulty word.
  package func problem(_ failure: Failure) -> Problem {
    let word = failure.field.flatMap { field in
      reader.catalogue.offset(of: field, id: failure.id, in: line.words)
    }
    return reader.problem(failure, word ?? line.offset, source)
  }
}
