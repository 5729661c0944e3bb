import EventRecords
import EventApp
import EventCommands
import EventMVVM
import RecordCommands
import StandardParts

/// A library: which books it has, who has a card, and who has borrowed what.
@main
struct Library: Domain {
  let program = Program("library", version: "0.1.0", summary: "Keeps a library's books and loans.")
  let kinds: [any CommandRecord.Type] = [Book.self, Copy.self, Member.self, Loan.self]
  let commands: [any Command.Type] = [
    RequestLend.self, RequestReserve.self, RequestRetire.self, RequestOverdue.self,
  ]
  let parts = Parts.standard()

  func servers(_ setting: ServerConfiguration) -> Servers { Servers(setting, [Lending()]) }
}

/// What belongs to a loan, whichever command makes it: the copy is no longer reserved.
struct Lending: Plugin {
  let name = "lending"

  func join(_ stream: EventStream) {
    stream.onWrite(of: Loan.self) { change, store in
      guard change.before == nil, let loan = change.after else { return }
      try store.change(store.record(loan.copy)) { $0.reservedFor = nil }
    }
  }
}
