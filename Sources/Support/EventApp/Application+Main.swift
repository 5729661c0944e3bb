import EventCommands
import EventMVVM
import Foundation
import JSONText
import Platform

/// The process: reads its words, composes the application, runs a frontend, ends.
extension Application {
  /// Runs the process to its end; called once, by `main`, on the main thread.
  public func main() -> Never {
    signal(SIGPIPE, SIG_IGN)
    // A write to a file that may not grow returns an error. A handler, unlike an ignored signal, is
    // not inherited by started programs.
    signal(SIGXFSZ) { _ in }
    openStandardDescriptors()
    exit(run().code)
  }

  private func run() -> ExitStatus {
    var console = Console(write: writeAll)
    // An error in the words is JSON if any word is `--json`, read or not.
    for argument in ProcessArguments.all where !console.isJSON {
      if strcmp(argument, "--") == 0 { break }
      console.isJSON = strcmp(argument, "--json") == 0
    }
    do {
      guard !ProcessArguments.all.isEmpty else {
        throw Failure(.usage, "The words after the program's name can't be read; check LD_PRELOAD.")
      }
      let invocation = try Invocation(self, try words(), plugins)
      console = self.console(invocation.options)
      return try invocation.run(console)
    } catch let error as CommandError {
      return fail(error.failure, console)
    } catch let error as ConfigurationError {
      return fail(Failure(.usage, error.problems.joined(separator: "; ")), console)
    } catch {
      return fail(Failure(error), console)
    }
  }

  // MARK: What the process was given

  /// Opens descriptors that were closed at the start: no file gets the number of standard output.
  ///
  /// Writing to them still fails, and reading finds no input.
  private func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      // If the open fails here, a file that is opened later would get the number.
      guard open("/dev/null", O_RDONLY) == descriptor else { exit(ExitStatus.failed.code) }
    }
  }

  /// The arguments as words; they must be UTF-8.
  private func words() throws(CommandError) -> [Word] {
    var words: [Word] = []
    for (index, bytes) in ProcessArguments.all.dropFirst().enumerated() {
      guard let text = String(validatingCString: bytes) else {
        throw CommandError("argument \(index + 1) is not valid UTF-8", offset: index)
      }
      words.append(Word(text: text, offset: index, isBare: true))
    }
    return words
  }

  private func console(_ given: ProcessOptions) -> Console {
    var console = Console(write: writeAll)
    console.isJSON = given.json
    console.isQuiet = given.quiet
    console.saysYes = given.yes
    console.canAsk = isatty(0) == 1
    console.showsProgress = isatty(2) == 1 && !given.json
    console.hasColor = hasColor(given.color)
    console.width = TerminalSize(of: 1)?.columns
    return console
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

  private func fail(_ failure: Failure, _ console: Console) -> ExitStatus {
    console.report(failure)
    return failure.exitStatus
  }
}
