package import EventCommands
package import EventMVVM

/// The frontend of one-shot commands and scripts: it reads words, sends requests, prints results.
///
/// It depends on the catalogue and on no domain. A script is read whole and runs by ``ScriptJob``,
/// on `ScriptRun`: by default as one unit, which takes effect as a whole or not at all, and whose
/// results are printed once it is committed. `run --keep-going` from standard input uses
/// ``LineByLine`` instead: each line runs before the next is read.
package struct BatchFrontend: Frontend {
  /// The job.
  package enum Job: Sendable {
    /// One command.
    case command(any Command)
    /// Scripts, as one.
    case scripts([ScriptSource], ScriptMode)
  }

  private let catalogue: Catalogue
  private let job: Job
  private let console: Console

  /// Creates the frontend of a job.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - console: The output and the default answers.
  ///   - job: The job.
  package init(_ catalogue: Catalogue, _ console: Console, _ job: Job) {
    self.catalogue = catalogue
    self.console = console
    self.job = job
  }

  /// The name of the session, for its origin.
  package var name: String {
    switch job {
    case .command: "cli"
    case .scripts: "batch"
    }
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    for notice in catalogue.wire.notices { console.listen(to: notice, port) }
    switch job {
    case .command(let command):
      return OneShot(port, console).run(command)
    case .scripts(let sources, let mode):
      return runScripts(sources, mode, port)
    }
  }

  private func runScripts(
    _ sources: [ScriptSource],
    _ mode: ScriptMode,
    _ port: ViewPort
  ) -> ExitStatus {
    let reader = ScriptReader(catalogue)
    if mode == .keepGoing, sources == [.standardInput] {
      return LineByLine(reader, port, console).run()
    }
    do {
      var problems = ProblemReport(console, all: mode == .check || console.isJSON)
      var questions = ScriptQuestions()
      let script = reader.read(
        try ScriptSource.load(sources),
        isUnit: mode != .keepGoing,
        asks: { question in
          if console.saysYes { return }
          if console.canAsk { questions.add(question) } else { problems.add(question.refusal) }
        },
        report: { problems.add($0) }
      )
      problems.end()
      guard problems.count == 0 else { return .usage }
      guard mode != .check else { return .success }
      if let question = questions.text, mode != .dryRun, !console.isAgreed(question) {
        console.note("Nothing was changed.")
        return .failed
      }
      return ScriptJob(script, mode, port, console, reader).run()
    } catch {
      console.report(error)
      return .usage
    }
  }
}
