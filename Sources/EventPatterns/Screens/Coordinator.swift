public import EventCommands
public import EventMVVM

/// Owns the navigation of a flow: creates its screens, answers their commands, and decides what is
/// opened and closed when (S96).
///
/// Screens know no coordinator and no other screen; coordinators know the ``Navigator``, and their
/// own flow alone. A flow within a flow is a coordinator of its own, listed among the ``children``.
public protocol Coordinator: AnyObject, Sendable {
  /// The coordinators of the flows within this one.
  var children: [any Coordinator] { get }
  /// Subscribes to what opens, drives and closes its screens; called once.
  ///
  /// - Parameters:
  ///   - stream: The shared stream.
  ///   - navigator: Who keeps the screens of each session.
  func join(_ stream: EventStream, _ navigator: Navigator)
  /// Follows a deep link, if it leads to a screen of this flow.
  ///
  /// - Parameters:
  ///   - route: The words of the link; at least one.
  ///   - navigator: Who keeps the screens of each session.
  ///   - turn: The turn of the request.
  ///   - then: Called once with what the screen shows, or why there is none.
  /// - Returns: False if the link is not for this flow; `then` is then never called.
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool
}

extension Coordinator {
  /// No flow within this one.
  public var children: [any Coordinator] { [] }
  /// Nothing to subscribe to: its flows do.
  public func join(_ stream: EventStream, _ navigator: Navigator) {}
  /// No link leads here: its flows have them.
  public func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    false
  }
}
