public import EventCommands
public import EventMVVM
public import JSONText

/// A screen as a frontend shows it: what a prompt says, or a title bar.
public struct ScreenView: Sendable, Equatable, Encodable {
  /// What sort of screen it is: the name under which the catalogue has its commands.
  public let kind: String
  /// What it shows, in a few words; may contain any text that users type.
  public let title: String
  /// Whether it holds unsaved edits.
  public let isEdited: Bool

  /// Describes a screen.
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

/// Says that this session can show screens, and asks for those that it has open (S76).
///
/// Sessions that never ask have none: what they ask for is answered, and nothing is opened. What a
/// session has open is kept until it ends; see ``EventMVVM/ViewPort/end()``.
public struct RequestScreens: WatchedState, Codable {
  /// What answers it.
  public typealias Reply = ResponseScreens
  /// It only reads.
  public static let writes = false
  /// What programs call it.
  public static let stateName = "screens"
  /// What it says, in a line.
  public static let summary =
    "The screens that are open, the topmost last; from now on commands open some."

  /// Asks for them.
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

/// Says that a session's screens have changed, or what one of them shows (S76).
///
/// A view shows those of its own session, and leaves all others alone (S15).
public struct ResponseScreenChange: ViewModelEvent, Fact, Encodable {
  /// Whose they are.
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
