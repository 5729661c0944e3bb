import EventMVVM
import EventPatterns
import EventRecords

/// Messages as in ReactorKit (S99): an action leads to mutations, and each mutation is reduced to a
/// state.
///
/// Only the mailbox is asynchronous. It is asked in `MessageAnswers.swift`, and its answer is an
/// action: so a recorded session can be replayed without the mailbox, which a mutation from outside
/// the stream would prevent.
final class ReactorMessages: MessagesPlugin {
  /// All mutations of the state.
  enum Mutation: Sendable, Equatable {
    case began
    case ended
    case read([MessagesView.Row])
  }

  let name = "reactor"
  private let joined = Locked<DerivedState<MessagesView>?>(nil)
  var view: DerivedState<MessagesView>? { joined.withLock { $0 } }

  func join(_ stream: EventStream) {
    let reactor = Reactor<Inbox, Mutation>(Inbox(), name: "inbox", on: stream) { inbox, mutation in
      switch mutation {
      case .began: inbox.loads += 1
      case .ended: inbox.loads -= 1
      case .read(let rows): inbox.rows = rows
      }
    }
    .mutating(RequestMail.self) { _, _ in [.began] }
    .mutating(ResponseMail.self) { _, _ in [.ended] }
    .mutating(ResponseUnanswered.self) { event, _ in event.isOfMail ? [.ended] : [] }
    .mutating(ResponseRecords<Message>.self) { messages, _ in
      guard case .success(let messages) = messages.result else { return [] }
      return [.read(messages.shown.map { .init($0) })]
    }
    joined.withLock { $0 = reactor.state.map("messages", on: stream) { $0.view } }
    stream.answerMessages(for: self)
  }
}
