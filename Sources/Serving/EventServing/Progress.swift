import EventCommands
import EventMVVM
import EventRPC
import JSONText

/// The progress of a request, sent to a client that gave a token for it.
///
/// The values are those of the Language Server Protocol: begin, at most ten reports a second, end.
struct Progress {
  /// The parameter that any request can have in addition to its own.
  static let parameter = "workDoneToken"

  private let token: JSON
  private let peer: RPCPeer
  private let lastReport = Locked(ContinuousClock.now)

  /// Removes the token from the parameters of a request.
  ///
  /// - Returns: The parameters without it; the progress is nil where there is none.
  /// - Throws: A usage error if the token is invalid.
  static func taken(
    from params: JSON,
    _ peer: RPCPeer
  ) throws(CommandError) -> (params: JSON, progress: Progress?) {
    guard case .object(var members) = params,
      let index = members.firstIndex(where: { $0.name.isIdentical(to: parameter) })
    else { return (params, nil) }
    let token = members.remove(at: index).value
    switch token {
    case .string, .integer: return (.object(members), Progress(token: token, peer: peer))
    default:
      throw CommandError(
        "/\(parameter): expected a string or an integer, found \(token.kind)",
        field: parameter,
        path: "/\(parameter)"
      )
    }
  }

  private init(token: JSON, peer: RPCPeer) {
    self.token = token
    self.peer = peer
  }

  /// Reports the beginning.
  func begin(_ title: String) {
    send { json in
      json.member("kind", "begin")
      json.member("title", title)
    }
  }

  /// Reports the progress, unless it did so a moment ago.
  func report(_ message: String) {
    let isDue = lastReport.withLock { last in
      guard last.duration(to: .now) >= .milliseconds(100) else { return false }
      last = .now
      return true
    }
    guard isDue else { return }
    send { json in
      json.member("kind", "report")
      json.member("message", message)
    }
  }

  /// Reports the end.
  func end() {
    send { $0.member("kind", "end") }
  }

  private func send(_ body: (inout JSONWriter) -> Void) {
    peer.send(
      RPCMessage.notification("$/progress") { json in
        json.member("token", token)
        json.key("value")
        json.object(body)
      }
    )
  }
}
