import EventCommands
import EventMVVM
import Foundation

/// One command, from the words of the process.
struct OneShot {
  private let command: any Command
  private let port: ViewPort
  private let console: Console

  init(_ command: any Command, _ port: ViewPort, _ console: Console) {
    self.command = command
    self.port = port
    self.console = console
  }

  func run() -> ExitStatus {
    do {
      guard try isConfirmed() else {
        console.note("Nothing was changed.")
        return .failed
      }
    } catch {
      return failed(error)
    }
    if console.isJSON, let list = command.partedCommand {
      return LongList(port, console).run(list)
    }
    let (outcome, isDeclined) = send()
    switch outcome {
    case .success(let printout)?:
      let isWritten = console.print(printout.bytes, isConfirmation: type(of: command).writes)
      return isWritten ? printout.exitStatus : .failed
    case .failure(let failure)? where isDeclined:
      console.note("Nothing was changed.")
      return failure.exitStatus
    case .failure(let failure)?: return failed(failure)
    case nil: return failed(Failure(.unanswered, "Nobody answered the request."))
    }
  }

  /// Sends the command, or the second try that a person agreed to; returns its outcome, and whether
  /// a second try was declined, so that the failure has been shown.
  private func send() -> (Outcome?, isDeclined: Bool) {
    var outcome: Outcome?
    var isDeclined = false
    command.send(through: port, console.rendering) { failure, question in
      if console.saysYes { return true }
      guard console.canAsk else { return false }
      console.report(failure)
      isDeclined = !ask(question)
      return !isDeclined
    } then: {
      outcome = $0
    }
    port.run { outcome != nil }
    return (outcome, isDeclined)
  }

  private func failed(_ failure: Failure) -> ExitStatus {
    console.report(failure)
    return failure.exitStatus
  }

  /// Asks a person the command's question; fails where there is no person, and where the command
  /// would fail.
  private func isConfirmed() throws(Failure) -> Bool {
    guard let question = command.question, !console.saysYes else { return true }
    var checked: Result<Bool, Failure>?
    command.check(through: port) { checked = $0 }
    port.run { checked != nil }
    _ = try checked?.get()
    guard console.canAsk else {
      throw Failure(.usage, "\(question) Nobody can be asked here; --yes answers it.")
    }
    return ask(question)
  }

  private func ask(_ question: String) -> Bool {
    console.prompt("\(escapedForTerminal(question)) [y/N] ")
    return readLine()?.lowercased().hasPrefix("y") ?? false
  }
}
