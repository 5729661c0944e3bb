public import EventMVVM

/// An event that a person sees during other work, as a line on the screen.
///
/// A domain or a plugin lists its announcements in the catalogue; a frontend with a screen shows
/// the announcements of other origins.
///
/// ```swift
/// struct ResponseBreak: ViewModelEvent, Announcement, Codable {
///   func announce(on page: inout Page) {
///     page.write("Time for a break.", .notable)
///     page.endLine()
///   }
/// }
/// ```
public protocol Announcement: ViewModelEvent {
  /// Writes the announcement; nothing where it deserves no line.
  func announce(on page: inout Page)
}

extension Announcement {
  /// Observes the announcement through a port; for frontends.
  ///
  /// - Parameters:
  ///   - port: The frontend's port.
  ///   - hear: Called on the stream's home thread with each announcement and its origin.
  /// - Returns: The subscription, which ends when it is cancelled.
  @discardableResult
  public static func observe(
    through port: ViewPort,
    _ hear: @escaping (any Announcement, Origin) -> Void
  ) -> Subscription {
    port.on(Self.self) { event, turn in hear(event, turn.origin) }
  }
}

/// Requests the current status, for a corner of a screen: a few words.
///
/// A frontend with a screen sends it again after each announcement and after each command.
public protocol StatusRequest: Request, ViewModelEvent where Reply == ResponseStatus {
  /// Creates the request.
  init()
}

/// The reply with the current status.
public struct ResponseStatus: ViewModelEvent, Response {
  /// The status, or the failure.
  public let result: Result<StatusText, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<StatusText, Failure>) {
    self.result = result
  }
}

/// The current status in a few words, each with a style.
public struct StatusText: Sendable, Equatable, Encodable {
  /// A part of it.
  public struct Piece: Sendable, Equatable, Encodable {
    /// The text.
    public let text: String
    /// Its style where colour is on.
    public let style: Page.Style?

    /// Creates a piece of text with a style.
    public init(_ text: String, _ style: Page.Style? = nil) {
      self.text = text
      self.style = style
    }
  }

  /// The pieces, from left to right.
  public let pieces: [Piece]

  /// Creates a status from its pieces.
  public init(_ pieces: [Piece]) {
    self.pieces = pieces
  }
}
