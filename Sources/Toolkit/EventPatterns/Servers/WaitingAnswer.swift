public import EventMVVM
import Synchronization

extension EventStream {
  /// Answers a request by a body that waits for the replies to others, on the home thread: other
  /// events are delivered while it waits, and none while it does not.
  ///
  /// ```swift
  /// stream.answer(RequestGreeting.self) { request, turn in
  ///   let tally = try await turn.request(RequestTally(requests: ["RequestGreeting"]))
  ///   return "Hello, \(request.name), number \(tally.lines.first?.count ?? 0)!"
  /// }
  /// ```
  ///
  /// A replay runs it again, on the same replies. It waits for nothing but the stream: one that waits for
  /// a service, a timer or a file is `answerAsync`, whose reply is an input of a recording; here it fails.
  ///
  /// - Parameters:
  ///   - type: The request type.
  ///   - file: Where it is answered; kept in debug builds alone, for `Turn.source`.
  ///   - line: The line in that file.
  ///   - body: What it returns or throws becomes the reply. It must not compute for long.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public func answer<R: Request>(
    _ type: R.Type,
    file: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (R, AsyncTurn) async throws -> R.Reply.Value
  ) -> Subscription {
    declareAnswerer(of: type)
    return on(type) { request, turn in
      let (held, executor) = (turn.hold(), HomeExecutor(turn.stream))
      Task(executorPreference: executor) {
        var reply: R.Reply
        do {
          reply = R.Reply(.success(try await body(request, held)))
        } catch {
          reply = R.Reply(.failure(R.Reply.Problem(error)))
        }
        if executor.hasWaitedOutside {
          reply = R.Reply(.failure(R.Reply.Problem(Failure.waitedOutside)))
        }
        held.send(reply, file: file, line: line)
        held.release()
      }
    }
  }
}

/// Runs one answer on the home thread, between two events.
private final class HomeExecutor: TaskExecutor {
  // Retained by the task alone.
  private let stream: EventStream
  private let hasLeft = Atomic<Bool>(false)

  init(_ stream: EventStream) {
    self.stream = stream
  }

  /// Whether the answer has waited for something outside the stream.
  var hasWaitedOutside: Bool { hasLeft.load(ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    if !stream.isHome { hasLeft.store(true, ordering: .relaxed) }
    let job = UnownedJob(job)
    stream.goOn { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

extension Failure {
  fileprivate static var waitedOutside: Failure {
    Failure(.unanswered, "Its answer waits outside the stream; 'answerAsync' does that.")
  }
}
