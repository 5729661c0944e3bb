import Dispatch
public import EventMVVM
import EventValues
import JSONText

/// The run of a command, the same on every face: its check, its question to a person, the request, a
/// second try, and the result, in parts where the face writes a long list as it is read.
///
/// 1. A command with a ``Command/question`` is asked about, after its ``Command/check``: nobody agrees
///    to what fails. A check can find a question itself, such as about what a filter finds. Where nobody can be asked, it fails with the kind `usage`, whatever the check
///    would say; where the face answers all questions with yes, it is neither asked nor checked.
/// 2. The request is sent, and its result is rendered.
/// 3. A failure for which the command has a ``Command/secondTry(after:)`` is followed by its question,
///    and by the command that it offers. One that is for persons is never answered without one.
///
/// ```swift
/// screen.append(CommandRun(through: port, Rendering()).run(command, on: port).text)
/// ```
///
/// Any thread may use it; it calls back on the stream's home thread, on the thread that answers a question
/// or has written a part, or at once where nothing is sent.
/// It may run one command after another, and is not to be used for two at once.
public final class CommandRun: Sendable {
  /// A question to a person about a command.
  public struct Question: Sendable {
    /// The question.
    public let text: String
    /// The failure after which a second try is offered; nil before the command is sent.
    public let failure: Failure?
    /// The line that can be run instead: `save`; nil if there is none.
    public let instead: String?

    /// Creates a question.
    package init(_ text: String, after failure: Failure? = nil, instead: String? = nil) {
      self.text = text
      self.failure = failure
      self.instead = instead
    }
  }

  /// The answer to a question.
  public enum Answer: Sendable {
    /// The command is sent.
    case yes
    /// It is not.
    case no
    /// This command is run instead.
    case instead(any Command)
    /// Nobody could be asked.
    case failed(Failure)
  }

  /// How a run ends.
  public enum Ending: Sendable {
    /// With a result; that of a list that was written in parts is empty.
    case printed(Printout)
    /// With a failure.
    case failed(Failure)
    /// With the answer no: nothing was changed. The failure of which a second try was declined has
    /// been shown with its question; else its kind is `cancelled`.
    case declined(Failure)
  }

  /// Asks a person, and calls back once, on any thread.
  ///
  /// It returns the conversation of a question that is asked through the stream, so that cancelling the
  /// run cancels it.
  public typealias Asking =
    @Sendable (Question, _ then: @escaping @Sendable (Answer) -> Void) -> Conversation?
  /// Writes a part of a long list, the last one if none follows, and calls back once: with true for the
  /// next part, with false if it can't be written.
  public typealias Writing =
    @Sendable (
      _ part: [UInt8],
      _ isLast: Bool,
      _ then: @escaping @Sendable (_ goesOn: Bool) -> Void
    ) -> Void

  /// The items of a list that are read at once where it is written in parts.
  public static let partSize = 1000

  private struct State {
    var isCancelled = false
    var conversation: Conversation?
    /// How many conversations were begun, and the number of the one that is known: it is noted after it
    /// was begun, and a later one may have been noted meanwhile.
    var begun = 0
    var noted = 0
  }

  private let sender: any RequestSender
  private let rendering: Rendering
  private let saysYes: Bool
  /// Whether a yes to all questions agrees to a second try.
  private let triesAgain: Bool
  private let ask: Asking?
  private let write: Writing?
  /// Whether the face writes the lines of a command that goes on.
  private let mayFollow: Bool
  private let state = Locked(State())
  /// Called when a conversation has begun.
  private let hasBegun: (@Sendable () -> Void)?

  /// Prepares a run for a port.
  ///
  /// - Parameters:
  ///   - port: The port that sends the command.
  ///   - rendering: How the result is shown.
  ///   - saysYes: Whether questions are answered with yes.
  ///   - ask: Asks a person; nil where there is none.
  ///   - mayFollow: Whether the face writes the lines of a command that goes on, ``ResponseFollowedLines``; else such a one fails.
  ///   - write: Writes a list in JSON as it is read; nil where its result is one.
  public convenience init(
    through port: ViewPort,
    _ rendering: Rendering,
    saysYes: Bool = false,
    ask: Asking? = nil,
    mayFollow: Bool = false,
    write: Writing? = nil
  ) {
    self.init(
      sender: port,
      rendering,
      saysYes: saysYes,
      ask: ask,
      mayFollow: mayFollow,
      write: write
    )
  }

  /// Prepares a run for a port or a unit.
  package init(
    sender: any RequestSender,
    _ rendering: Rendering,
    saysYes: Bool,
    triesAgain: Bool = true,
    ask: Asking? = nil,
    mayFollow: Bool = false,
    write: Writing? = nil,
    hasBegun: (@Sendable () -> Void)? = nil
  ) {
    self.sender = sender
    self.rendering = rendering
    self.saysYes = saysYes
    self.triesAgain = triesAgain
    self.ask = ask
    self.mayFollow = mayFollow
    self.write = write
    self.hasBegun = hasBegun
  }

  /// The conversation in progress, of which the root is known on the home thread.
  package var conversation: Conversation? { state.withLock { $0.conversation } }
  /// Whether it was cancelled.
  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Cancels the run: what has not begun never does; a change that has begun is carried out.
  public func cancel() {
    let conversation = state.withLock { state in
      state.isCancelled = true
      return state.conversation
    }
    if let conversation { sender.cancel(conversation) }
  }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - then: Called once.
  public func begin<C: Command>(_ command: C, then: @escaping @Sendable (Ending) -> Void) {
    let question = command.question
    guard !saysYes, question != nil || command.check != nil else { return send(command, then) }
    if let question, ask == nil { return then(.failed(Self.refusal(question))) }
    check(command.check) { [self] checked in
      do throws(Failure) {
        let checked = try checked.get()
        let command = checked.map { command.checked($0) } ?? command
        guard let question = checked?.question ?? question else { return send(command, then) }
        guard ask != nil else { return then(.failed(Self.refusal(question))) }
        consult(Question(question), then) { [self] in
          send(command, then)
        }
      } catch {
        then(.failed(error))
      }
    }
  }

  /// Runs a command to its end, and delivers meanwhile, on the thread of the stream.
  public func run(_ command: some Command, on port: ViewPort) -> Ending {
    let ended = Locked<Ending?>(nil)
    begin(command) { ending in ended.withLock { $0 = ending } }
    port.run { ended.withLock { $0 != nil } }
    return ended.withLock { $0 } ?? .failed(Failure(Interruption.unanswered))
  }

  /// Runs a command to whose question a person has agreed; what its check finds is still asked about.
  package func begin(
    agreed command: some Command,
    then: @escaping @Sendable (Ending) -> Void
  ) {
    if command.question == nil { begin(command, then: then) } else { send(command, then) }
  }

  /// Returns the failure of a question where nobody can be asked.
  package static func refusal(_ question: String) -> Failure {
    Failure(.usage, "\(question) Nobody can be asked here; --yes answers it.")
  }

  /// Asks a question.
  private func consult(
    _ question: Question,
    _ then: @escaping @Sendable (Ending) -> Void,
    yes: @escaping @Sendable () -> Void
  ) {
    guard !isCancelled else {
      return then(.failed(question.failure ?? Failure(Interruption.cancelled)))
    }
    let number = nextNumber()
    let conversation = ask?(question) { [self] answer in
      switch answer {
      case .yes: yes()
      case .no where isCancelled: then(.failed(Failure(Interruption.cancelled)))
      case .no: then(.declined(question.failure ?? Failure(.cancelled, "Nothing was changed.")))
      case .instead(let command): begin(command, then: then)
      case .failed(let failure): then(.failed(question.failure ?? failure))
      }
    }
    if let conversation { follow(conversation, number) }
  }

  private func check(
    _ check: (any CheckRequest)?,
    _ then: @escaping @Sendable (Result<CheckedCommand?, Failure>) -> Void
  ) {
    guard let check else { return then(.success(nil)) }
    send(check: check, then)
  }

  private func send<R: CheckRequest>(
    check: R,
    _ then: @escaping @Sendable (Result<CheckedCommand?, Failure>) -> Void
  ) {
    request(check, isHousekeeping: true) { reply in
      do {
        then(.success(try ResponseCheck._value(of: reply)))
      } catch {
        then(.failure(Failure(error)))
      }
    }
  }

  private func send<C: Command>(_ command: C, _ then: @escaping @Sendable (Ending) -> Void) {
    guard !command.follows || mayFollow else {
      let problem = "A '\(C.verb)' that goes on is run by itself, from a shell."
      return then(.failed(Failure(.usage, problem)))
    }
    if write != nil, rendering.isJSON, !command.follows, let list = command.partedCommand {
      return sendParts(list, then)
    }
    request(command) { [self] reply in
      do {
        let value = try C.Reply._value(of: reply)
        then(.printed(rendering.printout(of: value, command)))
      } catch {
        fail(command, Failure(error), then)
      }
    }
  }

  /// Offers a second try, if there is one and a person or the face can agree to it.
  private func fail<C: Command>(
    _ command: C,
    _ failure: Failure,
    _ then: @escaping @Sendable (Ending) -> Void
  ) {
    guard let second = command.secondTry(after: failure) else { return then(.failed(failure)) }
    if saysYes, triesAgain, !second.isForPersons { return send(second.command, then) }
    guard ask != nil else { return then(.failed(failure)) }
    consult(Question(second.question, after: failure, instead: second.instead), then) {
      [self] in send(second.command, then)
    }
  }

  // MARK: Lists

  private func sendParts<C: PartedCommand>(
    _ command: C,
    _ then: @escaping @Sendable (Ending) -> Void
  ) {
    var json = JSONWriter()
    json.beginArray()
    send(part: command.inParts(of: Self.partSize), Locked(json), then)
  }

  /// Requests a part, writes it, and goes on with the rest.
  private func send<C: PartedCommand>(
    part: C,
    _ json: Locked<JSONWriter>,
    _ then: @escaping @Sendable (Ending) -> Void
  ) {
    request(part) { [self] reply in
      do {
        let reply = try reply.get()
        let value = try reply.result.get()
        let rest = reply.rest
        let bytes = json.withLock { json in
          value.writeItems(to: &json)
          if rest == nil { json.endArray() }
          return rendering.line(json.takeBytes(), isWhole: rest == nil)
        }
        write?(bytes, rest == nil) { [self] goesOn in
          guard goesOn, let rest else {
            return then(.printed(Printout([], value.exitStatus, isConfirmation: false)))
          }
          send(part: rest, json, then)
        }
      } catch {
        then(.failed(Failure(error)))
      }
    }
  }

  // MARK: Conversations

  private func request<R: Request & ViewModelEvent>(
    _ request: R,
    isHousekeeping: Bool = false,
    then: @escaping @Sendable (Result<R.Reply, Interruption>) -> Void
  ) {
    guard !isCancelled else { return then(.failure(.cancelled)) }
    let number = nextNumber()
    if let conversation = sender.take(request, isHousekeeping: isHousekeeping, then: then) {
      follow(conversation, number)
    }
  }

  private func nextNumber() -> Int {
    state.withLock { state in
      state.begun += 1
      return state.begun
    }
  }

  private func follow(_ conversation: Conversation, _ number: Int) {
    let isCancelled = state.withLock { state in
      if number > state.noted { (state.noted, state.conversation) = (number, conversation) }
      return state.isCancelled
    }
    if isCancelled { sender.cancel(conversation) }
    hasBegun?()
  }
}

/// A sender of requests to the stream: a view's port or a unit.
package protocol RequestSender: Sendable {
  /// Sends a request and calls back with its reply; returns its conversation, if that can be cancelled
  /// on its own.
  func take<R: Request & ViewModelEvent>(
    _ request: R,
    isHousekeeping: Bool,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  ) -> Conversation?
  /// Cancels a conversation.
  func cancel(_ conversation: Conversation)
}

extension ViewPort: RequestSender {
  /// Sends a request on its own and calls back with its reply.
  package func take<R: Request & ViewModelEvent>(
    _ request: R,
    isHousekeeping: Bool,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  ) -> Conversation? {
    self.request(request, isHousekeeping: isHousekeeping) { result, _ in then(result) }
  }
}

extension StreamUnit: RequestSender {
  /// Sends a request inside the unit and calls back with its reply.
  package func take<R: Request & ViewModelEvent>(
    _ request: R,
    isHousekeeping: Bool,
    then: @escaping (Result<R.Reply, Interruption>) -> Void
  ) -> Conversation? {
    self.request(request) { result, _ in then(result) }
    return nil
  }

  /// Does nothing: its requests are cancelled together.
  package func cancel(_ conversation: Conversation) {}
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
      CommandRun(through: port, Rendering(isJSON: isJSON))
        .begin(command) { ending in
          answer.withLock { $0 = ending.text }
          isAnswered.signal()
        }
      isAnswered.wait()
      return answer.withLock { $0 }
    } catch {
      return CommandRun.Ending.failed(error.failure).text
    }
  }
}

extension CommandRun.Ending {
  /// What a person reads; it ends with a newline, unless it is empty.
  public var text: String {
    switch self {
    case .printed(let printout): String(decoding: printout.bytes, as: UTF8.self)
    case .failed(let failure): "error: \(escapedForTerminal(failure.message))\n"
    case .declined: "Nothing was changed.\n"
    }
  }
}
