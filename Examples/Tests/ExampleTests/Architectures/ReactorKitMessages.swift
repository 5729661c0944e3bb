import EventMVVM

@testable import todostream_messages

/// The message list (S103) as somebody who knows ReactorKit writes it.
extension ReactorKit {
  final class MessagesReactor: Reactor {
    enum Action {
      case refresh
      case remove(index: Int)
    }

    enum Mutation {
      case setLoading(Bool)
      case setMessages([Mail])
      case setProblem(String)
      case removeMessage(index: Int)
    }

    struct State {
      var messages: [Mail] = []
      var problem: String?
      var isLoading = false
    }

    let initialState = State()
    private let mailbox: CallbackMailbox

    init(mailbox: CallbackMailbox) {
      self.mailbox = mailbox
    }

    func mutate(action: Action) -> Observable<Mutation> {
      switch action {
      case .refresh:
        .concat(
          .just(.setLoading(true)),
          fetch(from: mailbox).map(Mutation.setMessages)
            .catch { .just(.setProblem(Failure($0).message)) },
          .just(.setLoading(false))
        )
      case .remove(let index):
        .just(.removeMessage(index: index))
      }
    }

    func reduce(state: State, mutation: Mutation) -> State {
      var state = state
      switch mutation {
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setMessages(let messages):
        state.messages = messages
        state.problem = nil
      case .setProblem(let problem): state.problem = problem
      case .removeMessage(let index):
        if state.messages.indices.contains(index) { state.messages.remove(at: index) }
      }
      return state
    }
  }

  static func fetch(from mailbox: CallbackMailbox) -> Observable<[Mail]> {
    .create { observer in
      mailbox.fetch { result in
        switch result {
        case .success(let messages):
          observer.onNext(messages)
          observer.onCompleted()
        case .failure(let error):
          observer.onError(error)
        }
      }
      return Disposables.create()
    }
  }
}
