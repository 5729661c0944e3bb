import EventCommands
import EventMVVM
import JSONText

/// Runs one command, and writes its result as JSON: a list part by part, however long it is.
struct ResultsFrontend: Frontend {
  let name = "results"
  let catalogue: Catalogue
  let words: [Word]
  let write: ([UInt8]) -> Void

  func run(_ port: ViewPort) -> ExitStatus {
    do {
      let command = try catalogue.read(words)
      if let question = command.question { throw Failure(.usage, "\(question) Nobody answers.") }
      return try send(command, port)
    } catch let error as CommandError {
      return report(error.failure)
    } catch {
      return report(Failure(error))
    }
  }

  /// A list is asked for in parts, anything else as a whole.
  private func send<C: Command>(_ command: C, _ port: ViewPort) throws -> ExitStatus {
    if let list = command.partedCommand { return try sendParts(list, port) }
    let value = try reply(to: command, port).result.get()
    var json = JSONWriter()
    value.write(to: &json)
    write(json.bytes)
    return value.exitStatus
  }

  /// Each reply says how to ask for what follows.
  private func sendParts<C: PartedCommand>(_ command: C, _ port: ViewPort) throws -> ExitStatus {
    var json = JSONWriter()
    json.beginArray()
    var next: C? = command.inParts(of: 1000)
    while let part = next {
      let reply = try reply(to: part, port)
      try reply.result.get().writeItems(to: &json)
      next = reply.rest
      if next == nil { json.endArray() }
      write(json.takeBytes())
    }
    return .success
  }

  private func reply<C: Command>(to command: C, _ port: ViewPort) throws -> C.Reply {
    var outcome: Result<C.Reply, Interruption>?
    port.request(command) { result, _ in outcome = result }
    port.run { outcome != nil }
    return try (outcome ?? .failure(.unanswered)).get()
  }

  private func report(_ failure: Failure) -> ExitStatus {
    var json = JSONWriter()
    json.object { failure.write(to: &$0) }
    write(json.bytes)
    switch failure.kind {
    case .usage: return .usage
    case .store: return .store
    default: return .failed
    }
  }
}
