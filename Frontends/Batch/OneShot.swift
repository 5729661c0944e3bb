import EventCommands
import EventMVVM
import Foundation

/// One command, from the words of the process; a list in JSON is printed as it is read.
struct OneShot {
  private let port: ViewPort
  private let console: Console

  init(_ port: ViewPort, _ console: Console) {
    self.port = port
    self.console = console
  }

  func run(_ command: any Command) -> ExitStatus {
    let isUnwritten = Locked(false)
    let run = CommandRun(
      through: port,
      console.rendering,
      saysYes: console.saysYes,
      ask: console.asking()
    ) { [console] part, _, then in
      let isWritten = console.print(part)
      if !isWritten { isUnwritten.withLock { $0 = true } }
      then(isWritten)
    }
    let status = console.end(run.run(command, on: port))
    return isUnwritten.withLock { $0 } ? .failed : status
  }
}

extension Console {
  /// Prints how a run has ended.
  func end(_ ending: CommandRun.Ending) -> ExitStatus {
    switch ending {
    case .printed(let printout):
      return print(printout) ? printout.exitStatus : .failed
    case .failed(let failure):
      report(failure)
      return failure.exitStatus
    case .declined(let failure):
      note("Nothing was changed.")
      return failure.exitStatus
    }
  }

  /// Reports the troubles that this session's commands cause; those of others concern no command.
  func listen<N: TroubleNotice>(to type: N.Type, _ port: ViewPort) {
    let own = port.origin
    port.on(type) { notice, turn in
      guard turn.origin == own else { return }
      let message = notice.failure.message
      remark(isJSON ? message : "\(notice.level.rawValue): \(message)")
    }
  }

  /// Prints a result; returns false if it can't be written.
  func print(_ printout: Printout) -> Bool {
    printout.bytes.isEmpty || print(printout.bytes, isConfirmation: printout.isConfirmation)
  }

  /// Returns what asks the person at the terminal; nil where there is none.
  ///
  /// - Parameter read: Reads the next line of standard input.
  /// - Returns: The asking of a ``CommandRun``.
  func asking(
    _ read: @escaping @Sendable () -> String? = { readLine() }
  ) -> CommandRun.Asking? {
    guard canAsk else { return nil }
    return { question, then in
      if let failure = question.failure { report(failure) }
      then(isAgreed(question.text, read) ? .yes : .no)
      return nil
    }
  }

  /// Asks the person at the terminal a question.
  func isAgreed(_ question: String, _ read: () -> String? = { readLine() }) -> Bool {
    prompt("\(escapedForTerminal(question)) [y/N] ")
    return read()?.lowercased().hasPrefix("y") ?? false
  }
}
