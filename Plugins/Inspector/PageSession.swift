import EventCommands
import EventMVVM
import EventRPC
import EventServing
import Foundation
import Platform

/// The session of the page's commands: JSON-RPC over a connection to the program that serves it.
final class PageSession: Sendable {
  private let session: Session?
  private let connection: Int32

  /// Begins a session, with a thread of its own.
  ///
  /// - Parameters:
  ///   - process: The session of the process.
  ///   - port: The port that sends the commands.
  ///   - connection: The connection, which is closed at the end.
  init(_ process: ProcessSession, _ port: ViewPort, _ connection: Int32) {
    self.connection = connection
    var options = SessionOptions(program: process.program, version: process.version)
    options.store = process.store
    options.plugins = process.plugins
    session = RPCPeer(input: connection, output: connection)
      .map {
        Session(process.catalogue, options, port, $0)
      }
    _ = startThread { [session] in _ = session?.serve() }
  }

  deinit { close(connection) }

  /// Ends the session; what was sent is answered before.
  func end() { session?.close("The session has ended.") }
}
