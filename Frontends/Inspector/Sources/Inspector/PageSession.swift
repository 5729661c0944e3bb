import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// The session of the page's commands: JSON-RPC over a connection to the program that serves it.
final class PageSession: Sendable {
  private let session: Session
  private let connection: Int32

  /// Begins a session, with a thread of its own.
  ///
  /// - Parameters:
  ///   - process: The session of the process.
  ///   - port: The port that sends the commands.
  ///   - connection: The connection, which is closed at the end.
  /// - Throws: That the system has no thread or file left.
  init(
    _ process: ProcessSession,
    _ port: ViewPort,
    _ connection: Int32
  ) throws(Failure) {
    self.connection = connection
    guard let peer = RPCPeer(input: connection, output: connection) else {
      throw Failure(.store, "The page can't be served: \(SystemProblem(EMFILE).text).")
    }
    session = Session(process.catalogue, SessionOptions(process), port, peer)
    guard startThread({ [session] in _ = session.serve() }) else { throw Failure.noThread }
  }

  deinit { close(connection) }

  /// Ends the session; what was sent is answered before.
  func end() { session.close("The session has ended.") }
}
