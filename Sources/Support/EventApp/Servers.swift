public import EventCommands
public import EventMVVM
import EventRecords
public import JSONText

/// The configuration of a domain's servers: the store, and the kind of session.
///
/// ```swift
/// func servers(_ setting: ServerConfiguration) -> Servers {
///   Servers(setting, [CartViewModel(), BadgeViewModel()])
/// }
/// ```
public struct ServerConfiguration {
  /// The application of the servers.
  let application: Application
  /// The path of the store's file, or the address of a database.
  public let path: String
  /// Whether the path is the default, so that missing folders are created.
  public let makesFolders: Bool
  /// Whether the session serves several frontends, for long, while other processes may change the
  /// store; otherwise it runs one command or script.
  public let isInteractive: Bool
  /// The number of the session, which is part of its roots.
  public let session: UInt64
  /// The purpose of the session.
  public let purpose: Purpose
  /// Prints a sentence of a session that runs one command or script.
  var remark: @Sendable (_ sentence: String) -> Void = { _ in }

  /// The purpose of a session.
  public enum Purpose {
    /// Ordinary use.
    case use
    /// Use that is recorded: external changes are noted, on the stream's home thread, as soon as
    /// the session reads or writes what they affect.
    case recording(note: @Sendable (any Encodable) -> Void)
    /// A replay, in a store of its own.
    case replaying
  }
}

/// The servers of a domain.
///
/// ```swift
/// func servers(_ setting: ServerConfiguration) -> Servers {
///   Servers(setting, [SampleServer()])
/// }
/// ```
public struct Servers {
  /// The servers, in the order in which they join.
  public var plugins: [any Plugin]
  /// Returns the initial contents of the store, for a recording; nil if there is no store yet.
  public var image: () throws -> [UInt8]? = { nil }
  /// Restores the store of a replay from what ``image`` returned.
  ///
  /// Returns false if these bytes are the file of the store itself; the caller writes it then.
  public var restore: (_ image: [UInt8]) throws -> Bool = { _ in false }
  /// Applies a recorded external change before the session reads it; the second argument reads the
  /// note's values.
  public var applyExternal: ((JSON, any ValueReader) throws -> Void)?

  /// The types of the servers' events that are inputs; only recordings and replays call this.
  var inputs: () -> [any (Event & Decodable).Type] = { [] }

  /// Lists servers.
  public init(_ plugins: [any Plugin]) {
    self.plugins = plugins
  }

  /// Creates the servers of a domain that stores records.
  ///
  /// - Parameters:
  ///   - setting: The configuration.
  ///   - plugins: The servers that answer the domain's views.
  public init(_ setting: ServerConfiguration, _ plugins: [any Plugin]) {
    let domain = setting.application.domain
    var store = StoreConfiguration(of: domain.program.name, path: setting.path)
    store.earlier = domain.program.earlierSchemas
    store.makesFolders = setting.makesFolders
    store.isLasting = setting.isInteractive
    // In a session that lasts, the watch says that there is no connection.
    store.reportsDoubt = { [remark = setting.remark] in remark("warning: \($0.message)") }
    store.reportsUnread = store.reportsDoubt
    let kept = setting.application.engine(of: store)
    var engine = kept
    var watchesExternalChanges = setting.isInteractive
    var applyExternal: ((JSON, any ValueReader) throws -> Void)?
    var begin: () -> Void = {}
    switch setting.purpose {
    case .use: break
    // Then all answers of the store are recorded.
    case .recording where kept.isDistant && setting.isInteractive: break
    case .recording(let note):
      let recorded = RecordedEngine(
        kept,
        excluding: setting.session,
        readsAside: setting.isInteractive
      ) { note($0) }
      begin = recorded.begin
      engine = recorded
    case .replaying:
      watchesExternalChanges = false
      let replayed = ReplayedEngine(kept, readsAside: setting.isInteractive)
      applyExternal = { note, decoder in
        replayed.expect(try decoder.read(FoundChange.self, from: note))
      }
      engine = replayed
    }
    let server = RecordServer(
      engine,
      domain.records,
      watchesExternalChanges: watchesExternalChanges,
      readsInBackground: setting.isInteractive,
      tellsViews: domain.changeNotice == ResponseChangedRecords.self
    )
    self.init([server] + plugins)
    self.applyExternal = applyExternal
    inputs = { server.inputs }
    image = { [begin] in
      begin()
      return try kept.image()
    }
    restore = { try kept.restore($0) }
  }
}
