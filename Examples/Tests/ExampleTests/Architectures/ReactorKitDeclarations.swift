import EventMVVM

/// What the feature needs of ReactorKit (as of 3.2) and of RxSwift (as of 6), by their names and
/// signatures.
///
/// An enum stands for the modules, as others declare a `Reactor` as well. Everything is delivered
/// at once, where ReactorKit goes through the main scheduler.
enum ReactorKit {
  enum Event<Element> {
    case next(Element), error(any Error), completed
  }

  struct AnyObserver<Element> {
    let on: (Event<Element>) -> Void
    func onNext(_ element: Element) { on(.next(element)) }
    func onError(_ error: any Error) { on(.error(error)) }
    func onCompleted() { on(.completed) }
  }

  struct Disposable {}

  enum Disposables {
    static func create() -> Disposable { Disposable() }
  }

  final class Observable<Element> {
    private let source: (AnyObserver<Element>) -> Disposable

    private init(_ source: @escaping (AnyObserver<Element>) -> Disposable) {
      self.source = source
    }

    static func create(
      _ subscribe: @escaping (AnyObserver<Element>) -> Disposable
    ) -> Observable<Element> {
      Observable(subscribe)
    }

    static func just(_ element: Element) -> Observable<Element> {
      create { observer in
        observer.onNext(element)
        observer.onCompleted()
        return Disposables.create()
      }
    }

    static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
      create { concat(sources[...], $0) }
    }

    private static func concat(
      _ sources: ArraySlice<Observable<Element>>,
      _ observer: AnyObserver<Element>
    ) -> Disposable {
      guard let first = sources.first else {
        observer.onCompleted()
        return Disposables.create()
      }
      return first.source(
        AnyObserver { event in
          if case .completed = event {
            _ = concat(sources.dropFirst(), observer)
          } else {
            observer.on(event)
          }
        }
      )
    }

    func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
      .create { observer in
        self.source(
          AnyObserver { event in
            switch event {
            case .next(let element): observer.onNext(transform(element))
            case .error(let error): observer.onError(error)
            case .completed: observer.onCompleted()
            }
          }
        )
      }
    }

    func `catch`(
      _ handler: @escaping (any Error) -> Observable<Element>
    ) -> Observable<Element> {
      .create { observer in
        self.source(
          AnyObserver { event in
            guard case .error(let error) = event else { return observer.on(event) }
            _ = handler(error).source(observer)
          }
        )
      }
    }

    @discardableResult
    func subscribe(onNext: @escaping (Element) -> Void) -> Disposable {
      source(AnyObserver { event in if case .next(let element) = event { onNext(element) } })
    }
  }

  /// Takes the actions of a view.
  struct ActionSubject<Action> {
    let onNext: (Action) -> Void
  }

  protocol Reactor: AnyObject {
    associatedtype Action
    associatedtype Mutation
    associatedtype State

    var initialState: State { get }
    func mutate(action: Action) -> Observable<Mutation>
    func reduce(state: State, mutation: Mutation) -> State
  }
}

extension ReactorKit.Reactor {
  var action: ReactorKit.ActionSubject<Action> {
    ReactorKit.ActionSubject { [unowned self] action in
      mutate(action: action)
        .subscribe { [unowned self] mutation in
          let cell = ReactorKit.Cell.of(self)
          cell.state = reduce(state: cell.state, mutation: mutation)
          for observer in cell.observers { observer.onNext(cell.state) }
        }
    }
  }

  var currentState: State { ReactorKit.Cell.of(self).state }

  /// The latest state, then each change.
  var state: ReactorKit.Observable<State> {
    .create { [unowned self] observer in
      let cell = ReactorKit.Cell.of(self)
      cell.observers.append(observer)
      observer.onNext(cell.state)
      return ReactorKit.Disposables.create()
    }
  }
}

extension ReactorKit {
  /// What the library associates with a reactor, which declares no such thing itself.
  ///
  /// Unchecked: a reactor, and so its cell, is used on the one thread of its test.
  fileprivate final class Cell<State>: @unchecked Sendable {
    var state: State
    var observers: [AnyObserver<State>] = []

    private init(_ state: State) {
      self.state = state
    }

    static func of<R: Reactor>(_ reactor: R) -> Cell where R.State == State {
      cells.withLock { cells in
        let known = cells[ObjectIdentifier(reactor)]
        if let known, known.owner === reactor, let cell = known.cell as? Cell { return cell }
        let cell = Cell(reactor.initialState)
        cells[ObjectIdentifier(reactor)] = Association(owner: reactor, cell: cell)
        return cell
      }
    }
  }

  /// Of which reactor something is; another one may come to stand at its place.
  private struct Association {
    weak var owner: AnyObject?
    let cell: AnyObject
  }

  private static let cells = Locked<[ObjectIdentifier: Association]>([:])
}
