public import EventMVVM
public import EventValues
public import JSONText

/// The notices, states and events for programs, in addition to the results of their commands, and what a prompt shows.
///
/// A domain or a plugin declares it in the catalogue; a frontend for programs, which depends on no
/// domain, finds it there.
///
/// ```swift
/// catalogue.add(
///   wire: Wire(
///     states: [RequestCart.self, RequestBadge.self],
///     cells: [.price, .canPay, .paying, .badgeShown, .badgeText]
///   )
/// )
/// ```
public struct Wire: Sendable {
  /// The notices of changes; several changes may be sent as one.
  public var changes: [any ChangeNotice.Type] = []
  /// The notices that people should see.
  public var notices: [any TroubleNotice.Type] = []
  /// The states that programs can watch and that are requested, such as stored data.
  public var states: [any WatchedState.Type] = []
  /// The statuses that a frontend with a prompt shows.
  public var statuses: [any StatusRequest.Type] = []
  /// The names of the states that programs can watch and that views bind to.
  public var cells: [StateName] = []
  /// The notices for one session alone.
  public var sessionNotices: [any SessionNotice.Type] = []
  /// Events that a program can subscribe to; commands and their replies are included without being
  /// named.
  public var events: [any WireEvent.Type] = []

  /// Creates an empty declaration.
  public init() {}

  /// The names of all states, with their descriptions.
  package var stateSummaries: [(name: String, summary: String)] {
    states.map { ($0.stateName, $0.summary) } + cells.map { ($0.name, $0.summary) }
  }

  /// Declares notices of changes, and of trouble.
  public init(changes: [any ChangeNotice.Type], notices: [any TroubleNotice.Type] = []) {
    self.changes = changes
    self.notices = notices
  }

  /// Declares states that programs can watch, and statuses that a prompt shows.
  public init(
    states: [any WatchedState.Type] = [],
    cells: [StateName] = [],
    statuses: [any StatusRequest.Type] = []
  ) {
    (self.states, self.cells, self.statuses) = (states, cells, statuses)
  }

  /// Declares events that programs can subscribe to.
  public init(events: [any WireEvent.Type]) {
    self.events = events
  }

  /// Declares notices for one session alone.
  public init(sessionNotices: [any SessionNotice.Type]) {
    self.sessionNotices = sessionNotices
  }

  /// Returns everything that both declare.
  package static func + (first: Wire, second: Wire) -> Wire {
    var sum = first
    sum.changes += second.changes
    sum.notices += second.notices
    sum.states += second.states
    sum.cells += second.cells
    sum.statuses += second.statuses
    sum.sessionNotices += second.sessionNotices
    sum.events += second.events
    return sum
  }
}

/// A notice that numbered things have changed, in any process.
///
/// ```swift
/// struct ResponseProfileChange: ChangeNotice, Fact, Codable {
///   static let notification = "profile/changed"
///   let changedIDs: [Int]
///   let revision: Int
///   var externalOrigin: String? { nil }
///   var subject: String? { changedIDs.first.map { "#\($0)" } }
/// }
/// ```
public protocol ChangeNotice: ViewModelEvent {
  /// The JSON-RPC method of the notification: `todo/changed`.
  static var notification: String { get }
  /// The numbers of the changed things.
  var changedIDs: [Int] { get }
  /// The revision of the last of the changes.
  var revision: Int { get }
  /// The origin of an external change; nil for the process's own.
  var externalOrigin: String? { get }
}

/// A notice that something is wrong, independent of any request.
public protocol TroubleNotice: ViewModelEvent {
  /// What is wrong.
  var failure: Failure { get }
  /// The severity; an error by default.
  var level: TroubleLevel { get }
}

/// An event for one session: its client is notified, and no other.
public protocol SessionNotice: ViewModelEvent {
  /// The JSON-RPC method of the notification: `toast`.
  static var notification: String { get }
  /// The description of the notification in the reference, in Markdown.
  static var summary: String { get }
  /// The session whose client is notified.
  var session: Origin { get }
  /// Whether the request that caused it waits for the session's person, from this notice on or no
  /// longer; nil if the notice says nothing about that.
  var waitsForPerson: Bool? { get }
  /// Writes the parameters of the notification, as members of an object that has been begun.
  func writeParameters(to json: inout JSONWriter)
}

/// The severity of a ``TroubleNotice``.
public enum TroubleLevel: String, Sendable {
  /// Something does not work.
  case error
  /// Something works, but not for everything that it should.
  case warning
}

extension SessionNotice {
  /// Nil: the notice says nothing about a person.
  public var waitsForPerson: Bool? { nil }
}

extension TroubleNotice {
  /// An error.
  public var level: TroubleLevel { .error }
}

extension TroubleNotice where Self: Announcement {
  /// Writes the failure as an error or a warning.
  public func announce(on page: inout Page) {
    page.write("\(level.rawValue): ", level == .error ? .red : .yellow)
    page.write(user: failure.message)
    page.endLine()
  }
}

/// Requests a state that a program can watch; it is sent again after every change, and after
/// every command of that program.
///
/// ```swift
/// struct RequestCart: CartCommand, WatchedState, Codable {
///   static let writes = false
///   static let stateName = "cart"
///   static let summary = "What is in the cart."
///   static let command = CommandSpec<Self>("list", "Shows what is in the cart.")
/// }
/// ```
public protocol WatchedState: Request, ViewModelEvent
where Reply.Value: CommandResult, Reply.Problem == Failure {
  /// The name of the state: `todo/counts`.
  static var stateName: String { get }
  /// The description of the state, in a line.
  static var summary: String { get }
  /// Creates the request.
  init()
}

/// An event that programs can subscribe to.
public protocol WireEvent: ViewModelEvent {
  /// Writes the content of the event as one JSON value.
  func write(to json: inout JSONWriter)
}
