public import EventCommands
public import EventMVVM
public import JSONText

/// Shows a text to a person once, for a moment: a command from a view model to its view (S78).
///
/// It reaches the present views, and is never repeated for later ones. A view shows those of its
/// own session, and ignores all others (S15).
///
/// ```swift
/// store.send(ResponseToast(store.origin, "To pay: \(view.price.text)"))
/// ```
public struct ResponseToast: SessionNotice, Fact {
  /// The session whose view shows it.
  public let session: Origin
  /// The text; may contain any text that users type.
  public let text: String
  /// The kind of the screen that it appears on; nil where it is on none.
  public let screen: String?

  /// Creates a toast for a session.
  public init(_ session: Origin, _ text: String, on screen: String? = nil) {
    self.session = session
    self.text = text
    self.screen = screen
  }

  /// The method of its notification.
  public static let notification = "toast"
  /// Its description in the reference.
  public static let summary = """
    Something to be shown to a person for a moment, to this client alone: `text`, and the kind of the
    `screen` that it is on, if it is on one, which then is the topmost. It is not repeated.
    """

  /// Writes the text, and the screen if there is one.
  public func writeParameters(to json: inout JSONWriter) {
    json.member("text", text)
    if let screen { json.member("screen", screen) }
  }
}

extension Navigator {
  /// Shows a text on a screen if it is the topmost one of its session, else nothing (S78).
  public func toast(_ text: String, on screen: any Screen, _ turn: borrowing Turn) {
    guard let session = session(of: screen), top(of: session) === screen else { return }
    turn.send(ResponseToast(session, text, on: screen.view.kind))
  }

  /// The topmost screen of a session.
  private func top(of session: Origin) -> (any Screen)? { screens(of: session)?.last }
}
