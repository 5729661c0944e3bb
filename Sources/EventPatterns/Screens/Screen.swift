public import EventCommands
public import EventMVVM

/// What a coordinator opens: the view model of a screen, with its own state (S81).
///
/// It knows models and no other screen (S96). All of it runs on the stream's home thread. It lives
/// as long as it is open, and with it end the subscriptions that it owns (S12, S14).
public protocol Screen: AnyObject, Sendable {
  /// The advice for a command that needs such a screen where none is on top: how to open one.
  static var isNotOpen: String { get }
  /// What a frontend shows of it now.
  var view: ScreenView { get }
  /// Its states, under the names by which programs watch them: they do so while it is the topmost
  /// one of their session.
  var states: [NamedState] { get }
  /// Called when what covered it was closed, so that it is the topmost one again (S28).
  func reappear(_ turn: borrowing Turn)
}

extension Screen {
  /// What is there to say about any screen.
  public static var isNotOpen: String { "No such screen is open." }
  /// None that programs can watch.
  public var states: [NamedState] { [] }
  /// Nothing to do.
  public func reappear(_ turn: borrowing Turn) {}
}
