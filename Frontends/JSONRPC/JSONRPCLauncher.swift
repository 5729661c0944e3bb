public import EventCommands
import EventMVVM
import EventServing
import Foundation

/// A server of the program over standard input and output: `serve --stdio`.
public struct JSONRPCLauncher: ProgramFrontend {
  /// Its name among the frontends.
  public let name = "jsonrpc"
  private let sockets: SocketListener

  /// Creates it.
  ///
  /// - Parameter sockets: The listener for more clients.
  public init(beside sockets: SocketListener) {
    self.sockets = sockets
  }

  /// Creates the frontends of a program that serves: this one, and its listener.
  public static func withSockets() -> [any ProgramFrontend] {
    let sockets = SocketListener()
    return [JSONRPCLauncher(beside: sockets), sockets]
  }

  /// Its verbs of the process.
  public var verbs: [ProcessVerb] {
    [
      ProcessVerb(
        ServeArguments.spec,
        ServeArguments(),
        isSession: true,
        takesEarlyOptions: true
      ) { [sockets] arguments, host in
        guard arguments.stdio else {
          throw CommandError("'serve' needs --stdio: it speaks over standard input and output")
        }
        guard fcntl(1, F_GETFL) & O_ACCMODE != O_RDONLY else {
          throw Failure(.unanswered, "standard output is closed: no client could be answered")
        }
        var problem: String?
        if arguments.attach != .nowhere {
          do throws(Failure) {
            let client = arguments.client
            return try Self.attachment(arguments, host, sockets)
              .run { client?.isRunning ?? true }
          } catch {
            problem = error.message
            // The process to connect to may be the one that listens there.
            sockets.yield()
          }
        }
        return try host.run(.service) { session in
          var options = SessionOptions(session)
          options.clientProcess = arguments.clientProcessId
          options.notice = problem.map { problem in
            let reasons = [problem, sockets.problem].compactMap(\.self).joined(separator: " ")
            return Failure(.unanswered, "This process serves by itself. \(reasons)")
          }
          return JSONRPCFrontend(session.catalogue, options)
        }
      }
    ]
  }

  /// Connects to a process that serves the same, after the client's first message.
  ///
  /// - Throws: Why there is none to connect to.
  private static func attachment(
    _ arguments: ServeArguments,
    _ host: any ProcessHost,
    _ sockets: SocketListener
  ) throws(Failure) -> Attachment {
    let session = try host.session(.service)
    let listens = sockets.place == arguments.attach
    if let flag = session.givenFlags.first(where: { !listens || $0 != SocketOptions.flag }) {
      throw Failure(.usage, "\(flag) is for a process of its own.")
    }
    let client = arguments.client
    Attachment.waitForClient { client?.isRunning ?? true }
    return try Attachment(arguments.attach, session)
  }
}

/// The words after `serve`.
struct ServeArguments: Sendable {
  /// Whether standard input and output are used.
  var stdio = false
  /// The client's process.
  var clientProcessId: Int?
  /// The socket of a process to connect to instead.
  var attach = SocketPlace.nowhere

  /// The client's process; nil if none is given.
  var client: ClientProcess? { clientProcessId.flatMap(ClientProcess.init) }

  static let spec = CommandSpec<Self>("serve", "JSON-RPC 2.0 for editors and programs.")
    .option(\.stdio, "Over standard input and output", flag: "--stdio")
    .option(\.clientProcessId, "Ends with this process", flag: "--clientProcessId")
    .option(\.attach, "Joins a process that listens and serves the same", flag: "--attach")
}
