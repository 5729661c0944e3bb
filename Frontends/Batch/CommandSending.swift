import EventCommands
import EventMVVM

/// What came of a command: what to print, or why there is nothing.
typealias Outcome = Result<Printout, Failure>

/// A result that is ready to be printed.
struct Printout {
  let bytes: [UInt8]
  /// How a process ends that prints it.
  let exitStatus: ExitStatus
}

/// Whether a person agrees to try again in another way, given the failure and the question.
typealias Agreement = (Failure, String) -> Bool

extension Command {
  /// Sends the command inside a unit, and renders its result.
  func send(
    in unit: StreamUnit,
    _ output: BatchOutput,
    agrees: @escaping Agreement,
    then: @escaping (Outcome) -> Void
  ) {
    unit.request(self) { result, _ in
      let outcome = outcome(result, output)
      guard let second = secondTry(after: outcome, agrees) else { return then(outcome) }
      second.send(in: unit, output, agrees: agrees, then: then)
    }
  }

  /// Sends the command on its own, and renders its result.
  func send(
    through port: ViewPort,
    _ output: BatchOutput,
    agrees: @escaping Agreement,
    then: @escaping (Outcome) -> Void
  ) {
    port.request(self) { result, _ in
      let outcome = outcome(result, output)
      guard let second = secondTry(after: outcome, agrees) else { return then(outcome) }
      second.send(through: port, output, agrees: agrees, then: then)
    }
  }

  /// What to send once more, if there is something and a person agrees to it.
  private func secondTry(after outcome: Outcome, _ agrees: Agreement) -> Self? {
    guard case .failure(let failure) = outcome, let second = secondTry(after: failure),
      agrees(failure, second.question)
    else { return nil }
    return second.command
  }

  private func outcome(_ result: Result<Reply, Interruption>, _ output: BatchOutput) -> Outcome {
    do {
      let value = try result.get().result.get()
      return .success(Printout(output.rendered(self, value), value.exitStatus))
    } catch {
      return .failure(Failure(error))
    }
  }
}

extension Printout {
  fileprivate init(_ bytes: [UInt8], _ exitStatus: ExitStatus) {
    self.bytes = bytes
    self.exitStatus = exitStatus
  }
}
