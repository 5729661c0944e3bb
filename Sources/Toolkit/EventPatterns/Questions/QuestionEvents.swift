public import EventCommands
public import EventMVVM
public import EventValues
public import JSONText

/// Asks the person of a session, which owes an answer from then on (S83); answered by
/// ``Questions``.
///
/// The reply is the person's answer. It fails with the kind `cancelled` where the person declines,
/// the session ends, the question is withdrawn, or the request is cancelled; with the kind `usage`
/// where no person can be asked, as in a script.
///
/// ```swift
/// let question = RequestDecision(
///   turn.origin,
///   "It speaks of something attached, and nothing is. Send it?",
///   choices: RequestDecision.yesOrNo
/// )
/// ```
public struct RequestDecision: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseDecision
  /// It only asks.
  public static let writes = false

  /// The session that is asked.
  public let session: Origin
  /// The question; may contain any text that users type.
  public let text: String
  /// The possible answers; nil for anything.
  public let choices: [String]?
  /// The identity by which ``ResponseQuestionWithdrawal`` names it; nil if it is never withdrawn.
  public let id: UniqueID?

  /// Asks a session.
  public init(_ session: Origin, _ text: String, choices: [String]? = nil, id: UniqueID? = nil) {
    self.session = session
    self.text = text
    self.choices = choices
    self.id = id
  }

  /// The answers to a yes-or-no question.
  public static let yesOrNo = ["yes", "no"]
}

/// The decision of a person: an input, so a recording contains it.
public struct ResponseDecision: ViewModelEvent, Response, Decodable {
  /// The answer, or why there is none.
  public let result: Result<String, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<String, Failure>) {
    self.result = result
  }
}

/// States that a question needs no answer any more, for instance because its subject is gone.
///
/// ```swift
/// for question in questions.withLock({ $0 }) { turn.send(ResponseQuestionWithdrawal(question)) }
/// ```
public struct ResponseQuestionWithdrawal: ViewModelEvent, Codable {
  /// The question.
  public let id: UniqueID

  /// Withdraws a question.
  public init(_ id: UniqueID) {
    self.id = id
  }
}

/// States that a session owes an answer; its view asks the person, and other views ignore it.
public struct ResponseQuestion: SessionNotice, Fact, Encodable {
  /// The session that is asked.
  public let session: Origin
  /// The number by which ``RequestAnswer`` names it.
  public let id: Int
  /// The question; may contain any text that users type.
  public let text: String
  /// The possible answers; nil for anything.
  public let choices: [String]?
  /// The number.
  public var subject: String? { "#\(id)" }
  /// True: the request waits for the answer.
  public var waitsForPerson: Bool? { true }

  /// The method of its notification.
  public static let notification = "question"
  /// Its description in the reference.
  public static let summary = """
    Something that a person is to decide, of this client alone: `text`, and what can be answered, `choices`,
    unless it is anything. `question/answer` answers it by its `id`; something waits until then.
    """

  /// Writes the question.
  public func writeParameters(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("text", text)
    if let choices { json.member("choices", JSON.array(choices.map { .string($0) })) }
  }
}

/// States that a session no longer owes an answer, for any reason.
public struct ResponseQuestionClosed: SessionNotice, Fact, Encodable {
  /// The session that was asked.
  public let session: Origin
  /// The number of the question.
  public let id: Int
  /// The number.
  public var subject: String? { "#\(id)" }
  /// False: the request goes on.
  public var waitsForPerson: Bool? { false }

  /// The method of its notification.
  public static let notification = "question/closed"
  /// Its description in the reference.
  public static let summary = """
    A question that needs no answer any more, by its `id`: it was answered, withdrawn or cancelled.
    """

  /// Writes the number.
  public func writeParameters(to json: inout JSONWriter) {
    json.member("id", id)
  }
}

/// Answers a question that the session owes: `answer 1 yes`.
public struct RequestAnswer: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseView<Message>
  /// It reaches the request that waits for it.
  public static let writes = false
  /// The request that waits for it may belong to the same program.
  public static let overtakesWrites = true

  /// The number of the question.
  public var id = Count(0)
  /// The answer; nil declines to answer.
  public var value: String?

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("answer", "Answers a question.")
    .topic(.rare)
    .word(\.id, "Its number")
    .word(\.value, "The answer; none is given unless told")

  /// Creates the request with its default values.
  public init() {}

  /// Answers a question.
  public init(_ id: Int, _ value: String?) {
    self.id = Count(id)
    self.value = value
  }
}
