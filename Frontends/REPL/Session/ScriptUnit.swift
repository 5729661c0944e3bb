import EventCommands
import EventMVVM

/// A script as one unit: all of it is kept, or nothing is.
final class ScriptUnit: Sendable {
  private let script: Script
  private let reader: ScriptReader
  private let rendering: Rendering
  private let port: ViewPort
  private let state = Locked(State())

  private struct State {
    var next = 0
    var printed: [UInt8] = []
    var isCancelled = false
    var result: Result<[UInt8], ScriptFailure>?
  }

  init(_ script: Script, _ reader: ScriptReader, _ rendering: Rendering, _ port: ViewPort) {
    self.script = script
    self.reader = reader
    self.rendering = rendering
    self.port = port
  }

  /// What came of it: all that is to be printed, or what went wrong; nil while it runs.
  var result: Result<[UInt8], ScriptFailure>? { state.withLock { $0.result } }

  /// Takes it back before its next command.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// Runs it; `whenOver` is called on the stream's home thread.
  func begin(whenOver: @escaping @Sendable () -> Void) {
    port.begin(.allOrNothing) { [self] result, _ in
      switch result {
      case .success(let unit): step(unit, whenOver)
      case .failure(let failure): end(.failure(ScriptFailure(failure)), whenOver)
      }
    }
  }

  private func step(_ unit: StreamUnit, _ whenOver: @escaping @Sendable () -> Void) {
    let (next, isCancelled) = state.withLock { state in
      defer { state.next += 1 }
      return (state.next, state.isCancelled)
    }
    if isCancelled {
      return takeBack(unit, ScriptFailure(Failure(.cancelled, "Interrupted.")), whenOver)
    }
    guard next < script.lines.count else { return keep(unit, whenOver) }
    let line = script.lines[next]
    do {
      try reader.command(of: line, in: script)
        .send(in: unit, rendering, agrees: reader.agrees) { [self] outcome in
          switch outcome {
          case .success(let printout):
            state.withLock { $0.printed += printout.bytes }
            step(unit, whenOver)
          case .failure(let failure):
            let problem = reader.problem(failure, line, script.sources[line.source])
            takeBack(unit, ScriptFailure(problem), whenOver)
          }
        }
    } catch {
      takeBack(unit, ScriptFailure(error), whenOver)
    }
  }

  private func keep(_ unit: StreamUnit, _ whenOver: @escaping @Sendable () -> Void) {
    unit.keep { [self] result, _ in
      end(
        result.mapError { ScriptFailure($0) }.map { state.withLock { $0.printed } },
        whenOver
      )
    }
  }

  private func takeBack(
    _ unit: StreamUnit,
    _ failure: ScriptFailure,
    _ whenOver: @escaping @Sendable () -> Void
  ) {
    unit.takeBack { [self] _, _ in end(.failure(failure), whenOver) }
  }

  private func end(
    _ result: Result<[UInt8], ScriptFailure>,
    _ whenOver: @escaping @Sendable () -> Void
  ) {
    state.withLock { $0.result = result }
    whenOver()
  }
}

/// Why a script was taken back, as it is shown.
struct ScriptFailure: Error {
  let text: String

  init(_ failure: Failure) {
    text = "error: " + escapedForTerminal(failure.message)
  }

  init(_ problem: Problem) {
    text = problem.diagnostic.rendered()
  }
}
