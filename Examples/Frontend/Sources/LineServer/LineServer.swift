public import EventCommands
import EventMVVM
import Foundation

/// Serves programs on a port of this machine beside a session: each line of a client is a command,
/// and the answer is the text that a person would read.
public struct LineServer: ProgramFrontend {
  /// Its name.
  public let name = "lines"
  private let number = Locked<Int?>(nil)
  private let sockets = Locked<[Int32]>([])

  /// Creates it; with `--lines PORT` it listens.
  public init() {}

  /// `--lines PORT`.
  public var options: OptionGroup? {
    OptionGroup(LineServerOptions.spec, LineServerOptions(), forSessions: true) { [number] given in
      number.withLock { $0 = given.lines }
    }
  }

  /// Begins to listen.
  public func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) throws {
    guard session.isLasting, let number = number.withLock({ $0 }) else { return }
    let listener = try listeningSocket(number)
    sockets.withLock { $0.append(listener) }
    Thread.detachNewThread { [sockets] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        sockets.withLock { $0.append(client) }
        let port = ports("lines \(client)")
        Thread.detachNewThread { serve(client, session.catalogue, port) }
      }
    }
  }

  /// Ends all connections: their clients read the end of their input.
  public func finish(_ session: ProcessSession) {
    for socket in sockets.withLock({ $0 }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }
}

/// Answers the lines of one client, to its end.
private func serve(_ client: Int32, _ catalogue: Catalogue, _ port: ViewPort) {
  let input = fdopen(client, "r")
  var (line, room): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
  while getline(&line, &room, input) > 0, let line {
    let text = catalogue.answer(to: String(cString: line), through: port)
    guard send(client, text, text.utf8.count, Int32(MSG_NOSIGNAL)) >= 0 else { break }
  }
  port.end()
  fclose(input)
}

/// Opens a socket that any program of this machine can connect to, and no other machine.
private func listeningSocket(_ port: Int) throws(Failure) -> Int32 {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
  address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
  let isBound = withUnsafeBytes(of: &address) {
    bind(listener, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
  }
  guard 1...65535 ~= port, isBound, listen(listener, 8) == 0 else {
    throw Failure(.usage, "Port \(port) can't be listened on.")
  }
  return listener
}

struct LineServerOptions: Sendable {
  var lines: Int?
  static let spec = CommandSpec<Self>("", "")
    .option(\.lines, "Serves lines on a port of this machine", flag: "--lines", placeholder: "PORT")
}
