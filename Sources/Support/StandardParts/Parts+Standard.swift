import Analytics
import Batch
import Completion
public import EventApp
import ExternalObserver
import Inspector
import JSONRPC
import PostgresEngine
import REPL
import SQLiteEngine
import SessionRecorder
import Trace
import UndoHistory

extension Parts {
  /// All engines, frontends and plugins of the toolkit.
  ///
  /// ```swift
  /// let parts = Parts.standard()
  ///   .adding(frontends: [LineServer()], plugins: [.on(Alarm()), .on(Ledger())])
  /// ```
  ///
  /// A program that is to be smaller lists some of them itself.
  ///
  /// - Parameter startup: The name of the script in the user's configuration folder that runs before
  ///   the first prompt.
  /// - Returns: The parts, new ones at each call.
  public static func standard(startup: String = "startup.txt") -> Parts {
    Parts(
      engines: [PostgresDatabases(), SQLiteFiles()],
      frontends: [REPLLauncher(startup: startup), BatchLauncher(), CompletionLauncher()]
        + JSONRPCLauncher.withSockets(),
      plugins: [
        .on(UndoHistory()),
        .on(TracePlugin()),
        .on(Analytics()),
        .on(ExternalObserver()),
        .on(SessionRecorder()),
        .on(InspectorPlugin()),
      ]
    )
  }
}
