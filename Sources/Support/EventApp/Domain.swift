public import EventCommands
public import EventMVVM
public import EventPatterns
public import EventRecords
public import RecordCommands

/// The subject of a program: its records, its commands and their servers, and the list of its parts.
///
/// A domain names an engine, a frontend or a plugin in its list of parts and nowhere else.
///
/// ```swift
/// @main
/// struct Notes: Domain {
///   let program = Program("notes", version: "0.1.0", summary: "Keeps notes.")
///   let kinds: [any CommandRecord.Type] = [Note.self]
///   let parts = Parts.standard()
/// }
/// ```
public protocol Domain: Sendable {
  /// Creates the domain; the program's `main` calls it.
  init()
  /// The names of its program and its files.
  var program: Program { get }
  /// The parts of its program; read once.
  var parts: Parts { get }
  /// The kinds of records whose commands and screens follow from their declarations; by default there is none.
  var kinds: [any CommandRecord.Type] { get }
  /// Its commands besides those that follow from declarations, with methods such as `notes/print` after the name of the
  /// program; by default there is none.
  var commands: [any Command.Type] { get }
  /// The types of its records; by default those of ``kinds``. If there are any, people and programs are notified when records have
  /// changed, and the commands `doctor` and `backup` exist.
  var records: [any Record.Type] { get }
  /// The notification of changed records: `ResponseChangedRecords`, unless the domain has its own.
  var changeNotice: any (ChangeNotice & Announcement).Type { get }
  /// Whether it has screens, and so the commands `open` and `back`; by default it has those of ``kinds``.
  var hasScreens: Bool { get }
  /// The coordinators of its screens, created at each call; by default those of ``kinds``.
  var coordinators: [any Coordinator] { get }
  /// The inputs that no part asks for and no plugin observes from the start, such as what a service
  /// sends before its answer; a replay feeds all others without being told.
  var inputs: [any (Event & Decodable).Type] { get }
  /// Adds its commands and its notifications; by default those of ``kinds``, and ``commands``.
  func addCommands(to catalogue: inout Catalogue)
  /// Adds the commands of its screens; by default those of ``kinds``.
  func addScreens(to catalogue: inout Catalogue)
  /// Makes the servers; by default there is that of the records alone, and commands answer themselves.
  ///
  /// - Parameter setting: The store, and the kind of session.
  /// - Returns: The servers.
  /// - Throws: An ``EventMVVM/Failure`` that a person can read.
  func servers(_ setting: ServerConfiguration) throws -> Servers
}

extension Domain {
  /// Runs the program of the domain: a type with `@main` needs no other.
  public static func main() { Application(Self()).main() }
  /// By default the notification of all records.
  public var changeNotice: any (ChangeNotice & Announcement).Type { ResponseChangedRecords.self }
  /// None by default.
  public var kinds: [any CommandRecord.Type] { [] }
  /// None by default.
  public var commands: [any Command.Type] { [] }
  /// Those whose commands follow from their declarations.
  public var records: [any Record.Type] {
    // One by one: to convert the array would search all conformances.
    var records: [any Record.Type] = []
    for kind in kinds { records.append(kind) }
    return records
  }
  /// Whether there are commands that follow from declarations, whose screens do, too.
  public var hasScreens: Bool { !kinds.isEmpty }
  /// Those of the records whose commands follow from their declarations.
  public var coordinators: [any Coordinator] {
    var coordinators: [any Coordinator] = []
    for kind in kinds { coordinators.append(kind._coordinator) }
    return coordinators
  }
  /// Adds the commands that follow from declarations.
  public func addCommands(to catalogue: inout Catalogue) {
    for kind in kinds { catalogue.add(kind) }
    if !commands.isEmpty { catalogue.add(program.name, commands) }
  }
  /// None by default.
  public var inputs: [any (Event & Decodable).Type] { [] }
  /// The server of the records.
  public func servers(_ setting: ServerConfiguration) throws -> Servers { Servers(setting, []) }
  /// Adds those of the records whose commands follow from their declarations.
  public func addScreens(to catalogue: inout Catalogue) {
    for kind in kinds { catalogue.addScreens(of: kind) }
  }
}

/// The names of a program and of its files.
///
/// ```swift
/// let program = Program("notes", version: "0.1.0", summary: "Keeps notes.")
/// ```
public struct Program: Sendable {
  /// Its name on the command line: `todostream`.
  public let name: String
  /// Its version: `0.1.0`.
  public let version: String
  /// Its description, in a sentence.
  public let summary: String
  /// The name of its store in the user's data folder.
  public var storeName = "store.sqlite"
  /// The schemas of its store before the program stored records.
  public var earlierSchemas: EarlierSchemas?

  /// Creates a program.
  public init(_ name: String, version: String, summary: String) {
    self.name = name
    self.version = version
    self.summary = summary
  }

  /// The variable with the path of its store: `TODOSTREAM_STORE`.
  var storeVariable: String {
    // By bytes where it has ASCII alone: characters cost a process 380 000 instructions.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      return name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        + "_STORE"
    }
    let bytes = name.utf8.map { byte -> UInt8 in
      switch byte {
      case 0x61...0x7A: byte - 0x20
      case 0x41...0x5A, 0x30...0x39: byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self) + "_STORE"
  }
}
