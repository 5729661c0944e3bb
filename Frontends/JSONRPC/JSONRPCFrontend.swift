import Platform
package import EventCommands
package import EventMVVM
import EventRPC
package import EventServing
import Foundation

/// The frontend of editors and programs: JSON-RPC 2.0 over standard input and output.
///
/// It depends on the catalogue and on no domain: every command is a method, and the notifications
/// are declared there as well. The calling thread reads, the stream has its own thread, and a third
/// one writes messages that can't be written at once.
package struct JSONRPCFrontend: Frontend {
  package let name = "jsonrpc"
  private let catalogue: Catalogue
  private let options: SessionOptions

  /// Creates the frontend.
  ///
  /// - Parameters:
  ///   - catalogue: The commands and the other declarations.
  ///   - options: Reports and default answers.
  package init(_ catalogue: Catalogue, _ options: SessionOptions) {
    self.catalogue = catalogue
    self.options = options
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    let output = Self.setOutputAside()
    guard let peer = RPCPeer(input: 0, output: output) else {
      _ = writeAll(Array("error: \(SystemProblem(EMFILE).text).\n".utf8), to: 2)
      return .failed
    }
    let session = Session(catalogue, options, port, peer)
    let isSettled = session.serve()
    guard !peer.hadNoThread else {
      _ = writeAll(Array("error: \(Failure.noThread.message)\n".utf8), to: 2)
      return .failed
    }
    return isSettled ? session.exitStatus : .failed
  }

  /// Reserves standard output for messages: other output goes to standard error.
  private static func setOutputAside() -> Int32 {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(2, 1) >= 0 else { return 1 }
    return output
  }
}
