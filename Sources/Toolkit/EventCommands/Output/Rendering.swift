import Dispatch
public import EventMVVM
import EventValues
import JSONText

/// How results are shown: as text for people, or as JSON for programs.
package struct Rendering: Sendable {
  /// Whether results are JSON.
  package var isJSON = false
  /// Whether text has colour.
  package var hasColor = false
  /// Whether confirmations are left out.
  package var isQuiet = false

  /// The columns of a line of text; nil if lines may have any length.
  package var width: Int?
  /// Whether dates are written as people say them at this moment; else as ISO 8601.
  package var saysDates = false

  /// Creates a rendering as text without colour.
  package init() {}

  /// Returns a result as it is shown: as text, or as one JSON value on a line.
  package func bytes<C: Command>(of value: C.Reply.Value, _ command: C) -> [UInt8] {
    if isJSON {
      var json = JSONWriter()
      value.write(to: &json)
      return json.bytes + [UInt8(ascii: "\n")]
    }
    var page = Page(
      hasColor: hasColor,
      isQuiet: isQuiet,
      width: width,
      clock: saysDates ? .ofProcess : nil
    )
    command.show(value, on: &page)
    return page.bytes
  }
}

/// The outcome of a command: what to print, or why there is nothing.
package typealias Outcome = Result<Printout, Failure>

/// A result that is ready to be printed.
package struct Printout: Sendable {
  /// What to print.
  package let bytes: [UInt8]
  /// The exit status of a process that prints it.
  package let exitStatus: ExitStatus
}

/// Whether a person agrees to a second try, given the failure and the question.
package typealias Agreement = (Failure, String) -> Bool

/// A sender of requests to the stream: a view's port or a unit.
package protocol RequestTaker {
  /// Sends a request and calls back with its reply.
  func take<R: Request & ViewModelEvent>(
    _ request: R,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  )
}

extension ViewPort: RequestTaker {
  /// Sends a request on its own and calls back with its reply.
  package func take<R: Request & ViewModelEvent>(
    _ request: R,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  ) {
    self.request(request) { result, _ in then(result) }
  }
}

extension StreamUnit: RequestTaker {
  /// Sends a request inside the unit and calls back with its reply.
  package func take<R: Request & ViewModelEvent>(
    _ request: R,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  ) {
    self.request(request) { result, _ in then(result) }
  }
}

extension Command {
  /// Sends the command, and renders its result.
  package func send(
    through taker: some RequestTaker,
    _ rendering: Rendering,
    agrees: @escaping Agreement,
    then: @escaping (Outcome) -> Void
  ) {
    taker.take(self) { result in
      do {
        let value = try result.get().result.get()
        then(.success(Printout(rendering.bytes(of: value, self), value.exitStatus)))
      } catch {
        let failure = Failure(error)
        guard let second = secondTry(after: failure), !second.isForPersons,
          agrees(failure, second.question)
        else { return then(.failure(failure)) }
        second.command.send(through: taker, rendering, agrees: agrees, then: then)
      }
    }
  }

  /// Sends the command, and calls back with the text of its result or of its failure for a person.
  ///
  /// No question is asked: a command that has one fails. The callback is called once, on the
  /// stream's home thread, or at once where nothing is sent.
  ///
  /// - Parameters:
  ///   - port: The port that sends the command.
  ///   - isJSON: Whether the result is JSON, on a line; a failure is text.
  ///   - then: Called with the text, which ends with a newline.
  public func send(
    through port: ViewPort,
    isJSON: Bool = false,
    then: @escaping (_ text: String) -> Void
  ) {
    if let question {
      return then("error: \(escapedForTerminal(question)) Nobody can be asked here.\n")
    }
    var rendering = Rendering()
    rendering.isJSON = isJSON
    send(through: port, rendering, agrees: { _, _ in false }) { outcome in
      switch outcome {
      case .success(let printout): then(String(decoding: printout.bytes, as: UTF8.self))
      case .failure(let failure): then("error: \(escapedForTerminal(failure.message))\n")
      }
    }
  }
}

extension Printout {
  /// Pairs what to print with an exit status.
  package init(_ bytes: [UInt8], _ exitStatus: ExitStatus) {
    self.bytes = bytes
    self.exitStatus = exitStatus
  }
}

extension Catalogue {
  /// Runs a line, written as in a script, and returns the text of its result for a person.
  ///
  /// It is for frontends with a thread for each client, on a stream with its own thread: on the
  /// home thread it would wait for ever.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - port: The port that sends its command.
  ///   - isJSON: Whether the result is JSON, on a line; a failure is text.
  /// - Returns: The text, which ends with a newline, also for a line that can't be read; nothing
  ///   for an empty line or a comment.
  public func answer(
    to line: String,
    through port: ViewPort,
    isJSON: Bool = false
  ) -> String {
    do throws(CommandError) {
      guard let command = try read(line: line) else { return "" }
      let (answer, isAnswered) = (Locked(""), DispatchSemaphore(value: 0))
      command.send(through: port, isJSON: isJSON) { text in
        answer.withLock { $0 = text }
        isAnswered.signal()
      }
      isAnswered.wait()
      return answer.withLock { $0 }
    } catch {
      return "error: \(escapedForTerminal(error.message))\n"
    }
  }
}
