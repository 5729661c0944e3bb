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
      MessagesView(messages, owner.view)
    }
    transaction(RequestRemove.self) { [weak owner] request, store in
      MessagesView(try store.change(row: request.index) { $0.isRemoved = true }, owner?.view)
    }
    transaction(RequestMessage.self) { request, store in
      MessageView(
        try store.change(row: request.index) { $0.isRead = true }.row(request.index)
      )
    }
    answerFetch(for: owner)
    // After any change of messages they are read again, and the three ways observe the result.
    follow(Message.self, owner: owner) { _, _, _ in }
  }

  /// Asks the mailbox, for the account that is signed in, and stores new messages.
  private func answerFetch<Owner: MessagesPlugin>(for owner: Owner) {
    answer(RequestFetch.self, owner: owner) { _, _, account, turn, answer in
      turn.request(RequestMail(account: account)) { result, turn in
        switch result.mapError(Failure.init).flatMap(\.result) {
        case .failure(let failure): answer(.failure(failure), turn)
        case .success(let fetched):
          turn.request(RequestKeepMail(mail: fetched.mail)) { result, turn in
            let messages = result.mapError(Failure.init).flatMap(\.result)
            answer(messages.map { MessagesView($0, nil, skipped: fetched.skipped) }, turn)
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

extension MessagesView {
  /// Creates the list for a reply, also inside a script, whose end the states wait for.
  fileprivate init(
    _ messages: [Kept<Message>],
    _ view: DerivedState<MessagesView>?,
    skipped: [String] = []
  ) {
    self.init(
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
