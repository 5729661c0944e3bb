public import EventCommands
public import EventMVVM
public import JSONText

/// A screen as a frontend shows it: in a prompt or a title bar.
///
/// ```swift
/// return ScreenView(
///   kind: Self.kind,
///   title: "to \(letter.to)",
///   isEdited: !letter.text.isEmpty
/// )
/// ```
public struct ScreenView: Sendable, Equatable, Encodable {
  /// The kind of screen: the name of its commands in the catalogue.
  public let kind: String
  /// Its content, in a few words; may contain any text that users type.
  public let title: String
  /// Whether it holds unsaved edits.
  public let isEdited: Bool

  /// Creates a view.
  public init(kind: String, title: String, isEdited: Bool = false) {
    self.kind = kind
    self.title = title
    self.isEdited = isEdited
  }

  /// Writes it as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.object {
      $0.member("kind", kind)
      $0.member("title", title)
      $0.member("edited", isEdited)
    }
  }
}

/// Requests the open screens of this session, and marks it as one that shows screens (S76).
///
/// A session that never requests them has none: its commands are answered, and no screen is
/// opened. Its screens stay open until it ends; see ``EventMVVM/ViewPort/end()``.
public struct RequestScreens: WatchedState, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseScreens
  /// It only reads.
  public static let writes = false
  /// Its name for programs.
  public static let stateName = "screens"
  /// Its description, in a line.
  public static let summary =
    "The screens that are open, the topmost last; from now on commands open some."

  /// Creates the request.
  public init() {}
}

/// The screens that a session has open.
public struct ResponseScreens: ViewModelEvent, Response {
  /// The screens or why there are none.
  public let result: Result<OpenScreens, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<OpenScreens, Failure>) {
    self.result = result
  }
}

/// States that a session's screens have changed, or the content of one of them (S76).
///
/// A view shows the screens of its own session, and ignores all others (S15).
///
/// ```swift
/// house.test.stream.on(ResponseScreenChange.self) { change, _ in
///   let titles = change.screens.map(\.title).joined(separator: " > ")
///   // That a letter has text now is a change of its screen, too.
///   seen.withLock { if $0.last != titles { $0.append(titles) } }
/// }
/// ```
public struct ResponseScreenChange: ViewModelEvent, Fact, Encodable {
  /// The session.
  public let session: Origin
  /// The screens, the topmost last.
  public let screens: [ScreenView]

  /// States what a session has open.
  public init(_ session: Origin, _ screens: [ScreenView]) {
    self.session = session
    self.screens = screens
  }

  /// The kind of the topmost screen.
  public var subject: String? { screens.last?.kind }
}
