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
