import JSONText
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

/// The parsed words of the process, with its plugins and commands.
struct Invocation {
  let application: Application
  let options: ProcessOptions
  /// The task; nil for completion.
  let launch: Launch?
  /// The switchable plugins that are on.
  let plugins: [OptionalPlugin]
  /// The names of all plugins that can be switched.
  let availablePlugins: [String]
  /// The commands of the program and of the plugins that are on.
  let catalogue: Catalogue
  /// The unknown entries of the configuration file.
  let warnings: [String]
  /// Where the process prints.
  private(set) var console = Console { _, _ in nil }
  /// The address of the store in the configuration file.
  private(set) var configured: ConfigurationFile.Address?

  /// Creates an invocation from its parts.
  init(
    _ application: Application,
    _ options: ProcessOptions,
    _ plugins: [OptionalPlugin],
    availablePlugins: [String]
  ) {
    self.application = application
    self.options = options
    self.plugins = plugins
    self.availablePlugins = availablePlugins
    (launch, warnings) = (nil, [])
    catalogue = application.configuredCatalogue(plugins)
  }

  /// Reads the words of the process.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - words: The words after its name.
  ///   - plugins: All plugins that can be switched.
  /// - Throws: A usage error.
  init(
    _ application: Application,
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) {
    self.application = application
    DateRules.read { (try? application.configurationFile()?.dates()) ?? DateRules() }
    // Most processes switch no plugin, and their words are read once.
    let mayBeSwitched = words.contains { $0.isOption && $0.text.hasPrefix("--with") }
    self.plugins = mayBeSwitched ? try application.switched(words, plugins) : plugins.onByDefault
    availablePlugins = plugins.map(\.name)
    catalogue = application.configuredCatalogue(self.plugins)
    var options = ProcessOptions(application, self.plugins, of: plugins)
    let launch = try options.read(words, catalogue)
    // A task that is not a session, such as `--version`, needs no configuration.
    var file: ConfigurationFile?
    if launch.noSession == nil { file = try application.configurationFile() }
    try options.given.finish(&file)
    configured = try file?.store(application.engines.forms("a path"))
    _ = try file?.dates()
    if let file {
      try application.check(try file.views(), as: "view", catalogue)
      try application.check(try file.contexts(), as: "context")
      try application.check(try file.aliases(), catalogue)
    }
    self.launch = launch
    warnings = file?.warnings ?? []
    self.options = options
  }
}

extension Invocation {
  /// The store: the one that the words name, or that of the variable, the file, or the program.
  var store: StoreAddress {
    get throws(Failure) { try application.store(options.store, configured) }
  }

  /// Reads the address in the configuration file, without an error where it can't be read: a line
  /// that is being typed is completed whatever is in the file.
  mutating func readConfiguredStore() {
    configured = try? application.configurationFile()?.store("")
  }

  /// Runs the task to its end.
  func run(_ console: Console) throws -> ExitStatus {
    guard let launch else { return .success }
    for warning in warnings { console.remark("warning: \(warning)") }
    if launch.noSession == nil, let zone = ZoneRule.unknownName {
      console.remark(
        "warning: TZ is '\(zone.quotable)', which is no time zone of this machine, so times are in UTC; set it to a name such as Europe/Berlin"
      )
    }
    var host = self
    host.console = console
    return try launch.run(host)
  }
}

extension Application {
  /// Reads the user's configuration file; nil if there is none.
  func configurationFile() throws(CommandError) -> ConfigurationFile? {
    try paths.configuration(ConfigurationFile.name)
      .flatMap { path throws(CommandError) in try ConfigurationFile(path) }
  }

  /// Returns the commands, and the views and aliases of the user's configuration, which is read when it is needed.
  fileprivate func configuredCatalogue(_ plugins: [OptionalPlugin]) -> Catalogue {
    ConfiguredViews.read { self.views((try? self.configurationFile()?.views()) ?? []) }
    var catalogue = catalogue(plugins)
    catalogue.add(shorthands: {
      let aliases = try? self.configurationFile()?.aliases()
      return aliases?.map(\.shorthand) ?? []
    })
    catalogue.add(contexts: {
      let contexts = try? self.configurationFile()?.contexts()
      return (contexts ?? [])
        .compactMap { context in
          self.kind(of: context)
            .map {
              CommandContext(context.view.name, context.view.filter, of: $0.kind)
            }
        }
    })
    return catalogue
  }

  /// Returns the views of the configuration, by the kinds of their records; without a kind they are of the first one.
  fileprivate func views(_ views: [ConfigurationFile.View]) -> [String: [NamedFilter]] {
    var found: [String: [NamedFilter]] = [:]
    for view in views {
      guard let kind = kind(of: view) else { continue }
      found[kind.kind, default: []].append(view.view)
    }
    return found
  }

  /// Checks filters with names of the configuration.
  ///
  /// - Parameters:
  ///   - views: The filters.
  ///   - what: What they are.
  ///   - catalogue: The commands, whose names they can't have; nil where they can.
  /// - Throws: An error with the place of one.
  fileprivate func check(
    _ views: [ConfigurationFile.View],
    as what: String,
    _ catalogue: Catalogue? = nil
  ) throws(CommandError) {
    for view in views {
      guard let kind = kind(of: view) else {
        let name = view.kind.map { "'\($0.quotable)'" } ?? "what they would find"
        throw CommandError("\(view.place): [\(what)s] is not for \(name) in this program")
      }
      let name = view.view.name
      guard catalogue?.isCommand(name) != true else {
        throw CommandError("\(view.place): '\(name)' is a command; give the view another name")
      }
      do throws(ValueError) { try kind.check(view.view) } catch {
        throw CommandError("\(view.place): the \(what) '\(name.quotable)': \(error.message)")
      }
    }
  }

  /// Checks the aliases of the configuration.
  fileprivate func check(
    _ aliases: [ConfigurationFile.Alias],
    _ catalogue: Catalogue
  ) throws(CommandError) {
    for alias in aliases {
      let (name, first) = (alias.shorthand.name, alias.shorthand.words[0].text)
      guard !catalogue.isCommand(name) else {
        throw CommandError("\(alias.place): '\(name)' is a command; give the alias another name")
      }
      guard catalogue[first] != nil else {
        throw CommandError(
          "\(alias.place): the alias '\(name.quotable)': no command '\(first.quotable)'"
        )
      }
    }
  }

  private func kind(of view: ConfigurationFile.View) -> (any CommandRecord.Type)? {
    let kinds = domain.kinds
    guard let name = view.kind else { return kinds.first }
    for kind in kinds where kind.kind.isIdentical(to: name) { return kind }
    return nil
  }

  /// Returns the plugins that are on; the commands of all plugins decide which words are switches.
  fileprivate func switched(
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) -> [OptionalPlugin] {
    var options = ProcessOptions(self, plugins)
    do {
      _ = try options.read(words, catalogue(plugins))
    } catch {
      // After a switch, the second reading reports the error, with the plugins that are on.
      guard options.isSwitching else { throw error }
    }
    return try plugins.switched(on: options.with, off: options.without)
  }
}
