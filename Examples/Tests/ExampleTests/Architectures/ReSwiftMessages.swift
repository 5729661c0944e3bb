import EventMVVM

@testable import todostream_messages

/// The message list (S103) as somebody who knows ReSwift writes it.
extension ReSwift {
  struct MessagesState: Equatable {
    var messages: [Mail] = []
    var problem: String?
    var loads = 0
    var isLoading: Bool { loads > 0 }
  }

  enum MessagesAction: Action {
    case fetchBegan
    case fetchEnded(problem: String?)
    case fetched([Mail])
    case removed(index: Int)
  }

  static func messagesReducer(action: any Action, state: MessagesState?) -> MessagesState {
    var state = state ?? MessagesState()
    guard let action = action as? MessagesAction else { return state }
    switch action {
    case .fetchBegan: state.loads += 1
    case .fetchEnded(let problem):
      state.loads -= 1
      state.problem = problem
    case .fetched(let messages): state.messages = messages
    case .removed(let index):
      if state.messages.indices.contains(index) { state.messages.remove(at: index) }
    }
    return state
  }

  static func fetchMessages(from mailbox: CallbackMailbox) -> Thunk<MessagesState> {
    Thunk { dispatch, _ in
      dispatch(MessagesAction.fetchBegan)
      mailbox.fetch { result in
        switch result {
        case .success(let messages):
          dispatch(MessagesAction.fetchEnded(problem: nil))
          dispatch(MessagesAction.fetched(messages))
        case .failure(let failure):
          dispatch(MessagesAction.fetchEnded(problem: failure.message))
        }
      }
    }
  }

  /// What the application makes once.
  static func messagesStore() -> Store<MessagesState> {
    Store(
      reducer: messagesReducer,
      state: MessagesState(),
      middleware: [createThunkMiddleware()]
    )
  }

  /// The view, which renders what it is given.
  final class MessagesScreen: StoreSubscriber {
    private let render: (String) -> Void

    init(_ store: Store<MessagesState>, render: @escaping (String) -> Void) {
      self.render = render
      store.subscribe(self)
    }

    func newState(state: MessagesState) {
      render(line(state.messages.map(\.subject), isLoading: state.isLoading))
    }
  }
}
