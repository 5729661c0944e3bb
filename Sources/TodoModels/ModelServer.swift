package import EventMVVM

/// Answers what concerns models, from a store (S18, S19).
///
/// It depends on the stream and its store alone (S13). A failure of the store becomes the failure of
/// the response, and the server keeps serving (S38). It puts a transaction of the store behind each
/// unit (promise 11).
package final class ModelServer: Plugin, UnitParticipant {
  package let name = "models"

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
  private let company: Company
  private let watch = Locked<(any StoreWatching)?>(nil)

  /// Serves a store.
  package init(_ storage: any TodoStorage, for company: Company = .oneJob) {
    self.storage = storage
    self.company = company
  }

  package func join(_ stream: EventStream) {
    stream.participate(self)
    stream.declareAnswerer(of: RequestReadTodos.self)
    stream.on(RequestReadTodos.self, owner: self) { server, request, turn in
      server.read(request, turn)
    }
    stream.answer(RequestReadLabels.self, owner: self) { server, request, turn in
      let view: StorageView = turn.isInUnit ? .insideUnit : .committed
      return try server.storage.labels(request.kind, prefix: request.prefix, in: view)
    }
    stream.answer(RequestWriteTodo.self, owner: self) { server, request, turn in
      try server.storage.write(request.writes, by: Writer(turn))
    }
    joinLong(RequestCountTodos.self, stream) { storage, request in
      try storage.count(request.predicates)
    }
    joinLong(RequestReadTransitions.self, stream) { storage, request in
      try storage.transitions(after: request.place, limit: request.limit)
    }
    joinSteps(stream)
    joinCare(stream)
    if company == .frontends { listen(stream) }
  }

  // MARK: Reading

  /// A read inside the unit sees what the unit has written; a long one of others runs aside.
  private func read(_ request: RequestReadTodos, _ turn: borrowing Turn) {
    let view: StorageView = turn.isInUnit ? .insideUnit : .committed
    guard company == .frontends, view == .committed, request.mayBeLong else {
      return turn.send(ResponseTodos { [storage] in try request.part(of: storage, in: view) })
    }
    turn.perform { [storage] turn in
      turn.send(ResponseTodos { try request.partAside(of: storage) })
    }
  }

  // MARK: Steps

  private func joinSteps(_ stream: EventStream) {
    stream.answer(RequestReadSteps.self, owner: self) { server, request, turn in
      try server.storage.steps(request.query, in: turn.isInUnit ? .insideUnit : .committed)
    }
    stream.answer(RequestRevertStep.self, owner: self) { server, request, turn in
      try server.storage.revert(request, by: Writer(turn))
    }
  }

  // MARK: Care

  private func joinCare(_ stream: EventStream) {
    joinLong(RequestExamineStore.self, stream) { storage, _ in try storage.examine() }
    joinLong(RequestBackUpStore.self, stream) { storage, request in
      try storage.backUp(to: request.path)
    }
  }

  /// Answers what may take long: beside the home thread if others could have to wait.
  private func joinLong<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ body: @escaping @Sendable (any TodoStorage, R) throws -> R.Reply.Value
  ) {
    switch company {
    case .oneJob: stream.answer(type) { [storage] request, _ in try body(storage, request) }
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

extension Writer {
  /// Whoever is behind an event.
  fileprivate init(_ turn: borrowing Turn) {
    self.init(root: turn.root, origin: turn.originName, time: turn.time)
  }
}

extension RequestReadTodos {
  /// Whether it may take more than 5 ms.
  fileprivate var mayBeLong: Bool { extent != .all || query.mayBeLong }

  /// What is asked for, read on the home thread.
  fileprivate func part(of storage: any TodoStorage, in view: StorageView) throws -> TodoPart {
    switch extent {
    case .rest(let cursor): try cursor.next()
    case .part(let count) where view == .committed: try storage.read(query, inPartsOf: count)
    case .all, .part: TodoPart(try storage.read(query, in: view), rest: nil)
    }
  }

  /// What is asked for and committed, read on any thread.
  fileprivate func partAside(of storage: any TodoStorage) throws -> TodoPart {
    switch extent {
    case .rest(let cursor): try cursor.next()
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
