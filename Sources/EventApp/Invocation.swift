import EventCommands
import EventMVVM

/// What the words of the process ask for, and of whom.
struct Invocation {
  let application: Application
  let options: ProcessOptions
  /// What to do; nil where the words are only looked into.
  let launch: Launch?
  /// The switchable plugins that are on.
  let plugins: [OptionalPlugin]
  /// The names of all plugins that can be switched.
  let availablePlugins: [String]
  /// What can be said as long as they are.
  let catalogue: Catalogue
  /// What the configuration file has that says nothing.
  let warnings: [String]

  /// Puts together what has been read.
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
    // Most processes switch nothing, and read their words once.
    let mayBeSwitched = words.contains { $0.isOption && $0.text.hasPrefix("--with") }
    self.plugins = mayBeSwitched ? try application.switched(words, plugins) : plugins.onByDefault
    availablePlugins = plugins.map(\.name)
    catalogue = application.catalogue(self.plugins)
    var options = ProcessOptions(application, self.plugins, of: plugins)
    let launch = try options.read(words, catalogue)
    // What is no session, such as a question for the version, needs no configuration.
    var file: ConfigurationFile?
    if launch.noSession == nil {
      file = try application.paths.configuration(ConfigurationFile.name)
        .flatMap { path throws(CommandError) in try ConfigurationFile(path) }
    }
    try options.given.finish(&file)
    self.launch = launch
    warnings = file?.warnings ?? []
    self.options = options
  }
}

extension Invocation {
  /// Does what the words ask for, to its end.
  func run(_ console: Console) throws -> ExitStatus {
    guard let launch else { return .success }
    for warning in warnings { console.remark("warning: \(warning)") }
    return try launch.run(InvocationHost(invocation: self, console: console))
  }
}

extension Application {
  /// The plugins that are on: which word is a switch, and which a value, all commands tell.
  fileprivate func switched(
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) -> [OptionalPlugin] {
    var options = ProcessOptions(self, plugins)
    do {
      _ = try options.read(words, catalogue(plugins))
    } catch {
      // After a switch the error is reported by the plugins that are on.
      guard options.isSwitching else { throw error }
    }
    return try plugins.switched(on: options.with, off: options.without)
  }
}
