/// States that a frontend session has ended: what is kept for it alone is discarded, such as its
/// screens and the edits in them.
///
/// The session is the origin of this event; see ``Turn/origin``.
public struct ResponseSessionEnd: ViewModelEvent, Codable {
  /// Creates the event.
  public init() {}
}

extension ViewPort {
  /// Ends the session, after all that it has sent so far; a later request through the port begins a
  /// new one.
  ///
  /// A process that has many sessions, one after the other, calls it at the end of each. A process
  /// that ends with its only session need not.
  public func end() { send(ResponseSessionEnd()) }
}
