import EventApp
import EventCommands
import LineServer
import RecordCommands
import StandardParts

/// The journal of a laboratory: which samples were received, their readings, and which are overdue.
@main
struct LabJournal: Domain {
  let program = Program("labjournal", version: "0.1.0", summary: "Keeps a laboratory's samples.")
  let kinds: [any CommandRecord.Type] = [Sample.self]
  let parts = Parts.standard()
    .adding(frontends: [LineServer()], plugins: [.on(Alarm()), .on(Ledger())])

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(Sample.self, and: Self.commands)
  }

  static let commands: [any Command.Type] = [
    RequestReceive.self, RequestAgain.self, RequestReading.self, RequestNote.self,
  ]

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [SampleServer()])
  }
}
