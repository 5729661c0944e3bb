import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting

/// Requests to a server; where that is killed, to the next one.
struct ServerClient {
  private let place: Workplace
  private var server: RPCClient?
  private var draw: Draw

  init(_ draw: Draw, store: String) throws {
    self.draw = draw
    place = try Workplace(store: store)
  }

  /// So many requests, up to three at once.
  mutating func requests(_ count: Int) throws -> [Operation] {
    var operations: [Operation] = []
    while operations.count < count { operations += try some(draw.chance.pick(1...3)) }
    return operations
  }

  private mutating func some(_ count: Int) throws -> [Operation] {
    let server = try self.server ?? RPCClient(place)
    self.server = server
    var asked: [Int: Operation] = [:]
    for _ in 0..<count {
      let request = draw.request()
      let begin = now()
      let id = server.ask(request.call.method, request.call.params)
      asked[id] = Operation(
        client: draw.client,
        request: request,
        begin: begin,
        end: .max,
        answer: .unknown
      )
    }
    if let death = draw.death(once: 6, within: 6000) {
      // The moment is what is tested: any one, between two instructions.
      usleep(death)
      server.kill()
      self.server = nil
      // What it has said is in the pipe; a part of a message may follow, which is none.
      while let message = try? server.read() { note(message, in: &asked) }
      _ = server.end()
    } else {
      while asked.values.contains(where: { $0.answer == .unknown }) {
        note(try server.read(), in: &asked)
      }
    }
    return asked.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func note(_ message: JSON, in asked: inout [Int: Operation]) {
    guard let id = message["id"]?.number, asked[id] != nil else { return }
    let answer: Operation.Answer =
      if let error = message["error"] {
        .init(error: error.flattened)
      } else {
        .init(results: [message["result"] ?? .null])
      }
    draw.learn(from: answer)
    asked[id]?.answer = answer
    asked[id]?.end = now()
  }
}

extension JSON {
  /// An error of the protocol as a command prints it: what is in `data`, and the message.
  fileprivate var flattened: JSON {
    guard case .object(let members) = self["data"] else { return self }
    return .object(members + [Member("message", self["message"] ?? .null)])
  }
}
