import EventCommands
import EventMVVM
import EventPatterns
import EventValues

/// An open message.
final class MessageScreen: Screen {
  /// The name of the screen in the catalogue.
  static let kind = "detail"
  static let isNotOpen = "No message is open; 'show' and its row open one."
  let message: MessageView

  init(_ message: MessageView) {
    self.message = message
  }

  var view: ScreenView { ScreenView(kind: Self.kind, title: "\(message.from): \(message.title)") }
}

/// The flow of messages (S96): it opens their details, and begins the flow of a letter for a reply.
final class MessageFlow: Coordinator {
  private let letters = LetterFlow()
  var children: [any Coordinator] { [letters] }

  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(successOf: RequestMessage.Reply.self, owner: navigator) { navigator, message, turn in
      guard !turn.isInUnit, navigator.hasRoom(in: turn.origin) else { return }
      let seen = navigator.top(of: turn.origin, as: MessageScreen.self)
      navigator.open(MessageScreen(message), replacing: seen, turn)
    }
    stream.answer(RequestReply.self, owner: navigator) { [letters] navigator, _, turn in
      let screen = try navigator.topmost(MessageScreen.self, turn)
      return try letters.begin(Letter(replyTo: screen.message), navigator, turn)
    }
  }

  /// `2` leads to the second message, `2 reply` to a reply to it.
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    let isReply = route.count == 2 && route[1] == RequestReply.verb
    guard route.count == 1 || isReply, let index = try? Count(word: route[0]) else { return false }
    turn.request(RequestMessage(index: index)) { [letters, weak navigator] result, turn in
      do {
        let message = try result.get().result.get()
        guard isReply, let navigator else { return then(.success(message), turn) }
        then(.success(try letters.begin(Letter(replyTo: message), navigator, turn)), turn)
      } catch {
        then(.failure(Failure(error)), turn)
      }
    }
    return true
  }
}
