public import EventCommands
import EventMVVM
import EventPatterns
public import EventRecords
import RecordCommands

/// The program of a domain, of the parts that it lists.
public struct Application: Sendable {
  let domain: any Domain
  let program: Program
  /// The folders of the program.
  let paths: UserPaths
  /// The kinds of stores: ``Parts/engines`` of the domain.
  public var engines: [any EngineProvider]
  /// The frontends: ``Parts/frontends`` of the domain.
  public var frontends: [any ProgramFrontend]
  /// The plugins that can be switched: ``Parts/plugins`` of the domain.
  public var plugins: [OptionalPlugin]

  /// Creates the program of a domain.
  ///
  /// - Parameters:
  ///   - domain: The domain.
  ///   - paths: The folders of the program; by default those of the XDG specification.
  public init(_ domain: any Domain, paths: UserPaths? = nil) {
    self.domain = domain
    program = domain.program
    self.paths = paths ?? UserPaths(program)
    let parts = domain.parts
    (engines, frontends, plugins) = (parts.engines, parts.frontends, parts.plugins)
  }

  /// Whether it stores records.
  var keepsRecords: Bool { !domain.records.isEmpty }

  /// The verbs of the process itself.
  var ownVerbs: [ProcessVerb] { keepsRecords && !engines.isEmpty ? [.store(engines)] : [] }

  /// Returns the commands of the program.
  ///
  /// - Parameter plugins: The plugins that are on.
  /// - Returns: The commands of the domain and of the plugins, and the words of the process itself.
  public func catalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    var catalogue = Catalogue()
    domain.addCommands(to: &catalogue)
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
    catalogue.add(
      onScreen: nil,
      "at a prompt or in an editor",
      Questions.group,
      Questions.commands
    )
    catalogue.add(wire: Questions.wire)
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
    catalogue.add(process: { [program, engines] in $0.add(program, engines, verbs, options) })
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
      for verb in ownVerbs { verbs[verb.name] = "the process" }
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
    add(ownVerbs)
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
