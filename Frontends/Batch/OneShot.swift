import EventCommands
import EventMVVM
import Foundation

/// One command, from the words of the process.
struct OneShot {
  private let command: any Command
  private let port: ViewPort
  private let output: BatchOutput
  private let options: BatchOptions

  init(_ command: any Command, _ port: ViewPort, _ output: BatchOutput, _ options: BatchOptions) {
    self.command = command
    self.port = port
    self.output = output
    self.options = options
  }

  func run() -> ExitStatus {
    do {
      guard try isConfirmed() else {
        output.note("Nothing was changed.")
        return .failed
      }
    } catch {
      return failed(error)
    }
    if options.isJSON, let list = command.partedCommand {
      return LongList(port, output).run(list)
    }
    var outcome: Outcome?
    command.send(through: port, output) { outcome = $0 }
    port.run { outcome != nil }
    switch outcome {
    case .success(let printout)?:
      return output.print(printout.bytes) ? printout.exitStatus : .failed
    case .failure(let failure)?: return failed(failure)
    case nil: return failed(Failure(.unanswered, "Nobody answered the request."))
    }
  }

  private func failed(_ failure: Failure) -> ExitStatus {
    output.report(failure)
    return failure.exitStatus
  }

  /// Asks a person what the command wants to have asked; fails where there is nobody.
  private func isConfirmed() throws(Failure) -> Bool {
    guard let question = command.question, !options.saysYes else { return true }
    guard options.canAsk else {
      throw Failure(.usage, "\(question) Nobody can be asked here; --yes answers it.")
    }
    FileHandle.standardError.write(Data("\(escapedForTerminal(question)) [y/N] ".utf8))
    return readLine()?.lowercased().hasPrefix("y") ?? false
  }
}
