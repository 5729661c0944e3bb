public import EventCommands
public import EventMVVM
public import EventRecords
public import JSONText

/// Where servers keep things, and for whom they work.
public struct ServerConfiguration {
  /// The application that they serve.
  let application: Application
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
  /// The servers, in the order in which they join.
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
    let domain = setting.application.domain
    var store = StoreConfiguration(of: domain.program.name, path: setting.path)
    store.earlier = domain.program.earlierSchemas
    store.makesFolders = setting.makesFolders
    store.isLasting = setting.isInteractive
    let kept = setting.application.engine(store)
    var engine = kept
    var watchesExternalChanges = setting.isInteractive
    var applyExternal: ((JSON, any ValueReader) throws -> Void)?
    var begin: () -> Void = {}
    switch setting.purpose {
    case .use: break
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
      tellsViews: domain.changeNotice == ResponseChangedRecords.self,
      naming: naming
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
