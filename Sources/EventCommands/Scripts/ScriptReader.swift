package import EventMVVM

/// Reads scripts into commands; no command runs unless the whole script can be read.
package struct ScriptReader: Sendable {
  private let catalogue: Catalogue
  private let saysYes: Bool

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - saysYes: Whether questions that commands would ask a person are answered with yes.
  package init(_ catalogue: Catalogue, saysYes: Bool) {
    self.catalogue = catalogue
    self.saysYes = saysYes
  }

  /// Reads several sources as one script; a line that can't be read is reported and left out.
  package func read(_ sources: [SourceText], report: (Problem) -> Void) -> Script {
    var lines: [Script.Line] = []
    for (index, source) in sources.enumerated() {
      var tokenizer = Tokenizer(source)
      while let next = tokenizer.next() {
        switch read(next, source) {
        case .success(let command): lines.append(Script.Line(source: index, offset: command.1))
        case .failure(let problem): report(problem)
        }
      }
    }
    return Script(sources: sources, lines: lines)
  }

  /// Reads the command of a line again.
  package func command(of line: Script.Line, in script: Script) throws(Problem) -> any Command {
    let source = script.sources[line.source]
    var tokenizer = Tokenizer(resuming: source, at: line.offset)
    guard let next = tokenizer.next() else {
      throw problem(Failure(.usage, "a command is missing"), line.offset, source)
    }
    return try read(next, source).get().0
  }

  /// Reads one line.
  package func read(
    _ line: Result<ScriptLine, SyntaxError>,
    _ source: SourceText
  ) -> Result<(any Command, Int), Problem> {
    do {
      let line = try line.get()
      return .success((try command(line.words), line.offset))
    } catch let error as CommandError {
      return .failure(problem(error.failure, error.offset ?? 0, source))
    } catch let error as SyntaxError {
      return .failure(problem(Failure(.usage, error.message), error.offset, source))
    } catch {
      return .failure(problem(Failure(error), 0, source))
    }
  }

  private func problem(
    _ failure: Failure,
    _ offset: Int,
    _ source: SourceText
  ) -> Problem {
    Problem(
      failure: failure,
      diagnostic: Diagnostic(message: failure.message, at: offset, in: source)
    )
  }

  private func command(_ words: [Word]) throws(CommandError) -> any Command {
    let command = try catalogue.read(words) { words, index throws(CommandError) in
      let name = words[index].optionName
      guard catalogue.isProcessOption(name) else { return false }
      throw CommandError(
        "\(name) belongs to the whole process, not to a line",
        offset: words[index].offset
      )
    }
    guard let question = command.question, !saysYes else { return command }
    throw CommandError(
      "\(question) Nobody can be asked here; --yes answers it.",
      offset: words.first?.offset
    )
  }

  /// Whether a failed command is tried in another way; a script asks no person.
  package func agrees(_ failure: Failure, _ question: String) -> Bool { saysYes }

  /// Returns the problem that points at the word of a failure, in a line that ran.
  package func problem(_ failure: Failure, _ line: Script.Line, _ source: SourceText) -> Problem {
    var tokenizer = Tokenizer(resuming: source, at: line.offset)
    var offset = line.offset
    if let field = failure.field, case .success(let read)? = tokenizer.next(),
      let found = catalogue.offset(of: field, id: failure.id, in: read.words)
    {
      offset = found
    }
    return problem(failure, offset, source)
  }
}
