import EventMVVM
import EventPatterns
import EventRecords

/// Messages as in Redux (S97, S98): a store has the state, and reducers alone change it.
///
/// Every event of the stream is an action. A reducer is pure: it receives the state and the action,
/// and can neither ask nor send; asynchronous work is in `MessageAnswers.swift`.
final class ReducerMessages: MessagesPlugin {
  let name = "reducer"
  private let joined = Locked<DerivedState<MessagesView>?>(nil)
  var view: DerivedState<MessagesView>? { joined.withLock { $0 } }
  private let container = Locked<Store<Inbox>?>(nil)

  func join(_ stream: EventStream) {
    let store = Store(Inbox(), name: "inbox", on: stream)
      .reducing(RequestMail.self) { inbox, _ in inbox.loads += 1 }
      .reducing(ResponseMail.self) { inbox, _ in inbox.loads -= 1 }
      .reducing(ResponseUnanswered.self) { inbox, event in if event.isOfMail { inbox.loads -= 1 } }
      .reducing(ResponseRecords<Message>.self) { inbox, messages in
        guard case .success(let messages) = messages.result else { return }
        inbox.rows = messages.shown.map { .init($0) }
      }
    container.withLock { $0 = store }
    joined.withLock { $0 = store.state.map("messages", on: stream) { $0.view } }
    stream.answerMessages(for: self)
  }

  /// The actions with the states that they have made, the latest last (S97).
  var steps: [Store<Inbox>.Step] { container.withLock { $0 }?.steps ?? [] }
}
