package import EventCommands
package import EventMVVM

/// The frontend of one-shot commands and scripts: it reads words, sends requests, prints results.
///
/// It knows the catalogue and no domain. A script is read whole and runs by ``ScriptJob``, on
/// `ScriptRun`: by default as one unit, of which all takes effect or nothing does, and whose
/// results are printed once it is committed. `run --keep-going` from standard input goes another
/// way: by ``LineByLine``, each line before the next is read.
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

  /// Prepares a job.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - console: How to print, and what to answer.
  ///   - job: The job.
  package init(_ catalogue: Catalogue, _ console: Console, _ job: Job) {
    self.catalogue = catalogue
    self.console = console
    self.job = job
  }

  /// The name of the session, as origins show it.
  package var name: String {
    switch job {
    case .command: "cli"
    case .scripts: "batch"
    }
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    for notice in catalogue.wire.notices { listen(to: notice, port) }
    switch job {
    case .command(let command):
      return OneShot(command, port, console).run()
    case .scripts(let sources, let mode):
      return runScripts(sources, mode, port)
    }
  }

  /// Says what is wrong that our own commands have come upon; what others do concerns no command.
  private func listen<N: TroubleNotice>(to type: N.Type, _ port: ViewPort) {
    let (own, console) = (port.origin, console)
    port.on(type) { notice, turn in
      guard turn.origin == own else { return }
      let message = notice.failure.message
      console.remark(console.isJSON ? message : "\(notice.level.rawValue): \(message)")
    }
  }

  private func runScripts(
    _ sources: [ScriptSource],
    _ mode: ScriptMode,
    _ port: ViewPort
  ) -> ExitStatus {
    let reader = ScriptReader(catalogue, saysYes: console.saysYes)
    if mode == .keepGoing, sources == [.standardInput] {
      return LineByLine(reader, port, console).run()
    }
    do {
      var problems = ProblemReport(console, all: mode == .check || console.isJSON)
      let script = reader.read(try ScriptSource.load(sources)) { problems.add($0) }
      problems.end()
      guard problems.count == 0 else { return .usage }
      guard mode != .check else { return .success }
      return ScriptJob(script, mode, port, console, reader).run()
    } catch {
      console.report(error)
      return .usage
    }
  }
}
