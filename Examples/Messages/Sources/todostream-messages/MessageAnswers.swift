import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

/// One of the three ways: it answers the requests about messages, and has the state of the list.
protocol MessagesPlugin: AnyObject, Plugin {
  /// The state that views bind to (S76); nil before it has joined.
  var view: DerivedState<MessagesView>? { get }
}

/// The middle layer (S102), which the three ways share: it answers views with the records of the
/// data layer, and checks their requests. In Redux's terms these are the action creators:
/// asynchronous work is here, and in no reducer (S98).
extension EventStream {
  func answerMessages<Owner: MessagesPlugin>(for owner: Owner) {
    if let view = owner.view { show(view.named(.fetching) { $0.isLoading }) }
    bridge(RequestMessages.self, owner: owner) { _, _, _ in
      RequestRecords<Message>()
    } reply: { owner, _, messages, _ in
      owner.view(of: messages)
    }
    change(RequestRemove.self, owner: owner, showing: Query()) { _, request, _ in
      .row(request.index) { $0.isRemoved = true }
    } reply: { owner, _, messages, _ in
      owner.view(of: messages)
    }
    change(RequestMessage.self, owner: owner, showing: Query()) { _, request, _ in
      .row(request.index) { $0.isRead = true }
    } reply: { _, request, messages, _ in
      MessageView(try messages.row(request.index))
    }
    answerFetch(for: owner)
    // After any change of messages they are read again, and the three ways observe the result.
    follow(Message.self, owner: owner) { _, _, _ in }
  }

  /// Asks the mailbox, for the account that is signed in, and stores new messages.
  private func answerFetch<Owner: MessagesPlugin>(for owner: Owner) {
    answer(RequestFetch.self, owner: owner) { owner, _, account, turn, answer in
      turn.request(RequestMail(account: account)) { [weak owner] result, turn in
        switch result.mapError(Failure.init).flatMap(\.result) {
        case .failure(let failure): answer(.failure(failure), turn)
        case .success(let fetched):
          turn.request(RequestKeepMail(mail: fetched.mail)) { [weak owner] result, turn in
            guard let owner else { return }
            let messages = result.mapError(Failure.init).flatMap(\.result)
            answer(messages.map { owner.view(of: $0, skipped: fetched.skipped) }, turn)
          }
        }
      }
    }
  }
}

extension StateName {
  static let fetching = StateName(
    "messages/fetching",
    "Whether the mailbox is being asked.",
    progress: "fetching"
  )
}

extension MessagesPlugin {
  /// Returns the list for a reply, also inside a script, whose end the states wait for.
  fileprivate func view(of messages: [Kept<Message>], skipped: [String] = []) -> MessagesView {
    MessagesView(
      messages: messages.shown.map { .init($0) },
      isLoading: view?.value.isLoading ?? false,
      skipped: skipped.isEmpty ? nil : skipped
    )
  }
}

extension ResponseUnanswered {
  /// Whether the mailbox was asked and has not answered.
  var isOfMail: Bool { request == RequestMail.name && sequence != 0 }
}
