import EventCommands
import EventMVVM
import JSONText

/// Prints a list as JSON while it is read, a part at a time, of any length.
struct LongList {
  private static let partSize = 1000

  private let port: ViewPort
  private let console: Console

  init(_ port: ViewPort, _ console: Console) {
    self.port = port
    self.console = console
  }

  /// Requests one part after the other, and prints each.
  func run<C: PartedCommand>(_ command: C) -> ExitStatus {
    var json = JSONWriter()
    json.beginArray()
    var next: C? = command.inParts(of: Self.partSize)
    while let request = next {
      do {
        let reply = try reply(to: request)
        try reply.result.get().writeItems(to: &json)
        next = reply.rest
      } catch {
        let failure = Failure(error)
        console.report(failure)
        return failure.exitStatus
      }
      if next == nil { json.endArray() }
      let end = next == nil ? [UInt8(ascii: "\n")] : []
      guard console.print(json.takeBytes() + end) else { return .failed }
    }
    return .success
  }

  private func reply<C: PartedCommand>(to request: C) throws -> C.Reply {
    var outcome: Result<C.Reply, Interruption>?
    port.request(request) { result, _ in outcome = result }
    port.run { outcome != nil }
    guard let outcome else { throw Interruption.unanswered }
    return try outcome.get()
  }
}
