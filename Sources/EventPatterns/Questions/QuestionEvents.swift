public import EventCommands
public import EventMVVM
public import JSONText

/// Asks the person of a session, who owes an answer from then on (S83); answered by ``Questions``.
///
/// The reply is what the person says. It fails with the kind `cancelled` where the person does not
/// want to answer, the session ends, the question is withdrawn, or the request is cancelled; with
/// the kind `usage` where nobody can be asked, as in a script.
public struct RequestDecision: ViewModelEvent, Request, Codable {
  /// What answers it.
  public typealias Reply = ResponseDecision
  /// It only asks.
  public static let writes = false

  /// Who is asked.
  public let session: Origin
  /// The question; may contain any text that users type.
  public let text: String
  /// What can be answered; nil for anything.
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

  /// What a question with two answers is answered by.
  public static let yesOrNo = ["yes", "no"]
}

/// What a person has decided: it comes from outside, and so a recording has it.
public struct ResponseDecision: ViewModelEvent, Response, Decodable {
  /// The answer or why there is none.
  public let result: Result<String, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<String, Failure>) {
    self.result = result
  }
}

/// Says that a question need not be answered any more, such as where what it was about is gone.
public struct ResponseQuestionWithdrawal: ViewModelEvent, Codable {
  /// The question.
  public let id: UniqueID

  /// Withdraws a question.
  public init(_ id: UniqueID) {
    self.id = id
  }
}

/// Says that a session owes an answer; its view asks the person, and others leave it alone.
public struct ResponseQuestion: SessionNotice, Fact, Encodable {
  /// Who is asked.
  public let session: Origin
  /// The number by which ``RequestAnswer`` names it.
  public let id: Int
  /// The question; may contain any text that users type.
  public let text: String
  /// What can be answered; nil for anything.
  public let choices: [String]?
  /// The number.
  public var subject: String? { "#\(id)" }

  /// What programs are notified by.
  public static let notification = "question"
  /// What it says, for the reference.
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

/// Says that a session does not owe an answer any more, whatever the reason.
public struct ResponseQuestionClosed: SessionNotice, Fact, Encodable {
  /// Who was asked.
  public let session: Origin
  /// The number of the question.
  public let id: Int
  /// The number.
  public var subject: String? { "#\(id)" }

  /// What programs are notified by.
  public static let notification = "question/closed"
  /// What it says, for the reference.
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
  /// What answers it.
  public typealias Reply = ResponseView<Message>
  /// It goes to what waits for it.
  public static let writes = false
  /// What waits for it may be under way for the same program.
  public static let overtakesWrites = true

  /// The number of the question.
  public var id = Count(0)
  /// The answer; nil says that there will be none.
  public var value: String?

  /// How it is called.
  public static let command = CommandSpec<Self>("answer", "Answers a question.")
    .word(\.id, "Its number")
    .word(\.value, "The answer; none is given unless told")

  /// The request before anything of it was read.
  public init() {}

  /// Answers a question.
  public init(_ id: Int, _ value: String?) {
    self.id = Count(id)
    self.value = value
  }
}
