import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

extension ProcessVerb {
  /// Creates stores and copies them: `store init`, `store copy`.
  ///
  /// No other command of a program creates a list in a database, or migrates one to a new schema.
  static func store(_ engines: [any EngineProvider]) -> ProcessVerb {
    ProcessVerb(StoreArguments.spec(engines), StoreArguments()) { arguments, host in
      guard let host = host as? Invocation else { preconditionFailure("Not run by a process.") }
      do {
        return try arguments.run(host)
      } catch let error as StoreError {
        var failure = Failure(error.kind, error.message)
        failure.isRetryable = error.isRetryable
        throw failure
      }
    }
  }
}

/// The arguments of `store`.
struct StoreArguments: Sendable {
  /// The task.
  enum Action: String, Choice {
    case `init`, copy
  }

  var action = Action.`init`
  var stores: [String] = []

  static func spec(_ engines: [any EngineProvider]) -> CommandSpec<Self> {
    CommandSpec<Self>("store", "Makes a store, or copies one to another.")
      .word(\.action, "init [STORE], or copy FROM TO", placeholder: "ACTION")
      .word(\.stores, engines.forms("A file"), placeholder: "STORE")
  }
}

extension StoreArguments {
  fileprivate func run(_ host: Invocation) throws -> ExitStatus {
    let application = host.application
    guard action == .copy ? stores.count == 2 : stores.count <= 1 else {
      throw CommandError(
        action == .copy
          ? "'store copy' needs two stores: from which, and to which"
          : "'store init' takes one store: \(application.engines.forms("a file"))"
      )
    }
    let change = Locked<SchemaChange?>(nil)
    let types = RecordTypes(of: application.domain.records.map { RecordTable($0) })
    func engine(_ place: StoreAddress, isMade: Bool) throws -> any RecordEngine {
      var configuration = StoreConfiguration(of: application.program.name, path: place.path)
      configuration.earlier = application.program.earlierSchemas
      configuration.makesFolders = isMade && place.isDefault
      configuration.makesSchema = isMade
      configuration.reportsDoubt = { [console = host.console] error in
        console.remark("warning: \(error.message)")
      }
      configuration.reportsUnread = configuration.reportsDoubt
      if isMade { configuration.reportsSchema = { done in change.withLock { $0 = done } } }
      let engine = application.engine(of: configuration)
      engine.open(types.tables)
      return engine
    }
    let store =
      try stores.last.map { store throws(Failure) in try application.store(store) }
      ?? host.defaultStore()
    let target = try engine(store, isMade: true)
    defer { target.close() }
    guard action == .copy else {
      let isThere = try target.read(in: .committed) { _ in true } ?? false
      // Missing tables are created before a write.
      try target.write { _ in }
      return host.tell(change.withLock { $0 } ?? (isThere ? nil : .created), of: target.name)
    }
    let source = try engine(application.store(stores[0]), isMade: false)
    defer { source.close() }
    let copied = try source.copy(types, to: target)
    func counted(_ count: Int, _ one: String) -> String {
      "\(count) \(one)\(count == 1 ? "" : "s")"
    }
    return host.confirm(
      "Copied \(counted(copied.records, "record")) and \(counted(copied.changes, "change")) to "
        + target.name
    ) { json in
      json.member("store", target.name)
      json.member("records", copied.records)
      json.member("changes", copied.changes)
    }
  }
}

extension Invocation {
  /// Returns the store of a session without arguments; the configuration file is read for that.
  fileprivate func defaultStore() throws -> StoreAddress {
    let file = try application.configurationFile()
    for warning in file?.warnings ?? [] { console.remark("warning: \(warning)") }
    return try application.store(
      options.store,
      file?.store(application.engines.forms("a path"))
    )
  }

  /// Prints what was done to a store; nil if it was up to date.
  fileprivate func tell(_ change: SchemaChange?, of store: String) -> ExitStatus {
    let (text, word): (String, String)
    switch change {
    case nil: (text, word) = ("\(store) is there already", "none")
    case .created: (text, word) = ("Made \(store)", "created")
    case .updated(let copy?):
      (text, word) = ("Updated \(store); its copy from before is \(copy)", "updated")
    case .updated(nil):
      (text, word) = ("Updated \(store)", "updated")
      console.remark("warning: it was not copied before: this role may not create schemas")
    }
    return confirm(text) { json in
      json.member("store", store)
      json.member("change", word)
      if case .updated(let copy?) = change { json.member("copy", copy) }
    }
  }

  /// Prints the result of a task.
  fileprivate func confirm(
    _ text: String,
    _ members: (inout JSONWriter) -> Void
  ) -> ExitStatus {
    var (page, json) = (Page(isQuiet: console.isQuiet), JSONWriter())
    page.confirm { $0.write(user: text) }
    json.object(members)
    let line = isJSON ? json.takeBytes() : Array(page.text.utf8)
    guard !line.isEmpty else { return .success }
    return console.print(line + [UInt8(ascii: "\n")], isConfirmation: !isJSON) ? .success : .failed
  }
}
