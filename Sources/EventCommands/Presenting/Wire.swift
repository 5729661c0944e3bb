public import EventMVVM
public import JSONText

/// What programs at the other end of a wire are sent in addition to the results of their commands.
///
/// A domain or a plugin declares it in the catalogue; a frontend that speaks to programs, and knows
/// no domain, finds it there.
public struct Wire: Sendable {
  /// Changes, many of which are told as one.
  public var changes: [any ChangeNotice.Type] = []
  /// What a person should hear of.
  public var notices: [any TroubleNotice.Type] = []
  /// The states that programs can watch.
  public var states: [any WatchedState.Type] = []
  /// Events that a program can subscribe to; commands and their replies are there without being
  /// named.
  public var events: [any WireEvent.Type] = []

  /// Nothing is told.
  public init() {}

  /// Changes are told, and what a person should hear of.
  public init(changes: [any ChangeNotice.Type], notices: [any TroubleNotice.Type] = []) {
    self.changes = changes
    self.notices = notices
  }

  /// How things stand is told.
  public init(states: [any WatchedState.Type]) {
    self.states = states
  }

  /// Everything that both declare.
  static func + (first: Wire, second: Wire) -> Wire {
    var sum = first
    sum.changes += second.changes
    sum.notices += second.notices
    sum.states += second.states
    sum.events += second.events
    return sum
  }
}

/// States that something with numbers has changed, in any process.
public protocol ChangeNotice: ViewModelEvent {
  /// What JSON-RPC calls the notification: `todo/changed`.
  static var notification: String { get }
  /// The numbers of what has changed.
  var changedIDs: [Int] { get }
  /// The revision that the last of the changes made.
  var revision: Int { get }
  /// Whose change it was, if it was another process's.
  var externalOrigin: String? { get }
}

/// States that something is wrong that nobody asked about.
public protocol TroubleNotice: ViewModelEvent {
  /// What is wrong.
  var failure: Failure { get }
  /// How bad it is; an error, unless it says otherwise.
  var level: TroubleLevel { get }
}

/// How bad it is what nobody asked about.
public enum TroubleLevel: String, Sendable {
  /// Something does not work.
  case error
  /// Something works, but not for all that it should.
  case warning
}

extension TroubleNotice {
  /// An error.
  public var level: TroubleLevel { .error }
}

extension TroubleNotice where Self: Announcement {
  /// The failure, as an error or a warning reads.
  public func announce(on page: inout Page) {
    page.write("\(level.rawValue): ", level == .error ? .red : .yellow)
    page.write(user: failure.message)
    page.endLine()
  }
}

/// Asks how something stands that a program can watch; it is asked again after every change, and
/// after every command of that program's.
public protocol WatchedState: Request, ViewModelEvent
where Reply.Value: CommandResult, Reply.Problem == Failure {
  /// What it is called: `todo/counts`.
  static var stateName: String { get }
  /// What it says, in a line.
  static var summary: String { get }
  /// The request.
  init()
}

/// An event that programs can subscribe to.
public protocol WireEvent: ViewModelEvent {
  /// Writes what it says as one JSON value.
  func write(to json: inout JSONWriter)
}
