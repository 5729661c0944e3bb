public import EventMVVM

/// Says something to a person once, for a moment: a command from a view model to its view (S78).
///
/// It reaches the views that are there, and is never repeated for those that come later. A view
/// shows those of its own session, and leaves all others alone (S15).
public struct ResponseToast: ViewModelEvent, Fact {
  /// Whose view shows it.
  public let session: Origin
  /// What it says; may contain any text that users type.
  public let text: String

  /// Says something to a session.
  public init(_ session: Origin, _ text: String) {
    self.session = session
    self.text = text
  }
}

extension Navigator {
  /// Says something on a screen, if it is the topmost one of its session; else nothing (S78).
  public func toast(_ text: String, on screen: any Screen, _ turn: borrowing Turn) {
    guard let session = session(of: screen), top(of: session) === screen else { return }
    turn.send(ResponseToast(session, text))
  }

  /// The topmost screen of a session.
  private func top(of session: Origin) -> (any Screen)? { screens(of: session)?.last }
}
