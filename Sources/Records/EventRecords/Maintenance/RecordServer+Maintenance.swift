import EventMVVM

// Requests about the store itself: an examination, and a copy.

extension RecordServer {
  func joinMaintenance(_ stream: EventStream) {
    serveInput(RequestDoctor.self, stream) { [engine, types] _, _ in
      {
        StoreReportViewModel(try engine.examine { try RecordExamination.findings($0, types) })
      }
    }
    serveInput(RequestBackup.self, stream) { [engine, types] request, turn in
      let path = try request.path(turn)
      return {
        let copy = try engine.backUp(to: path)
        return StoreCopyViewModel(copy, of: types.count(copy.count))
      }
    }
  }

  /// Answers with data from outside the stream that may take long: in the background if other
  /// sessions could have to wait.
  private func serveInput<R: Request>(
    _ type: R.Type,
    _ stream: EventStream,
    _ prepare: @escaping (R, borrowing Turn) throws -> @Sendable () throws -> R.Reply.Value
  ) where R.Reply.Problem == Failure {
    stream.declareAnswerer(of: type)
    stream.on(type, owner: self) { server, request, turn in
      let work: @Sendable () throws -> R.Reply.Value
      do {
        work = try prepare(request, turn)
      } catch {
        return turn.send(R.Reply(.failure(Failure(error))))
      }
      guard server.readsInBackground else {
        return turn.answerAsInput(request, where: { _ in true }) { _, _ in
          try server.perform(work)
        }
      }
      server.performLong(turn) { held in
        held.send(R.Reply(server.outcome(held) { try server.perform(work) }))
      }
    }
  }
}
