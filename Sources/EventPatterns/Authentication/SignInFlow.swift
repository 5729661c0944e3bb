public import EventCommands
public import EventMVVM

/// Opens a screen where commands wait for somebody to sign in, and closes it when somebody has (S60, S96).
///
/// It is a flow like any other: an application lists it among the children of its coordinator, or beside it.
public final class SignInFlow: Coordinator {
  /// The name under which the catalogue has the commands of its screen.
  public static let kind = "sign-in"
  /// The commands of its screen.
  public static let commands: [any Command.Type] = [RequestCancelSignIn.self]

  /// Creates the flow.
  public init() {}

  /// Subscribes to what opens, drives and closes its screen.
  public func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(ResponseHold.self, owner: navigator) { navigator, response, turn in
      guard case .success(let hold) = response.result, !hold.waiting.isEmpty else { return }
      Self.show(hold.waiting, navigator, turn)
    }
    stream.on(ResponseAccountChange.self, owner: navigator) { navigator, _, turn in
      for screen in navigator.screens(SignInScreen.self, of: turn.origin) {
        navigator.close(screen, turn)
      }
    }
    stream.answer(RequestCancelSignIn.self, owner: navigator) { navigator, _, turn in
      guard !turn.isInUnit else { throw Navigator.isForNoScript }
      guard let screen = navigator.top(of: turn.origin, as: SignInScreen.self) else {
        throw Failure(.usage, "Nothing waits for somebody to sign in.")
      }
      navigator.close(screen, turn)
      return Message("Gave up \(screen.text).")
    }
  }

  /// Shows what waits, on top of all else.
  private static func show(
    _ waiting: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn
  ) {
    guard let screen = navigator.screens(SignInScreen.self, of: turn.origin).last else {
      guard navigator.hasRoom(in: turn.origin) else { return }
      return navigator.open(SignInScreen(waiting), turn)
    }
    screen.show(waiting)
    navigator.raise(screen, turn)
  }
}

/// What waits for somebody to sign in.
final class SignInScreen: Screen {
  private let waiting: Locked<[String]>

  init(_ waiting: [String]) {
    self.waiting = Locked(waiting)
  }

  /// The commands that wait.
  var text: String { waiting.withLock { $0.joined(separator: ", ") } }
  var view: ScreenView { ScreenView(kind: SignInFlow.kind, title: "sign in: \(text)") }

  func show(_ waiting: [String]) { self.waiting.withLock { $0 = waiting } }
}
