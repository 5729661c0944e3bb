import NIOHTTP1

/// Decides which requests are answered: only those of a page that this server has served to a person who had the
/// address it printed.
///
/// - The secret is random, of 128 bits, and ends with the process. It is in the address's fragment, which a browser
///   sends to no server. The page keeps it for its tab and its origin, and sends it in a header. So it is no cookie:
///   those go to every port of a host, and so to other programs of this machine.
/// - Only the files of the page need no secret: they hold nothing of a recording.
/// - The host must be this one: a name that an attacker resolves to 127.0.0.1 is refused (DNS rebinding).
/// - An origin, and what the browser says of a request's site, must be this one's.
///
/// Any other request gets one and the same refusal, whatever it asks for.
struct Access: Sendable {
  /// The outcome for a request.
  enum Decision: Equatable {
    /// It is answered.
    case granted
    /// It has no secret: it gets a file of the page, or is refused.
    case isForPage
    /// It is refused.
    case refused
  }

  /// The secret in the address.
  private let token = Self.secret()
  private let port: Int

  init(port: Int) { self.port = port }

  /// The address that opens the page.
  var address: String { "http://127.0.0.1:\(port)/#token=\(token)" }

  /// Decides on a request.
  func decide(_ head: HTTPRequestHead) -> Decision {
    let hosts = head.headers["host"]
    guard hosts.count == 1, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(hosts[0]),
      head.headers["origin"].allSatisfy({ $0 == "http://\(hosts[0])" }),
      // A person opens the page from a terminal or from another program; a page of another site can't.
      head.headers["sec-fetch-site"].allSatisfy({ $0 == "none" || $0 == "same-origin" })
    else { return .refused }
    let given = head.headers["authorization"]
    guard !given.isEmpty else { return .isForPage }
    return given.count == 1 && Self.isSame(given[0], "Bearer \(token)") ? .granted : .refused
  }

  private static func secret() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2)
      .map { _ in
        let text = String(generator.next() as UInt64, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
      }
      .joined()
  }

  /// Whether two texts are the same, in a time that does not depend on where they differ.
  private static func isSame(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
