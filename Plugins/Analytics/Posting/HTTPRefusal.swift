import Foundation

/// An answer of a server that has not taken a batch (RFC 9110, §15.5 and §15.6).
struct HTTPRefusal: Equatable {
  /// What precedes the status in what `curl` prints.
  static let mark = "status "

  let status: Int
  /// How long the server asks to wait; nil if it does not say so in seconds.
  let retryAfter: Duration?

  init(_ status: Int, retryAfter: Duration? = nil) {
    self.status = status
    self.retryAfter = retryAfter
  }

  /// Reads it from the lines of `curl`; nil if there is none.
  init?(in text: String) {
    guard let line = text.split(separator: "\n").last(where: { $0.hasPrefix(Self.mark) }) else {
      return nil
    }
    let words = line.dropFirst(Self.mark.count).split(separator: " ")
    guard let status = words.first.flatMap({ Int($0) }), (400...599).contains(status) else {
      return nil
    }
    // A day at most, which is longer than any wait here; RFC 9110, §10.2.3 has dates as well.
    let seconds = words.count == 2 ? Int(words[1]).map { min(max($0, 0), 86_400) } : nil
    self.init(status, retryAfter: seconds.map { .seconds($0) })
  }

  /// The problem for a person, and what another attempt is good for.
  var problem: PostProblem {
    PostProblem(message: words.replacing("STATUS", with: String(status)), prospect: prospect)
  }

  private var prospect: PostProblem.Prospect {
    switch status {
    case 400, 413, 422: .never
    // A request that came too slowly, too early or too often is fine by itself.
    case 408, 425, 429, 500...: .soon(after: retryAfter)
    default: .corrected
    }
  }

  private var words: String {
    switch status {
    case 400, 422: "it can't read the batch (STATUS); ask for the form it expects at that address"
    case 413: "the batch is too long for it (STATUS)"
    case 401: "it wants another name and password (STATUS); put them into ~/.netrc"
    case 403: "it does not permit this (STATUS); ask the person who runs it"
    case 404, 405, 410: "it takes no statistics at that address (STATUS); correct the address"
    case 407: "the proxy wants another name and password (STATUS); correct its address"
    case 408, 425, 429, 500...: "it can't take the batch now (STATUS)\(wait)"
    default: "it refuses the batch (STATUS); ask the person who runs it"
    }
  }

  private var wait: String {
    switch retryAfter?.components.seconds {
    case nil, 0: ""
    case 1: "; it asks to wait for a second"
    case let seconds?: "; it asks to wait for \(seconds) seconds"
    }
  }
}
