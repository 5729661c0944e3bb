public import EventCommands
public import EventMVVM

/// Opens a screen while commands wait for a sign-in, and closes it when none waits any more (S60,
/// S96).
///
/// Postponed commands belong to the screens beneath it, and are dropped when another screen is opened
/// above it: a command that is sent again must not apply to a screen on which it was not sent,
/// such as another letter.
///
/// It is a flow like any other: an application lists it among the children of its coordinator, or
/// next to it.
///
/// ```swift
/// var coordinators: [any Coordinator] { [MessageFlow(), SignInFlow()] }
/// ```
public final class SignInFlow: Coordinator {
  /// The name of its screen's commands in the catalogue.
  public static let kind = "sign-in"
  /// The commands of its screen.
  public static let commands: [any Command.Type] = [RequestCancelSignIn.self]

  /// Creates the flow.
  public init() {}

  /// Subscribes to the events that open, drive and close its screen.
  public func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.on(successOf: ResponsePostpone.self, owner: navigator) { navigator, postponement, turn in
      if !postponement.waiting.isEmpty { Self.show(postponement.waiting, navigator, turn) }
    }
    stream.on(ResponsePostponeEnd.self, owner: navigator) { navigator, _, turn in
      for screen in navigator.screens(SignInScreen.self, of: turn.origin) {
        navigator.close(screen, turn)
      }
    }
    stream.on(ResponseScreenChange.self, owner: navigator) { navigator, change, turn in
      guard navigator.top(of: change.session, as: SignInScreen.self) == nil else { return }
      for screen in navigator.screens(SignInScreen.self, of: change.session) {
        navigator.close(screen, turn)
      }
    }
  }

  /// Shows the postponed commands, on top of all else, even where no other screen has room: commands
  /// stay postponed only while they are shown.
  private static func show(
    _ waiting: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn
  ) {
    guard let screen = navigator.screens(SignInScreen.self, of: turn.origin).last else {
      guard navigator.canShow(in: turn.origin) else { return }
      return navigator.open(SignInScreen(waiting), turn)
    }
    screen.show(waiting)
    navigator.raise(screen, turn)
  }
}

/// The screen of the commands that wait for a sign-in.
final class SignInScreen: Screen {
  private let waiting: Locked<[String]>

  init(_ waiting: [String]) {
    self.waiting = Locked(waiting)
  }

  /// The postponed commands.
  var text: String { waiting.withLock { $0.joined(separator: ", ") } }
  var view: ScreenView { ScreenView(kind: SignInFlow.kind, title: "sign in: \(text)") }

  func show(_ waiting: [String]) { self.waiting.withLock { $0 = waiting } }
}
