import NIOHTTP1

/// Decides which requests are answered: only those of a page that this server has served to a person who had the
/// address it printed.
///
/// - The secret of the address is exchanged for a cookie, and is in no address after that. Both are random, of 128 bits,
///   and end with the process. The cookie is sent with no request that another site causes (`SameSite=Strict`), and no
///   script reads it (`HttpOnly`).
/// - The host must be this one: a name that an attacker resolves to 127.0.0.1 is refused (DNS rebinding).
/// - An origin, and what the browser says of a request's site, must be this one's.
///
/// Any other request gets one and the same refusal, whatever it asks for.
struct Access: Sendable {
  /// The outcome for a request.
  enum Decision: Equatable {
    /// It is answered.
    case granted
    /// It had the secret, and gets the cookie.
    case exchanged(cookie: String)
    /// It is refused.
    case refused
  }

  /// The secret in the address.
  let token = Self.secret()
  private let session = Self.secret()
  private let port: Int

  init(port: Int) { self.port = port }

  /// The address that opens the page.
  var address: String { "http://127.0.0.1:\(port)/?token=\(token)" }
  /// Cookies are shared by all ports of a host.
  private var cookieName: String { "inspector-\(port)" }

  /// Decides on a request.
  func decide(_ head: HTTPRequestHead, path: String, token given: String?) -> Decision {
    let hosts = head.headers["host"]
    guard hosts.count == 1, ["127.0.0.1:\(port)", "localhost:\(port)"].contains(hosts[0]),
      head.headers["origin"].allSatisfy({ $0 == "http://\(hosts[0])" })
    else { return .refused }
    let sites = head.headers["sec-fetch-site"]
    if head.method == .GET, path == "/", let given {
      // A person opens it from a terminal or from another program; a page of another site can't.
      guard sites.allSatisfy({ $0 == "none" || $0 == "same-origin" }),
        Self.isSame(given, token)
      else { return .refused }
      return .exchanged(cookie: "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict")
    }
    guard sites.allSatisfy({ $0 == "none" || $0 == "same-origin" }),
      cookies(head).contains(where: { Self.isSame($0, session) })
    else { return .refused }
    return .granted
  }

  private func cookies(_ head: HTTPRequestHead) -> [String] {
    head.headers["cookie"].flatMap { $0.split(separator: ";") }
      .compactMap { pair in
        let parts = pair.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == cookieName else {
          return nil
        }
        return String(parts[1])
      }
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
