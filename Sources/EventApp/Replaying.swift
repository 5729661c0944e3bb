import Batch
import EventCommands
import EventMVVM
import Foundation
import JSONText

/// What a verb of a plugin finds in the process.
struct VerbHost: ProcessHost {
  let application: Application
  let options: BatchOptions

  var isJSON: Bool { options.isJSON }

  func print(_ lines: String) -> Bool {
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false)
    return BatchOutput(options)
      .print(
        Array(lines.map { escapedForTerminal($0) + "\n" }.joined().utf8)
      )
  }

  func replay(
    _ setup: ReplaySetup,
    _ body: (ReplaySession) throws -> ExitStatus
  ) throws -> ExitStatus {
    let program = application.program
    return try TemporaryFolder.with("\(program.name)-replay") { folder in
      let store = "\(folder.path)/\(program.storeName)"
      let composition = try Composition(application, setup, store: store)
      let session = ReplaySession(
        stream: composition.context.stream,
        inputs: composition.inputs,
        applyExternal: { try composition.applyExternal?($0, $1) },
        waitIfEnding: folder.waitIfEnding
      )
      return try withExtendedLifetime(composition.context) { try body(session) }
    }
  }
}
