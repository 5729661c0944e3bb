public import EventCommands
public import EventMVVM
public import EventPatterns
public import EventRecords
public import EventValues
public import JSONText

/// Shows an open list, with the order and the filter that the request sets from now on (S108).
public struct RequestRows<R: CommandRecord>: Command, DerivedRequest {
  /// The response that answers it.
  public typealias Reply = RequestList<R>.Reply
  /// The name of the request: `RequestNoteRows`.
  public static var name: String { form.name ?? "Request\(R.typeName)Rows" }
  static var form: RecordedForm { R.commands.form(of: .rows) }
  /// The name of the command.
  public static var verb: String { "rows" }
  /// It only reads.
  public static var writes: Bool { false }

  /// The order from now on; unchanged unless given.
  public var sort: RecordSort<R>?
  /// What it shows from now on; unchanged unless given.
  public var only: ShownRows<R>?

  /// Creates the request.
  public init() {}

  /// Its name, options and help.
  public static var command: CommandSpec<Self> {
    R.commands.spec(of: .rows, "Shows the open list as it stands.") {
      let spec = $0.listing(
        PropertyAccess("sort", \.sort) { request, body throws(ValueError) in try body(&request.sort)
        },
        .option,
        "The order from now on; '-' before it reverses",
        flag: "--sort"
      )
      guard !R.commands.flags.isEmpty else { return spec.unlisted(\.only) }
      return spec.listing(
        PropertyAccess("only", \.only) { request, body throws(ValueError) in try body(&request.only)
        },
        .option,
        "What it shows from now on",
        flag: "--only"
      )
    }
  }

  /// Returns the link to the list with its new order and filter.
  func route(_ route: [String]) -> [String] {
    var words: [String] = []
    var isKey = false
    // What follows is text to search for, whatever it looks like.
    let end = route.firstIndex { $0.isIdentical(to: "--") } ?? route.endIndex
    let flags = R.commands.flags.map(\.asFlag)
    for word in route[..<end] {
      defer { isKey = sort != nil && word == "--sort" }
      let isOrder = sort != nil && (isKey || word.starts(withText: "--sort"))
      let isFilter = only != nil && flags.containsText(word)
      if !isOrder && !isFilter { words.append(word) }
    }
    if let sort { words += ["--sort", (sort.isDescending ? "-" : "") + sort.field] }
    if let only, !only.isAny { words.append(only.rawValue.asFlag) }
    return words + route[end...]
  }
}

/// The rows that a list shows: those that meet a condition of the declaration, or any.
public struct ShownRows<R: CommandRecord>: Choice, Codable {
  /// The name of the condition, or `any`.
  public let rawValue: String

  /// Takes the name of a condition, or `any`; nil for any other text.
  public init?(rawValue: String) {
    guard (R.commands.flags + ["any"]).containsText(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Whether no condition is meant.
  var isAny: Bool { rawValue == "any" }

  /// The conditions in the order of the declaration, and `any`.
  public static var allCases: [Self] {
    (R.commands.flags + ["any"]).compactMap { Self(rawValue: $0) }
  }
}

extension RequestList {
  /// Returns a request for at most that number of records.
  func limited(to most: Int) -> Self {
    var request = self
    request.limit = Count(min(most, limit?.number ?? most))
    return request
  }

  /// Returns the request with the order and the filter that a view sets.
  func arranged(_ rows: RequestRows<R>) -> Self {
    var request = self
    if let sort = rows.sort { request.sort = sort }
    guard let only = rows.only else { return request }
    // The order stays what it was.
    if filter.hides, request.sort == nil { request.sort = filter.order }
    request.filter.hides = false
    request.filter.conditions.removeAll { R.commands.flags.containsText($0) }
    if !only.isAny { request.filter.conditions.append(only.rawValue) }
    return request
  }
}

/// States the changes of the rows of an open list, for a view that applies them to its rows (S63).
///
/// A view begins with the rows that the list was opened with, or those of `rows`.
public struct ResponseRowChanges<R: CommandRecord>: ViewModelEvent, Fact, Encodable {
  /// The name of the event: `ResponseNoteRowChanges`.
  public static var name: String { R.commands.name("Response\(R.typeName)RowChanges") }
  /// Version 2 has the rows as views of all records.
  public static var version: Int { 2 }
  /// The session of the list; a view applies those of its own session, and ignores all others
  /// (S15).
  public let session: Origin
  /// The list, in its present form.
  public let screen: ScreenView
  /// The changes of its rows.
  public let changes: ListChanges<RecordView<R>>

  init(_ session: Origin, _ screen: ScreenView, _ changes: ListChanges<RecordView<R>>) {
    self.session = session
    self.screen = screen
    self.changes = changes
  }

  /// The title of the list.
  public var subject: String? { screen.title }
}

extension ResponseRowChanges: WireEvent {
  /// Writes the list, and the changes of its rows.
  public func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("screen")
      screen.write(to: &json)
      json.key("changes")
      changes.write(to: &json) { row, json in row.writeItem(to: &json) }
    }
  }
}

extension RecordCommands {
  /// The names of the conditions of which an open list shows one: those that exclude others, or all if none does.
  var flags: [String] {
    var names: [String] = []
    for condition in conditions where condition.test == .meets { names.append(condition.name) }
    let exclusive = names.filter { name in exclusions.contains { $0.containsText(name) } }
    return exclusive.isEmpty ? names : exclusive
  }
}
