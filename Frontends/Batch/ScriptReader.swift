import EventCommands
import EventMVVM

/// A script that has been read: its commands in order, and where each stands.
struct Script {
  struct Line {
    let command: any Command
    /// Which of the sources it stands in.
    let source: Int
    /// Where its first word stands, in bytes.
    let offset: Int
  }

  let sources: [SourceText]
  let lines: [Line]
}

/// All that is wrong with a script.
struct ScriptProblems: Error {
  let all: [Problem]
}

/// Something that is wrong, and where.
struct Problem {
  let failure: Failure
  let diagnostic: Diagnostic
}

/// Reads scripts into commands; nothing runs unless all of it can be read.
struct ScriptReader {
  let catalogue: Catalogue
  private let options: BatchOptions

  init(_ catalogue: Catalogue, _ options: BatchOptions) {
    self.catalogue = catalogue
    self.options = options
  }

  /// Reads several sources as one script.
  func read(_ sources: [SourceText]) throws(ScriptProblems) -> Script {
    var lines: [Script.Line] = []
    var problems: [Problem] = []
    for (index, source) in sources.enumerated() {
      var tokenizer = Tokenizer(source)
      while let next = tokenizer.next() {
        switch read(next, source) {
        case .success(let command): lines.append(.init(command.0, index, command.1))
        case .failure(let found): problems.append(contentsOf: found.all)
        }
      }
    }
    guard problems.isEmpty else { throw ScriptProblems(all: problems) }
    return Script(sources: sources, lines: lines)
  }

  /// Reads one line.
  func read(
    _ line: Result<ScriptLine, SyntaxError>,
    _ source: SourceText
  ) -> Result<(any Command, Int), ScriptProblems> {
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
  ) -> ScriptProblems {
    ScriptProblems(all: [
      Problem(
        failure: failure,
        diagnostic: Diagnostic(message: failure.message, at: offset, in: source)
      )
    ])
  }

  private func command(_ words: [Word]) throws(CommandError) -> any Command {
    let command = try catalogue.read(words) { words, index throws(CommandError) in
      let name = words[index].text.split(separator: "=").first.map(String.init) ?? ""
      guard options.isProcessOption(name) else { return false }
      throw CommandError(
        "\(name) belongs to the whole process, not to a line",
        offset: words[index].offset
      )
    }
    guard let question = command.question, !options.saysYes else { return command }
    throw CommandError(
      "\(question) Nobody can be asked here; --yes answers it.",
      offset: words.first?.offset
    )
  }

  /// Points at the word that a failure is about, in a line that ran.
  func problem(_ failure: Failure, _ line: Script.Line, _ source: SourceText) -> Problem {
    var tokenizer = Tokenizer(resuming: source, at: line.offset)
    var offset = line.offset
    if let field = failure.field, case .success(let read)? = tokenizer.next(),
      let found = catalogue.offset(of: field, id: failure.id, in: read.words)
    {
      offset = found
    }
    return Problem(
      failure: failure,
      diagnostic: Diagnostic(message: failure.message, at: offset, in: source)
    )
  }
}

extension Script.Line {
  fileprivate init(_ command: any Command, _ source: Int, _ offset: Int) {
    self.command = command
    self.source = source
    self.offset = offset
  }
}
