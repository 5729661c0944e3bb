/// What the feature needs of ReSwift and ReSwift-Thunk (as of 6.1), by their names and signatures.
///
/// An enum stands for the modules, as others declare a `Store` as well.
enum ReSwift {
  protocol Action {}
  struct ReSwiftInit: Action {}

  typealias Reducer<ReducerStateType> =
    (_ action: any Action, _ state: ReducerStateType?) -> ReducerStateType
  typealias DispatchFunction = (any Action) -> Void
  typealias Middleware<State> =
    (@escaping DispatchFunction, @escaping () -> State?) -> (@escaping DispatchFunction) ->
    DispatchFunction

  protocol StoreSubscriber<StoreSubscriberStateType>: AnyObject {
    associatedtype StoreSubscriberStateType
    func newState(state: StoreSubscriberStateType)
  }

  /// Skips repeats, as the library does by itself where states are equatable.
  final class Store<State: Equatable> {
    private(set) var state: State
    private let reducer: Reducer<State>
    private var subscribers: [any StoreSubscriber<State>] = []
    private var dispatchFunction: DispatchFunction = { _ in }

    init(reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = []) {
      self.reducer = reducer
      self.state = state ?? reducer(ReSwiftInit(), nil)
      dispatchFunction = { [unowned self] in reduce($0) }
      for middleware in middleware.reversed() {
        let dispatch: DispatchFunction = { [weak self] in self?.dispatch($0) }
        dispatchFunction = middleware(dispatch) { [weak self] in self?.state }(dispatchFunction)
      }
    }

    func dispatch(_ action: any Action) {
      dispatchFunction(action)
    }

    func subscribe<S: StoreSubscriber<State>>(_ subscriber: S) {
      subscribers.append(subscriber)
      subscriber.newState(state: state)
    }

    private func reduce(_ action: any Action) {
      let reduced = reducer(action, state)
      guard reduced != state else { return }
      state = reduced
      for subscriber in subscribers { subscriber.newState(state: reduced) }
    }
  }

  struct Thunk<State>: Action {
    let body: (_ dispatch: @escaping DispatchFunction, _ getState: @escaping () -> State?) -> Void
  }

  static func createThunkMiddleware<State>() -> Middleware<State> {
    { dispatch, getState in
      { next in
        { action in
          if let thunk = action as? Thunk<State> {
            thunk.body(dispatch, getState)
          } else {
            next(action)
          }
        }
      }
    }
  }
}
