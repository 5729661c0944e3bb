public import EventMVVM

/// News that people should hear of while they are doing something else: a line on their screen.
///
/// A domain or a plugin lists its announcements in the catalogue; a frontend with a screen shows
/// those that it has not brought about itself.
public protocol Announcement: ViewModelEvent {
  /// Writes what there is to be read; nothing if it is not worth a line.
  func announce(on page: inout Page)
}

extension Announcement {
  /// Observes the announcement through a port; for frontends.
  ///
  /// - Parameters:
  ///   - port: The frontend's port.
  ///   - hear: Called on the stream's home thread with each announcement, and whose intent it was.
  /// - Returns: The subscription, to end it by.
  @discardableResult
  public static func observe(
    through port: ViewPort,
    _ hear: @escaping (any Announcement, Origin) -> Void
  ) -> Subscription {
    port.on(Self.self) { event, turn in hear(event, turn.origin) }
  }
}

/// Asks for how things stand, for a corner of a screen: a few words.
///
/// A frontend with a screen asks again when something was announced, and when a command has ended.
public protocol StatusRequest: Request, ViewModelEvent where Reply == ResponseStatus {
  /// The request.
  init()
}

/// How things stand.
public struct ResponseStatus: ViewModelEvent, Response {
  /// The words or why there are none.
  public let result: Result<StatusText, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<StatusText, Failure>) {
    self.result = result
  }
}

/// A few words on how things stand, each with a style.
public struct StatusText: Sendable, Equatable, Encodable {
  /// A part of it.
  public struct Piece: Sendable, Equatable, Encodable {
    /// The words.
    public let text: String
    /// How they look where colour is on.
    public let style: Page.Style?

    /// Styles a text.
    public init(_ text: String, _ style: Page.Style? = nil) {
      self.text = text
      self.style = style
    }
  }

  /// The parts, from left to right.
  public let pieces: [Piece]

  /// Says how things stand.
  public init(_ pieces: [Piece]) {
    self.pieces = pieces
  }
}
