public import EventCommands
public import EventMVVM
public import EventValues
public import JSONText

/// Opens a screen by a link: `open 3`.
///
/// ```swift
/// var link = RequestOpen()
/// link.route = try ["1", "reply"].map { try Subject(word: $0) }
/// _ = try house.say(link)
/// ```
public struct RequestOpen: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseOpen
  /// It only reads.
  public static let writes = false

  /// The words of the link; each coordinator recognises its own.
  public var route: [Subject] = []

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "open",
    "Opens a list, or one thing to see and edit it."
  )
  .topic(.screens)
  .word(\.route, "What to open: a number, or a list with its options", placeholder: "WHAT")

  /// Creates the request with its default values.
  public init() {}

  /// Reads all words unchanged: the coordinator reads the options of a link.
  public static func _read(_ words: [Word], other: OptionTaker?) throws(CommandError) -> Self {
    var request = Self()
    var index = words.dropFirst().first?.isEndOfOptions == true ? 2 : 1
    while index < words.count {
      if words[index].isOption, try other?(words, &index) == true { continue }
      do {
        request.route.append(try Subject(word: words[index].text))
      } catch {
        throw CommandError(error.message, offset: words[index].offset, field: "route")
      }
      index += 1
    }
    guard !request.route.isEmpty else {
      throw CommandError(
        "open needs what to open: a number, or a list with its options",
        offset: words.first?.offset
      )
    }
    return request
  }
}

/// The outcome of following a link.
public typealias ResponseOpen = ResponseView<OpenedScreen>

/// A screen that was opened, as a result.
public struct OpenedScreen: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponseOpen"
  /// The screen; nil if it was closed again at once.
  public let view: ScreenView?
  /// Its content.
  public let content: any CommandResult

  init(_ view: ScreenView?, _ content: any CommandResult) {
    self.view = view
    self.content = content
  }

  /// Whether both show the same.
  public static func == (first: Self, second: Self) -> Bool {
    first.view == second.view && first.contentJSON == second.contentJSON
  }

  private var contentJSON: [UInt8] {
    var json = JSONWriter()
    content.write(to: &json)
    return json.bytes
  }

  /// Writes what it shows for a person.
  public func show(on page: inout Page) {
    content.show(on: &page)
  }

  /// Writes what it shows as one JSON value.
  public func write(to json: inout JSONWriter) {
    content.write(to: &json)
  }
}

/// Closes the topmost screen.
public struct RequestBack: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseBack
  /// It changes only the session.
  public static let writes = false

  /// Whether unsaved edits are discarded.
  public var discard = false

  /// Its name, options and help.
  public static let command = CommandSpec<Self>("back", "Closes what was opened last.")
    .topic(.screens)
    .option(\.discard, "Gives up what was edited", flag: "--discard")

  /// Creates the request with its default values.
  public init() {}

  /// Asks a person before edits are discarded.
  public func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .unsaved, !discard else { return nil }
    var second = self
    second.discard = true
    return SecondTry("Discard what was edited?", second, isForPersons: true, instead: "save")
  }

  static func unsaved(_ view: ScreenView) -> Failure {
    Failure(
      .unsaved,
      "\(view.title.quotable) has edits that are not saved; --discard gives them up."
    )
  }
}

extension Failure.Kind {
  /// The command would lose edits.
  static let unsaved = Failure.Kind("unsaved")
}

/// The open screens of a session after one was closed.
public struct ResponseBack: ViewModelEvent, Response {
  /// The screens or why none was closed.
  public let result: Result<OpenScreens, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<OpenScreens, Failure>) {
    self.result = result
  }
}

/// The screens that a session has open, as a result.
public struct OpenScreens: CommandResult {
  /// The screens, the topmost last.
  public let views: [ScreenView]

  /// Writes nothing, as the prompt shows the screen.
  public func show(on page: inout Page) {}

  /// Writes them as one JSON array, the topmost last.
  public func write(to json: inout JSONWriter) {
    json.array { json in
      for view in views { view.write(to: &json) }
    }
  }
}
