public import EventCommands
public import EventMVVM
public import EventPatterns
public import EventRecords

/// What an application is about: everything but the frontends and plugins
/// that all programs have.
///
/// A domain knows no frontend and no plugin but its own. It says what can be said, and who answers.
public protocol Domain: Sendable {
  /// The domain; the program's `main` makes it.
  init()
  /// What its program is called, and where it keeps things.
  var program: Program { get }
  /// Plugins of its own, that `--with` and `--without` switch like all others.
  var plugins: [OptionalPlugin] { get }
  /// Frontends of its own, beside those that every program has.
  var frontends: [any ProgramFrontend] { get }
  /// The types of the records that it keeps. If there are any, people and programs are notified
  /// when some have changed, and `doctor` and `backup` are there.
  var records: [any Record.Type] { get }
  /// The notification of changed records: `ResponseChangedRecords`, unless the
  /// domain says it in its own words.
  var changeNotice: any (ChangeNotice & Announcement).Type { get }
  /// Whether it has screens, and so `open` and `back` are there; by default it has none.
  var hasScreens: Bool { get }
  /// The flows of its screens, made anew each time.
  var coordinators: [any Coordinator] { get }
  /// What can come from outside of the stream apart from commands, such as what a service answers:
  /// a recording has it, and it is fed in a replay.
  var inputs: [any (Event & Decodable).Type] { get }
  /// Adds its commands and its notifications to programs.
  func addCommands(to catalogue: inout Catalogue)
  /// Adds the commands of its screens.
  func addScreens(to catalogue: inout Catalogue)
  /// Makes the servers.
  ///
  /// - Parameter setting: Where things are kept, and for whom.
  /// - Returns: The servers.
  /// - Throws: An ``EventMVVM/Failure`` that a person can read.
  func servers(_ setting: ServerConfiguration) throws -> Servers
}

extension Domain {
  /// Runs the program round the domain: a type with `@main` needs no other.
  public static func main() { Application(Self()).main() }
  /// None.
  public var plugins: [OptionalPlugin] { [] }
  /// None.
  public var frontends: [any ProgramFrontend] { [] }
  /// That of all records.
  public var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedRecords.self }
  /// None.
  public var hasScreens: Bool { false }
  /// None.
  public var coordinators: [any Coordinator] { [] }
  /// None.
  public var inputs: [any (Event & Decodable).Type] { [] }
  /// None.
  public func addScreens(to catalogue: inout Catalogue) {}
}

/// What a program is called, and what the files are called in which it keeps things.
public struct Program: Sendable {
  /// Its name on the command line: `todostream`.
  public let name: String
  /// Its version: `0.1.0`.
  public let version: String
  /// What it is, in a sentence.
  public let summary: String
  /// The name of its store in the user's data folder.
  public var storeName = "store.sqlite"
  /// The schemas that its store had before the program kept records.
  public var earlierSchemas: EarlierSchemas?
  /// The name of what the REPL runs before its first prompt, in the user's configuration folder.
  public var startupName = "startup.txt"

  /// Names a program.
  public init(_ name: String, version: String, summary: String) {
    self.name = name
    self.version = version
    self.summary = summary
  }

  /// The variable that names its store: `TODOSTREAM_STORE`.
  var storeVariable: String {
    name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_STORE"
  }
}
