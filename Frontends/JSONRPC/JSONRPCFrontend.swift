import Platform
package import EventCommands
package import EventMVVM
import EventRPC
package import EventServing
import Foundation

/// The frontend of editors and programs: JSON-RPC 2.0 over standard input and output.
///
/// It knows the catalogue and no domain: a command is a method because it is there, and what is
/// told without being asked for is declared there, too. The calling thread reads, the stream has a
/// thread of its own, and a third one writes what can't be written at once.
package struct JSONRPCFrontend: Frontend {
  package let name = "jsonrpc"
  private let catalogue: Catalogue
  private let options: SessionOptions

  /// Prepares a session.
  ///
  /// - Parameters:
  ///   - catalogue: The commands, and what else is declared.
  ///   - options: What the client is told, and what is answered for it.
  package init(_ catalogue: Catalogue, _ options: SessionOptions) {
    self.catalogue = catalogue
    self.options = options
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    let output = Self.setOutputAside()
    guard let peer = RPCPeer(input: 0, output: output) else {
      _ = writeAll(Array("error: the process may open no further files\n".utf8), to: 2)
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

  /// Keeps standard output for messages: anything else that is printed goes to standard error.
  private static func setOutputAside() -> Int32 {
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(2, 1) >= 0 else { return 1 }
    return output
  }
}
