import EventCommands

/// What the words of the process ask for, and of whom.
struct Order {
  let application: Application
  let invocation: Invocation
  var errand: Errand
  /// The switchable plugins that are on.
  let plugins: [OptionalPlugin]
  /// What can be said as long as they are.
  let catalogue: Catalogue

  /// Puts together what has been read.
  init(
    _ application: Application,
    _ invocation: Invocation,
    _ errand: Errand,
    _ plugins: [OptionalPlugin]
  ) {
    self.application = application
    self.invocation = invocation
    self.errand = errand
    self.plugins = plugins
    catalogue = application.catalogue(plugins)
  }

  /// Reads the words of the process.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - words: The words behind its name.
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
    var invocation = Invocation(application.program)
    errand = try invocation.read(words, catalogue)
    self.invocation = invocation
  }
}

extension Application {
  /// The plugins that are on: which word is a switch, and which a value, all commands tell.
  fileprivate func switched(
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) -> [OptionalPlugin] {
    var invocation = Invocation(program)
    do {
      _ = try invocation.read(words, catalogue(plugins))
    } catch {
      // Behind a switch the error is reported in the light of what is on.
      guard invocation.isSwitching else { throw error }
    }
    return try plugins.switched(on: invocation.with, off: invocation.without)
  }
}
