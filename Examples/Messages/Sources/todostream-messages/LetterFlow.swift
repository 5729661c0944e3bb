import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

/// A letter that is being written.
final class LetterScreen: Screen {
  /// The name of the screen in the catalogue.
  static let kind = "letter"
  static let isNotOpen = "No letter is open; 'reply' begins one where a message is open."
  /// Executing while the letter is being sent (S91).
  let sending: Action
  private let contents: StateContainer<Letter>
  private let sent = Locked(false)

  init(_ letter: Letter, on stream: EventStream) {
    contents = StateContainer(letter, name: Self.kind, on: stream)
    sending = Action("send", on: stream)
  }

  var states: [NamedState] {
    [contents.state.named(.letter), sending.isExecuting.named(.sending)]
  }

  var letter: Letter { contents.model }

  var view: ScreenView {
    let letter = letter
    return ScreenView(
      kind: Self.kind,
      title: "to \(letter.to)",
      isEdited: !letter.text.isEmpty
    )
  }

  /// Whether the mailbox has accepted it; such a letter is still open if its copy could not be
  /// stored.
  var isSent: Bool { sent.withLock { $0 } }

  func noteSent() { sent.withLock { $0 = true } }

  /// Checks that the text can still be changed.
  func checkIsOpen() throws(Failure) {
    try sending.checkIsIdle()
    guard isSent else { return }
    throw Failure(.usage, "The letter was sent; 'send' keeps its copy, 'cancel' does without.")
  }

  /// Sets the text.
  func say(_ text: String, _ turn: borrowing Turn) -> Letter {
    contents.change(turn) { $0.text = text }
    return letter
  }
}

extension StateName {
  static let letter = StateName("letter", "The open letter.")
  static let sending = StateName(
    "letter/sending",
    "Whether the open letter is being sent.",
    progress: "sending"
  )
}

/// The flow of a letter, inside any flow that begins it (S96); it depends on no message.
final class LetterFlow: Coordinator {
  /// Opens a letter in the session of the intent.
  ///
  /// - Parameters:
  ///   - letter: The letter, with its known parts.
  ///   - navigator: The navigator, which stores the screens of each session.
  ///   - turn: The turn of the request.
  /// - Returns: The letter.
  /// - Throws: The failure that the session can't show it.
  func begin(
    _ letter: Letter,
    _ navigator: Navigator,
    _ turn: borrowing Turn
  ) throws(Failure) -> Letter {
    guard !turn.isInUnit else { throw Navigator.isForNoScript }
    guard navigator.hasRoom(in: turn.origin) else {
      throw Failure(.usage, "There is no room for a letter; 'back' closes a screen.")
    }
    navigator.open(LetterScreen(letter, on: turn.stream), turn)
    return letter
  }

  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.answer(RequestText.self, owner: navigator) { navigator, request, turn in
      let screen = try navigator.topmost(LetterScreen.self, turn)
      try screen.checkIsOpen()
      defer { navigator.tellChange(of: screen, turn) }
      return screen.say(request.text, turn)
    }
    stream.answer(RequestCancel.self, owner: navigator) { navigator, _, turn in
      let screen = try navigator.topmost(LetterScreen.self, turn)
      navigator.close(screen, turn)
      return screen.letter
    }
    stream.answer(RequestSend.self, owner: navigator) { navigator, _, account, turn, answer in
      do {
        try Self.send(
          try navigator.topmost(LetterScreen.self, turn),
          account,
          navigator,
          turn,
          answer
        )
      } catch {
        answer(.failure(Failure(error)), turn)
      }
    }
  }

  /// Sends the letter, unless the person decides against it (S83); the screen stays until it is
  /// sent.
  private static func send(
    _ screen: LetterScreen,
    _ account: Account?,
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    _ answer: @escaping EventStream.Answering<RequestSend>
  ) throws(Failure) {
    let letter = try screen.letter.validated()
    try screen.sending.begin(turn)
    let end: EventStream.Answering<RequestSend> = { result, turn in
      _ = screen.sending.end(turn)
      if case .success = result {
        navigator.close(screen, turn)
        turn.send(ResponseToast(turn.origin, "Sent to \(letter.to)."))
      }
      answer(result, turn)
    }
    guard letter.seemsToLackSomething, !screen.isSent else {
      return mail(letter, account, screen, turn, end)
    }
    let question = RequestDecision(
      turn.origin,
      "It speaks of something attached, and nothing is. Send it?",
      choices: RequestDecision.yesOrNo
    )
    turn.request(question) { result, turn in
      let decision = result.mapError(Failure.init).flatMap(\.result)
      switch decision {
      case .success("yes"): mail(letter, account, screen, turn, end)
      case .success: end(.failure(Failure(.cancelled, "Nothing was sent.")), turn)
      case .failure(let failure): end(.failure(failure), turn)
      }
    }
  }

  /// Sends the letter to the mailbox, unless that has accepted it before, and stores a copy.
  private static func mail(
    _ letter: Letter,
    _ account: Account?,
    _ screen: LetterScreen,
    _ turn: borrowing Turn,
    _ end: @escaping EventStream.Answering<RequestSend>
  ) {
    let mailing = Mailing(id: turn.makeID(), letter: letter, account: account, screen: screen)
    Self.mailing.run(mailing, after: screen.isSent ? delivery : nil, turn) { result, turn in
      end(result.map(\.letter), turn)
    }
  }

  /// The mailbox accepts the letter, and a copy is stored (S61).
  ///
  /// A sent letter can't be undone. Its copy can, but the step of that would be the next one to
  /// undo, and would end the chain of `redo`. So a letter that is not sent stores nothing, and one
  /// without its copy is reported as sent.
  private static let mailing = Saga<Mailing>("send")
    .step(delivery, standing: "The letter was sent, and no copy of it is kept.") {
      RequestDelivery(id: $0.id, letter: $0.letter, account: $0.account)
    } keep: { mailing, _ in
      mailing.screen.noteSent()
    }
    .step("keep a copy") {
      RequestWriteRecords([.add(SentLetter($0.letter))])
    }

  private static let delivery = "deliver"

  private struct Mailing {
    let id: UniqueID
    let letter: Letter
    let account: Account?
    let screen: LetterScreen
  }
}
