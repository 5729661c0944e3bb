/// Says that a frontend session has ended: what is kept for it alone is discarded, such as its
/// screens, and edits in them.
///
/// The session is the one whose intent this is; see ``Turn/origin``.
public struct ResponseSessionEnd: ViewModelEvent, Codable {
  /// Says that a session has ended.
  public init() {}
}

extension ViewPort {
  /// Ends the session, after all that it has sent so far; a later request through the port begins a
  /// new one.
  ///
  /// A process that has many sessions, one after the other, calls it at the end of each. Where a
  /// process ends with its only session, nobody needs to.
  public func end() { send(ResponseSessionEnd()) }
}
