import EventCommands

/// What the words of the process ask for, and of whom.
struct Invocation {
  let application: Application
  let options: ProcessOptions
  var mode: LaunchMode
  /// The switchable plugins that are on.
  let plugins: [OptionalPlugin]
  /// What can be said as long as they are.
  let catalogue: Catalogue

  /// Puts together what has been read.
  init(
    _ application: Application,
    _ options: ProcessOptions,
    _ mode: LaunchMode,
    _ plugins: [OptionalPlugin]
  ) {
    self.application = application
    self.options = options
    self.mode = mode
    self.plugins = plugins
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
    catalogue = application.catalogue(self.plugins)
    var options = ProcessOptions(application.program, GivenOptions(self.plugins, of: plugins))
    mode = try options.read(words, catalogue)
    try options.given.finish()
    self.options = options
  }
}

extension Application {
  /// The plugins that are on: which word is a switch, and which a value, all commands tell.
  fileprivate func switched(
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) -> [OptionalPlugin] {
    var options = ProcessOptions(program, GivenOptions(plugins))
    do {
      _ = try options.read(words, catalogue(plugins))
    } catch {
      // After a switch the error is reported by the plugins that are on.
      guard options.isSwitching else { throw error }
    }
    return try plugins.switched(on: options.with, off: options.without)
  }
}
