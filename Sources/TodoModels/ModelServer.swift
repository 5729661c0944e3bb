package import EventMVVM
import EventPatterns

/// Answers what concerns models, from a store (S18, S19).
///
/// It depends on the stream and its store alone (S13). A failure of the store becomes the failure of
/// the response, and the server keeps serving (S38). It puts a transaction of the store behind each
/// unit (promise 11).
package final class ModelServer: Plugin, UnitParticipant {
  package let name = "models"
  /// What it says that comes from outside of the stream: from the store, beside the home thread, or because
  /// that fails.
  package static let inputs: [any (Event & Decodable).Type] = [
    ResponseTodos.self, ResponseTodo.self, ResponseLabels.self, ResponseCount.self,
    ResponseTransitions.self, ResponseSteps.self, ResponseRevertStep.self,
    ResponseExamineStore.self, ResponseBackUpStore.self, ResponseStoreChange.self,
  ]

  /// In whose name the changes of other processes come: nobody of this one meant them.
  package static let elsewhere = "elsewhere"

  /// Whom the process serves.
  package enum Company: Sendable {
    /// One command or script: it waits for its reads anyway, and sees other processes' changes when
    /// it reads.
    case oneJob
    /// Several frontends, for long: reads that may take more than 5 ms run beside the home thread,
    /// and what other processes change is told.
    case frontends
  }

  private let storage: any TodoStorage
  private let reading: SharedReading
  private let company: Company
  /// Whether it listens for what other processes change.
  private let hearsOthers: Bool
  private let watch = Locked<(any StoreWatching)?>(nil)
  /// In whose name that is told, between joining and starting.
  private let elsewhere = Locked<EventStream?>(nil)

  /// Serves a store.
  ///
  /// - Parameters:
  ///   - storage: The store.
  ///   - company: Whom the process serves.
  ///   - hearsOthers: Whether other processes may change the store; unless told, beside frontends.
  package init(
    _ storage: any TodoStorage,
    for company: Company = .oneJob,
    hearsOthers: Bool? = nil
  ) {
    self.storage = storage
    reading = SharedReading { storage.endSharing() }
    self.company = company
    self.hearsOthers = hearsOthers ?? (company == .frontends)
  }

  package func join(_ stream: EventStream) {
    stream.participate(self)
    stream.declareAnswerer(of: RequestReadTodos.self)
    stream.on(RequestReadTodos.self, owner: self) { server, request, turn in
      server.read(request, turn)
    }
    serve(RequestReadLabels.self, stream) { storage, request, turn in
      let view: StorageView = turn.isInUnit ? .insideUnit : .committed
      return try storage.labels(request.kind, prefix: request.prefix, in: view)
    }
    serve(RequestWriteTodo.self, stream) { storage, request, turn in
      try storage.write(request.writes, by: Writer(turn))
    }
    joinLong(RequestCountTodos.self, stream) { storage, request in
      try storage.count(request.predicates)
    }
    joinLong(RequestReadTransitions.self, stream) { storage, request in
      try storage.transitions(after: request.place, limit: request.limit)
    }
    joinSteps(stream)
    joinCare(stream)
    // There also where nobody listens: whoever tells a session again has the same names by the same numbers.
    let elsewhere = stream.joined(as: Self.elsewhere)
    self.elsewhere.withLock { $0 = elsewhere }
  }

  package func start() {
    let stream = elsewhere.withLock { stream in
      defer { stream = nil }
      return stream
    }
    if hearsOthers, let stream { listen(stream) }
  }

  /// Answers from the store at once; that the store fails comes from outside.
  private func serve<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ body: @escaping (any TodoStorage, R, borrowing Turn) throws -> R.Reply.Value
  ) where R.Reply.Problem == ModelError {
    // No key path: each would be made at the start of every process.
    stream.answerFromOutside(type, where: { $0.isFailureOfStore }) { [storage] request, turn in
      try body(storage, request, turn)
    }
  }

  // MARK: Reading

  /// A read inside the unit sees what the unit has written; a long one of others runs aside.
  private func read(_ request: RequestReadTodos, _ turn: borrowing Turn) {
    guard company == .frontends, !turn.isInUnit, request.mayBeLong else {
      let view = reading.view(turn)
      return turn.reply(
        from: { _ in
          ResponseTodos { [storage] in try request.part(of: storage, in: view) }
        },
        where: { $0.result.isFailureOfStore }
      )
    }
    turn.perform { [storage] turn in
      turn.send(ResponseTodos { try request.partAside(of: storage) })
    }
  }

  // MARK: Steps

  private func joinSteps(_ stream: EventStream) {
    serve(RequestReadSteps.self, stream) { storage, request, turn in
      try storage.steps(request.query, in: turn.isInUnit ? .insideUnit : .committed)
    }
    serve(RequestRevertStep.self, stream) { storage, request, turn in
      try storage.revert(request, by: Writer(turn))
    }
  }

  // MARK: Care

  private func joinCare(_ stream: EventStream) {
    joinLong(RequestExamineStore.self, stream, where: { _ in true }) { storage, _ in
      try storage.examine()
    }
    joinLong(RequestBackUpStore.self, stream, where: { _ in true }) { storage, request in
      try storage.backUp(to: request.path)
    }
  }

  /// Answers what may take long: beside the home thread if others could have to wait.
  private func joinLong<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    where isOutside: @escaping (Result<R.Reply.Value, ModelError>) -> Bool = {
      $0.isFailureOfStore
    },
    _ body: @escaping @Sendable (any TodoStorage, R) throws -> R.Reply.Value
  ) where R.Reply.Problem == ModelError {
    switch company {
    case .oneJob:
      stream.answerFromOutside(type, where: isOutside) { [storage] request, _ in
        try body(storage, request)
      }
    case .frontends:
      stream.answerAsync(type) { [storage] request, _ in try body(storage, request) }
    }
  }

  // MARK: Other processes

  private func listen(_ stream: EventStream) {
    let watching = storage.watch(besides: stream.session) { heard in
      stream.send(ResponseStoreChange(heard.mapError(ModelError.store)))
    }
    watch.withLock { $0 = watching }
  }

  // MARK: Units

  package func begin(_ unit: Root) throws { try perform { try storage.beginUnit() } }
  package func keep(_ unit: Root) throws { try perform { try storage.keepUnit() } }
  package func takeBack(_ unit: Root) { storage.takeBackUnit() }

  /// Puts a failure of the store in the words of the layer that frontends see.
  private func perform(_ body: () throws -> Void) throws {
    do { try body() } catch let error as StoreError {
      throw Failure(.store, error.message)
    }
  }
}

extension Result where Failure == ModelError {
  /// Whether the store itself failed: no part of what was said, and not to be had again.
  fileprivate var isFailureOfStore: Bool {
    if case .failure(.store) = self { true } else { false }
  }
}

extension RequestReadTodos {
  /// Whether it may take more than 5 ms.
  fileprivate var mayBeLong: Bool { extent != .all || query.mayBeLong }

  /// What is asked for, read on the home thread.
  fileprivate func part(of storage: any TodoStorage, in view: StorageView) throws -> TodoPart {
    switch extent {
    case .rest(let rest): try rest.cursor.next()
    case .part(let count) where view != .insideUnit: try storage.read(query, inPartsOf: count)
    case .all, .part: TodoPart(try storage.read(query, in: view), rest: nil)
    }
  }

  /// What is asked for and committed, read on any thread.
  fileprivate func partAside(of storage: any TodoStorage) throws -> TodoPart {
    switch extent {
    case .rest(let rest): try rest.cursor.next()
    case .part(let count): try storage.read(query, inPartsOf: count)
    case .all: TodoPart(try storage.readAside(query), rest: nil)
    }
  }
}

extension ResponseTodos {
  /// Wraps what comes of a reading.
  fileprivate init(_ read: () throws -> TodoPart) {
    self.init(Result { try read() }.mapError(ModelError.init))
  }
}
