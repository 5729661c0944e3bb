public import EventCommands
public import EventMVVM

/// Owns the navigation of a flow: creates its screens, answers their commands, and decides what is
/// opened and closed when (S96).
///
/// Screens depend on no coordinator and no other screen; coordinators depend on the ``Navigator``
/// and their own flow alone. A flow within a flow is a coordinator of its own, one of ``children``.
///
/// ```swift
/// stream.answer(RequestReply.self, owner: navigator) { [letters] navigator, _, turn in
///   let screen = try navigator.topmost(MessageScreen.self, turn)
///   return try letters.begin(Letter(replyTo: screen.message), navigator, turn)
/// }
/// ```
public protocol Coordinator: AnyObject, Sendable {
  /// The coordinators of the flows within this one.
  var children: [any Coordinator] { get }
  /// Subscribes to the events that open, drive and close its screens; called once.
  ///
  /// - Parameters:
  ///   - stream: The shared stream.
  ///   - navigator: The navigator that keeps the screens of each session.
  func join(_ stream: EventStream, _ navigator: Navigator)
  /// Follows a deep link, if it leads to a screen of this flow.
  ///
  /// - Parameters:
  ///   - route: The words of the link; at least one.
  ///   - navigator: The navigator that keeps the screens of each session.
  ///   - turn: The turn of the request.
  ///   - then: Called once with the content of the screen, or why there is none.
  /// - Returns: False if the link is not for this flow; `then` is then never called.
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool
}

extension Coordinator {
  /// None.
  public var children: [any Coordinator] { [] }
  /// Does nothing, as its flows subscribe.
  public func join(_ stream: EventStream, _ navigator: Navigator) {}
  /// Returns false: links lead to its flows.
  public func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    false
  }
}
