import EventCommands

/// What the words of the process ask for, and of whom.
struct Order {
  let invocation: Invocation
  var errand: Errand
  /// The switchable plugins that are on.
  let plugins: [OptionalPlugin]
  /// What can be said as long as they are.
  let catalogue: Catalogue

  /// Puts together what has been read.
  init(_ invocation: Invocation, _ errand: Errand, _ plugins: [OptionalPlugin]) {
    self.invocation = invocation
    self.errand = errand
    self.plugins = plugins
    catalogue = Composition.catalogue(plugins)
  }

  /// Reads the words of the process.
  ///
  /// - Parameters:
  ///   - words: The words behind the program's name.
  ///   - plugins: All plugins that can be switched.
  /// - Throws: A usage error.
  init(_ words: [Word], _ plugins: [OptionalPlugin]) throws(CommandError) {
    // Most processes switch nothing, and read their words once.
    let mayBeSwitched = words.contains { $0.isOption && $0.text.hasPrefix("--with") }
    self.plugins = mayBeSwitched ? try Self.switched(words, plugins) : plugins.onByDefault
    catalogue = Composition.catalogue(self.plugins)
    var invocation = Invocation()
    errand = try invocation.read(words, catalogue)
    self.invocation = invocation
  }

  /// The plugins that are on: which word is a switch, and which a value, all commands tell.
  private static func switched(
    _ words: [Word],
    _ plugins: [OptionalPlugin]
  ) throws(CommandError) -> [OptionalPlugin] {
    var invocation = Invocation()
    do {
      _ = try invocation.read(words, Composition.catalogue(plugins))
    } catch {
      // Behind a switch the error is reported in the light of what is on.
      guard invocation.isSwitching else { throw error }
    }
    return try plugins.switched(on: invocation.with, off: invocation.without)
  }
}
