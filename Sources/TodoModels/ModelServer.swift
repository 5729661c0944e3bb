package import EventMVVM

/// Answers what concerns models, from a store (S18, S19).
///
/// It depends on the stream and its store alone (S13). A failure of the store becomes the failure of
/// the response, and the server keeps serving (S38). It puts a transaction of the store behind each
/// unit (promise 11).
package final class ModelServer: Plugin, UnitParticipant {
  package let name = "models"
  /// Where reads run that may take more than 5 ms.
  package enum LongReads: Sendable {
    /// In their turn: for a process with one frontend, which waits for them anyway.
    case inTurn
    /// Beside the home thread, on a connection of their own: for a process with several.
    case aside
  }

  private let storage: any TodoStorage
  private let longReads: LongReads

  /// Serves a store.
  package init(_ storage: any TodoStorage, longReads: LongReads = .inTurn) {
    self.storage = storage
    self.longReads = longReads
  }

  package func join(_ stream: EventStream) {
    stream.participate(self)
    stream.declareAnswerer(of: RequestReadTodos.self)
    stream.on(RequestReadTodos.self, owner: self) { server, request, turn in
      server.read(request.query, turn)
    }
    stream.answer(RequestReadLabels.self, owner: self) { server, request, turn in
      let view: StorageView = turn.isInUnit ? .insideUnit : .committed
      return try server.storage.labels(request.kind, prefix: request.prefix, in: view)
    }
    stream.answer(RequestWriteTodo.self, owner: self) { server, request, turn in
      let writer = Writer(root: turn.root, origin: turn.originName, time: turn.time)
      return try server.storage.write(request.writes, by: writer)
    }
  }

  /// A read inside the unit sees what the unit has written; a long one of others runs aside.
  private func read(_ query: TodoQuery, _ turn: borrowing Turn) {
    guard longReads == .aside, query.mayBeLong, !turn.isInUnit else {
      let view = turn.isInUnit ? StorageView.insideUnit : .committed
      turn.send(
        ResponseTodos(Result { try storage.read(query, in: view) }.mapError(ModelError.init))
      )
      return
    }
    turn.perform { [storage] turn in
      turn.send(ResponseTodos(Result { try storage.readAside(query) }.mapError(ModelError.init)))
    }
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
