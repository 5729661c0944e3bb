public import EventCommands
public import EventMVVM
public import EventPatterns
public import EventRecords
public import JSONText
import SQLiteEngine

/// What an application is about: everything but its frontends and plugins, which all of them have.
///
/// A domain knows no frontend and no plugin. It says what can be said, and who answers.
public protocol Domain: Sendable {
  /// The domain; the program's `main` makes it.
  init()
  /// What its program is called, and where it keeps things.
  var program: Program { get }
  /// Plugins of its own, that `--with` and `--without` switch like all others; made anew each time.
  var plugins: [OptionalPlugin] { get }
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

/// Where servers keep things, and for whom they work.
public struct ServerConfiguration {
  /// The domain that they serve.
  let domain: any Domain
  /// The file.
  public let path: String
  /// Whether it is the default, so that missing folders are made.
  public let makesFolders: Bool
  /// Whether several frontends are served, for long, while other processes may change the store;
  /// else one command or script.
  public let isInteractive: Bool
  /// The session, as roots name it.
  public let session: UInt64
  /// What the session is for.
  public let purpose: Purpose

  /// What a session is for.
  public enum Purpose {
    /// Use.
    case use
    /// Use that is recorded: external changes are noted, on the stream's home
    /// thread, as soon as it matters to what the session reads or writes.
    case recording(note: @Sendable (any Encodable) -> Void)
    /// A replay, in a store of its own.
    case replaying
  }
}

/// The servers of a domain.
public struct Servers {
  /// The servers, in the invocation in which they join.
  public var plugins: [any Plugin]
  /// What is in the store at the beginning, for a recording; nil where there is nothing yet.
  public var image: () throws -> [UInt8]? = { nil }
  /// Restores the store of a replay from what ``image`` returned.
  ///
  /// Returns false if these bytes are the file of the store itself; the caller writes it then.
  public var restore: (_ image: [UInt8]) throws -> Bool = { _ in false }
  /// Takes what was noted of others while a session was recorded, before it is found; given the
  /// note, and what reads it.
  public var applyExternal: ((JSON, any ValueReader) throws -> Void)?

  /// What their answers are that come from outside of the stream; made for recordings, which few
  /// processes are.
  var inputs: () -> [any (Event & Decodable).Type] = { [] }

  /// Lists servers.
  public init(_ plugins: [any Plugin]) {
    self.plugins = plugins
  }

  /// Servers of a domain that keeps records.
  ///
  /// - Parameters:
  ///   - setting: Where they are kept, and for whom.
  ///   - plugins: The servers that answer the domain's views.
  ///   - naming: Finds the record that a session has given a name, where the history is asked for a
  ///     word that is no reference.
  public init(
    _ setting: ServerConfiguration,
    _ plugins: [any Plugin],
    naming: RecordServer.Naming? = nil
  ) {
    let program = setting.domain.program
    let database = RecordDatabase(
      of: program.name,
      after: program.earlierSchemas,
      path: setting.path,
      makesFolders: setting.makesFolders,
      isLasting: setting.isInteractive
    )
    var engine: any RecordEngine = database
    var watchesExternalChanges = setting.isInteractive
    var applyExternal: ((JSON, any ValueReader) throws -> Void)?
    var begin: () -> Void = {}
    switch setting.purpose {
    case .use: break
    case .recording(let note):
      let recorded = RecordedEngine(
        database,
        excluding: setting.session,
        readsAside: setting.isInteractive
      ) { note($0) }
      begin = recorded.begin
      engine = recorded
    case .replaying:
      watchesExternalChanges = false
      let replayed = ReplayedEngine(database, readsAside: setting.isInteractive)
      applyExternal = { note, decoder in
        replayed.expect(try decoder.read(FoundChange.self, from: note))
      }
      engine = replayed
    }
    let server = RecordServer(
      engine,
      setting.domain.records,
      watchesExternalChanges: watchesExternalChanges,
      readsInBackground: setting.isInteractive,
      tellsViews: setting.domain.changeNotice == ResponseChangedRecords.self,
      naming: naming
    )
    self.init([server] + plugins)
    self.applyExternal = applyExternal
    inputs = { server.inputs }
    image = { [begin] in
      begin()
      return try database.image()
    }
    restore = { try database.restore($0) }
  }
}
