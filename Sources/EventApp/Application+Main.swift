import Batch
import EventCommands
import EventMVVM
import EventPatterns
import Foundation
import JSONText
import REPL

/// The process: reads its words, puts the application together, runs a frontend, ends.
extension Application {
  /// Runs the process to its end; called once, by `main`, on the main thread.
  public func main() -> Never {
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow is an error of the write. What is caught, unlike what is ignored,
    // programs that are started don't inherit.
    signal(SIGXFSZ) { _ in }
    openStandardDescriptors()
    exit(run().code)
  }

  private func run() -> ExitStatus {
    var options = BatchOptions()
    // An error in the words is JSON wherever that is asked for, read so far or not.
    for argument in CommandLine.arguments where !options.isJSON {
      if argument.isIdentical(to: "--") { break }
      options.isJSON = argument.isIdentical(to: "--json")
    }
    do {
      let invocation = try Invocation(self, try words(), plugins)
      options = self.options(invocation.options)
      switch invocation.mode {
      case .version: return showVersion(invocation.options)
      case .repl(let link): return try converse(invocation, link, options)
      case .completions(let arguments):
        return complete(arguments, invocation.options, BatchOutput(options))
      case .serve(let arguments):
        guard fcntl(1, F_GETFL) & O_ACCMODE != O_RDONLY else {
          throw Failure(.unanswered, "standard output is closed: no client could be answered")
        }
        let server = Composition.server(invocation, options, arguments)
        return try Composition(invocation).run(server, invocation, options)
      case .verb(_, let run): return try run(VerbHost(application: self, options: options))
      case .job(let job): return try Composition(invocation).run(job, invocation, options)
      }
    } catch let error as CommandError {
      return fail(error.failure, options)
    } catch let error as ConfigurationError {
      return fail(Failure(.usage, error.problems.joined(separator: "; ")), options)
    } catch {
      return fail(Failure(error), options)
    }
  }

  private func showVersion(_ given: ProcessOptions) -> ExitStatus {
    let text =
      given.json ? #"{"version":"\#(program.version)"}"# : "\(program.name) \(program.version)"
    let isWritten = BatchOutput(options(given)).print(Array((text + "\n").utf8))
    return isWritten ? .success : .failed
  }

  /// Talks with a person; a terminal that knows no escape sequences gets each line answered.
  private func converse(
    _ invocation: Invocation,
    _ link: RequestOpen?,
    _ options: BatchOptions
  ) throws -> ExitStatus {
    guard let frontend = Composition.repl(invocation, opening: link, options) else {
      guard link == nil else {
        throw CommandError("this terminal can show no screens")
      }
      var invocation = invocation
      let job = BatchFrontend.Job.scripts([.standardInput], .keepGoing)
      invocation.mode = .job(job)
      return try Composition(invocation).run(job, invocation, options)
    }
    return try Composition(invocation).run(frontend, invocation, options)
  }

  // MARK: What the process was given

  /// Fills descriptors that were closed at the start, so that no file that is opened later is taken
  /// for standard output; to write to what was closed still fails, and there is nothing to be read.
  private func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // Where nothing can be opened here, a file that is opened later would get the number.
      guard open("/dev/null", O_RDONLY) == descriptor else { exit(ExitStatus.failed.code) }
    }
  }

  /// The arguments as words; they must be UTF-8.
  private func words() throws(CommandError) -> [Word] {
    var words: [Word] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = CommandLine.unsafeArgv[index] else { break }
      guard let text = String(validatingCString: bytes) else {
        throw CommandError("argument \(index) is not valid UTF-8", offset: index - 1)
      }
      words.append(Word(text: text, offset: index - 1, isBare: true))
    }
    return words
  }

  private func options(_ given: ProcessOptions) -> BatchOptions {
    var options = BatchOptions()
    options.isJSON = given.json
    options.isQuiet = given.quiet
    options.saysYes = given.yes
    options.canAsk = isatty(0) == 1
    options.showsProgress = isatty(2) == 1 && !given.json
    options.hasColor = hasColor(given.color)
    options.width = TerminalSize(of: 1)?.columns
    return options
  }

  private func hasColor(_ choice: ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto:
      isatty(1) == 1 && UserPaths.variable("NO_COLOR") == nil
        && UserPaths.variable("TERM").map { $0 != "dumb" } ?? false
    }
  }

  private func fail(_ failure: Failure, _ options: BatchOptions) -> ExitStatus {
    BatchOutput(options).report(failure)
    return failure.exitStatus
  }
}
