import EventCommands
import EventMVVM

/// What came of a command: what to print, or why there is nothing.
typealias Outcome = Result<[UInt8], Failure>

extension Command {
  /// Sends the command inside a unit, and renders its result.
  func send(in unit: StreamUnit, _ output: BatchOutput, then: @escaping (Outcome) -> Void) {
    unit.request(self) { result, _ in then(outcome(result, output)) }
  }

  /// Sends the command on its own, and renders its result.
  func send(through port: ViewPort, _ output: BatchOutput, then: @escaping (Outcome) -> Void) {
    port.request(self) { result, _ in then(outcome(result, output)) }
  }

  private func outcome(_ result: Result<Reply, Interruption>, _ output: BatchOutput) -> Outcome {
    do {
      return .success(output.rendered(self, try result.get().result.get()))
    } catch {
      return .failure(Failure(error))
    }
  }
}
