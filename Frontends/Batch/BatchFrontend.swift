package import EventCommands
package import EventMVVM
import JSONText

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

  package let name: String
  private let catalogue: Catalogue
  private let job: Job
  private let output: BatchOutput
  private let options: BatchOptions
  private let notices: [any TroubleNotice.Type]

  /// Prepares a job.
  ///
  /// - Parameters:
  ///   - name: The name of the session, as origins show it.
  ///   - catalogue: The commands.
  ///   - options: How to print, and what to answer.
  ///   - job: The job.
  ///   - notices: The notices that may be printed about what the job's own commands have come upon.
  package init(
    _ name: String,
    _ catalogue: Catalogue,
    _ options: BatchOptions,
    _ job: Job,
    notices: [any TroubleNotice.Type] = []
  ) {
    self.name = name
    self.notices = notices
    self.catalogue = catalogue
    self.options = options
    self.job = job
    output = BatchOutput(options)
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    for notice in notices { listen(to: notice, port) }
    switch job {
    case .command(let command):
      return OneShot(command, port, output, options).run()
    case .scripts(let sources, let mode):
      return runScripts(sources, mode, port)
    }
  }

  /// Says what is wrong that our own commands have come upon; what others do concerns no command.
  private func listen<N: TroubleNotice>(to type: N.Type, _ port: ViewPort) {
    let (own, output) = (port.origin, output)
    port.on(type) { notice, turn in
      if turn.origin == own { output.notice(notice.failure, notice.level) }
    }
  }

  private func runScripts(
    _ sources: [ScriptSource],
    _ mode: ScriptMode,
    _ port: ViewPort
  ) -> ExitStatus {
    let reader = ScriptReader(catalogue, saysYes: options.saysYes)
    if mode == .keepGoing, sources == [.standardInput] {
      return LineByLine(reader, port, output, options.rendering).run()
    }
    do {
      var problems = output.problems(all: mode == .check)
      let script = reader.read(try ScriptSource.load(sources)) { problems.add($0) }
      problems.end()
      guard problems.count == 0 else { return .usage }
      guard mode != .check else { return .success }
      return ScriptJob(script, mode, port, output, reader, options).run()
    } catch {
      output.report(error)
      return .usage
    }
  }
}

/// How a session prints, and what it answers.
package struct BatchOptions: Sendable {
  /// Whether results and errors are JSON.
  package var isJSON = false
  /// Whether results have colour.
  package var hasColor = false
  /// The columns that a line of text has; nil where it may be of any length.
  package var width: Int?
  /// Whether confirmations are left out.
  package var isQuiet = false
  /// Whether what a command would ask a person is answered with yes.
  package var saysYes = false
  /// Whether there is a person to ask.
  package var canAsk = false
  /// Whether messages go to a terminal, on which a long script shows how far it has come.
  package var showsProgress = false
  /// The descriptor that results are written to.
  package var results: Int32 = 1
  /// The descriptor that everything else is written to.
  package var messages: Int32 = 2

  /// The defaults: text without colour, nobody to ask.
  package init() {}

  /// How results are shown.
  var rendering: Rendering {
    var rendering = Rendering()
    rendering.isJSON = isJSON
    rendering.hasColor = hasColor
    rendering.isQuiet = isQuiet
    rendering.width = width
    return rendering
  }
}

/// The words after `run`.
package struct RunArguments: Sendable {
  /// The scripts; `-` is standard input.
  package var files: [String] = []
  /// Whether they are only read.
  package var check = false
  /// Whether they are rolled back in the end.
  package var dryRun = false
  /// Whether each line stands for itself.
  package var keepGoing = false

  /// How they are written.
  package static let spec = CommandSpec<Self>(
    "run",
    "Runs scripts as one: all of it takes effect, or nothing does."
  )
  .word(\.files, "A file, or - for standard input", placeholder: "FILE")
  .option(\.check, "Only read, and report every error")
  .option(\.dryRun, "Show what would change, and roll it back")
  .option(\.keepGoing, "Each line for itself; the exit status is 3 if some failed")
  .exclusive(\.check, \.dryRun, \.keepGoing)

  /// No files yet.
  package init() {}

  /// The sources; standard input where none is named.
  package var sources: [ScriptSource] {
    files.isEmpty
      ? [.standardInput] : files.map { $0.isIdentical(to: "-") ? .standardInput : .file($0) }
  }

  /// How they are run.
  package var mode: ScriptMode {
    check ? .check : dryRun ? .dryRun : keepGoing ? .keepGoing : .allOrNothing
  }
}
