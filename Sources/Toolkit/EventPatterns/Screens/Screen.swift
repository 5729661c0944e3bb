import EventCommands
public import EventMVVM
public import EventValues

/// The view model of a screen, with its own state, which a coordinator opens (S81).
///
/// It depends on models and no other screen (S96). All of it runs on the stream's home thread. It
/// lives as long as it is open, and the subscriptions that it owns end with it (S12, S14).
///
/// ```swift
/// var view: ScreenView {
///   let letter = letter
///   return ScreenView(
///     kind: Self.kind,
///     title: "to \(letter.to)",
///     isEdited: !letter.text.isEmpty
///   )
/// }
/// ```
public protocol Screen: AnyObject, Sendable {
  /// The advice for a command that needs such a screen where none is on top: how to open one.
  static var isNotOpen: String { get }
  /// Its form for frontends, at present.
  var view: ScreenView { get }
  /// Its states, under the names by which programs watch them while it is the topmost screen of its
  /// session.
  var states: [NamedState] { get }
  /// Called when the screen above it was closed, so that it is the topmost one again (S28).
  func reappear(_ turn: borrowing Turn)
}

extension Screen {
  /// The advice that fits any screen.
  public static var isNotOpen: String { "That is not open." }
  /// None.
  public var states: [NamedState] { [] }
  /// Does nothing.
  public func reappear(_ turn: borrowing Turn) {}
}
