import EventMVVM
import EventPatterns
import EventRecords

/// Messages as in plain servers (S7, S13): a view-model server that observes the data layer, and
/// sets a state by hand; the model server below it is the `MailServer`, as for the two other ways.
final class ServerMessages: MessagesPlugin {
  let name = "servers"
  private let joined = Locked<DerivedState<MessagesView>?>(nil)
  var view: DerivedState<MessagesView>? { joined.withLock { $0 } }
  /// Changed at once, while a state changes after its turn.
  private let inbox = Locked(Inbox())

  func join(_ stream: EventStream) {
    let state = State(Inbox(), name: "inbox", on: stream)
    stream.on(RequestMail.self, owner: self) { $0.change(state, $2) { $0.loads += 1 } }
    stream.on(ResponseMail.self, owner: self) { $0.change(state, $2) { $0.loads -= 1 } }
    stream.on(ResponseUnanswered.self, owner: self) { server, event, turn in
      if event.isOfMail { server.change(state, turn) { $0.loads -= 1 } }
    }
    stream.on(successOf: ResponseRecords<Message>.self, owner: self) { server, messages, turn in
      server.change(state, turn) { $0.rows = messages.shown.map { .init($0) } }
    }
    joined.withLock { $0 = state.map("messages", on: stream) { $0.view } }
    stream.answerMessages(for: self)
  }

  /// The data that a script has read may be rolled back; after its end everything is read again
  /// (promise 11).
  private func change(
    _ state: State<Inbox>,
    _ turn: borrowing Turn,
    _ body: (inout Inbox) -> Void
  ) {
    guard !turn.isInUnit else { return }
    let changed = inbox.withLock { inbox in
      body(&inbox)
      return inbox
    }
    turn.set(state, to: changed)
  }
}
