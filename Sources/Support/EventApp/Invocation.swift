import EventCommands
import EventMVVM
import EventValues

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
    catalogue = application.catalogue(plugins)
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
    catalogue = application.catalogue(self.plugins)
    var options = ProcessOptions(application, self.plugins, of: plugins)
    let launch = try options.read(words, catalogue)
    // A task that is not a session, such as `--version`, needs no configuration.
    var file: ConfigurationFile?
    if launch.noSession == nil { file = try application.configurationFile() }
    try options.given.finish(&file)
    configured = try file?.store(application.engines.forms("a path"))
    _ = try file?.dates()
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
