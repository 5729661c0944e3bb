import EventCommands
import EventMVVM
import JSONText

/// Runs one command, and writes its result as JSON: a list part by part, however long it is.
struct ResultsFrontend: Frontend {
  let name = "results"
  let catalogue: Catalogue
  let words: [Word]
  let write: @Sendable ([UInt8]) -> Void

  func run(_ port: ViewPort) -> ExitStatus {
    do {
      return end(run(port).run(try catalogue.read(words), on: port))
    } catch {
      return end(.failed(error.failure))
    }
  }

  /// No person can be asked here.
  private func run(_ port: ViewPort) -> CommandRun {
    CommandRun(
      through: port,
      Rendering(isJSON: true),
      write: { part, _, then in
        write(part)
        then(true)
      }
    )
  }

  private func end(_ ending: CommandRun.Ending) -> ExitStatus {
    switch ending {
    case .printed(let printout):
      if !printout.bytes.isEmpty { write(printout.bytes) }
      return printout.exitStatus
    case .failed(let failure), .declined(let failure):
      var json = JSONWriter()
      json.object { failure.write(to: &$0) }
      write(json.bytes)
      return failure.exitStatus
    }
  }
}
