package import EventCommands
import EventMVVM
import EventServing
import Foundation

/// A server of the program over standard input and output: `serve --stdio`.
package struct JSONRPCLauncher: ProgramFrontend {
  package let name = "jsonrpc"

  /// Creates it.
  package init() {}

  package var verbs: [ProcessVerb] {
    [
      ProcessVerb(
        ServeArguments.spec,
        ServeArguments(),
        isSession: true,
        takesEarlyOptions: true
      ) { arguments, host in
        guard arguments.stdio else {
          throw CommandError("'serve' needs --stdio: it speaks over standard input and output")
        }
        guard fcntl(1, F_GETFL) & O_ACCMODE != O_RDONLY else {
          throw Failure(.unanswered, "standard output is closed: no client could be answered")
        }
        return try host.run(.service) { session in
          var options = SessionOptions(program: session.program, version: session.version)
          options.saysYes = session.saysYes
          options.clientProcess = arguments.clientProcessId
          return JSONRPCFrontend(session.catalogue, options)
        }
      }
    ]
  }
}

/// The words after `serve`.
struct ServeArguments: Sendable {
  /// Whether standard input and output are spoken over; there is nothing else yet.
  var stdio = false
  /// The client's process.
  var clientProcessId: Int?

  static let spec = CommandSpec<Self>("serve", "JSON-RPC 2.0 for editors and programs.")
    .option(\.stdio, "Over standard input and output", flag: "--stdio")
    .option(\.clientProcessId, "Ends with this process", flag: "--clientProcessId")
}
