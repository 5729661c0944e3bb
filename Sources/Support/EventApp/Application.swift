import Analytics
import Batch
import Completion
public import EventCommands
import EventMVVM
import EventPatterns
public import EventRecords
import ExternalObserver
import Inspector
import JSONRPC
import PostgresEngine
import REPL
import SQLiteEngine
import SessionRecorder
import Trace
import UndoHistory

/// A program around a domain: a REPL, scripts, single commands, JSON-RPC, undo, statistics,
/// recordings and observers, all independent of the domain.
public struct Application: Sendable {
  let domain: any Domain
  let program: Program
  /// The folders of the program.
  let paths: UserPaths
  /// Creates the engine that stores its records; by default SQLite's for the path of a file, and
  /// PostgreSQL's for an address.
  public var engine: @Sendable (StoreConfiguration) -> any RecordEngine
  /// The frontends: adding one takes a line.
  ///
  /// If several can run the same task, the first one does. Those of the domain come first; insert a
  /// frontend at 0 if it is to run commands, or processes without a command.
  public var frontends: [any ProgramFrontend]
  /// The plugins that can be switched, in the order in which they join: adding one takes a line.
  public var plugins: [OptionalPlugin]

  /// Creates the program of a domain.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - paths: The folders of the program; by default those of the XDG specification.
  public init(_ domain: any Domain, paths: UserPaths? = nil) {
    self.domain = domain
    program = domain.program
    let paths = paths ?? UserPaths(program)
    self.paths = paths
    engine = { store in
      guard PostgresAddress.isOne(store.path) else { return RecordDatabase(store) }
      return PostgresEngine(store) { path in
        RecordDatabase(of: store.program, after: store.earlier, path: path)
      }
    }
    let sockets = SocketListener()
    frontends =
      domain.frontends + [
        REPLLauncher(startup: program.startupName),
        BatchLauncher(),
        CompletionLauncher(),
        StoreLauncher(),
        JSONRPCLauncher(beside: sockets),
        sockets,
      ]
    plugins =
      [
        .on(UndoHistory()),
        .on(TracePlugin()),
        .on(Analytics(path: paths.state("figures.json"), spool: paths.state("spool"))),
      ] + domain.plugins + [
        .on(ExternalObserver()),
        .on(SessionRecorder()),
        .on(InspectorPlugin()),
      ]
  }

  /// Returns the commands of the program.
  ///
  /// - Parameter plugins: The plugins that are on.
  /// - Returns: The commands of the domain and of the plugins, and the words of the process itself.
  public func catalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    var catalogue = Catalogue()
    domain.addCommands(to: &catalogue)
    let keepsRecords = !domain.records.isEmpty
    if keepsRecords { catalogue.add(StoreCommands.group, StoreCommands.all) }
    for plugin in plugins { plugin.addCommands(to: &catalogue) }
    for plugin in plugins {
      if let plugin = plugin.program { catalogue.add(announcements: plugin.announcements) }
    }
    if keepsRecords {
      catalogue.add(announcements: [domain.changeNotice] + RecordServer.announcements)
      catalogue.add(wire: RecordServer.wire(domain.changeNotice))
    }
    catalogue.add(wire: Wire(sessionNotices: [ResponseToast.self]))
    for plugin in plugins {
      if let wire = plugin.program?.wire { catalogue.add(wire: wire) }
    }
    if domain.hasScreens {
      catalogue.add(
        onScreen: nil,
        "at a prompt or in an editor",
        Navigator.group,
        Navigator.commands
      )
      catalogue.add(wire: Wire(states: Navigator.states))
      domain.addScreens(to: &catalogue)
    }
    catalogue.add("", CatalogueServer.commands)
    let (verbs, options) = processWords(plugins, catalogue)
    catalogue.add(process: { [program] in $0.add(program, verbs, options) })
    return catalogue
  }

  #if DEBUG
    /// Returns a sentence for each name that frontends and these plugins claim twice.
    func clashes(_ plugins: [OptionalPlugin]) -> [String] {
      var problems: [String] = []
      var (names, flags, verbs): ([String: String], [String: String], [String: String]) =
        ([:], [:], [:])
      let own = ProcessOptions.spec.flags + ProcessOptions.last.flags
      for flag in own { flags[flag] = "the process" }
      func claim(_ name: String, by owner: String, in known: inout [String: String]) {
        guard let other = known.updateValue(owner, forKey: name) else { return }
        problems.append("'\(name)' is claimed by both \(other) and \(owner)")
      }
      func add(_ name: String, _ kind: String, _ options: OptionGroup?, _ brought: [ProcessVerb]) {
        let owner = "the \(kind) '\(name)'"
        claim(name, by: owner, in: &names)
        for flag in options?.flags.sorted() ?? [] { claim(flag, by: owner, in: &flags) }
        for verb in brought { claim(verb.name, by: owner, in: &verbs) }
      }
      for frontend in frontends {
        add(frontend.name, "frontend", frontend.options, frontend.verbs)
      }
      for plugin in plugins {
        add(plugin.name, "plugin", plugin.program?.options, plugin.program?.verbs ?? [])
      }
      return problems
    }
  #endif

  /// Returns the words of frontends and plugins; without the parts themselves, since a part that
  /// retains the stream would be retained by it.
  private func processWords(
    _ plugins: [OptionalPlugin],
    _ catalogue: Catalogue
  ) -> (verbs: [ProcessWords.List], options: [ProcessWords.List]) {
    var (verbs, options): ([ProcessWords.List], [ProcessWords.List]) = ([], [])
    func add(_ brought: [ProcessVerb]) {
      for verb in brought where verb.isOffered(catalogue) { verbs.append(verb.declare) }
    }
    for frontend in frontends { add(frontend.verbs) }
    for plugin in plugins {
      guard let plugin = plugin.program else { continue }
      add(plugin.verbs)
      if let declared = plugin.options { options.append(declared.declare) }
    }
    for frontend in frontends {
      if let declared = frontend.options { options.append(declared.declare) }
    }
    return (verbs, options)
  }
}
