import EventCommands
import EventMVVM
import JSONText

extension Invocation {
  /// Reads the store and the plugins from words that are being typed.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - words: The complete words.
  ///   - given: The options of the present process, as defaults.
  init(
    _ application: Application,
    completing words: [Word],
    after given: ProcessOptions
  ) {
    let plugins = application.plugins
    var options = ProcessOptions(application, plugins)
    options.store = given.store
    (options.with, options.without) = (given.with, given.without)
    _ = try? options.read(words, application.catalogue(plugins))
    // No shell expands this in a word before it runs the program.
    if let path = options.store, path.starts(withText: "~/"),
      let home = UserPaths.variable("HOME")
    {
      options.store = home + path.dropFirst()
    }
    let switched = try? plugins.switched(on: options.with, off: options.without)
    self.init(
      application,
      options,
      switched ?? plugins.onByDefault,
      availablePlugins: plugins.map(\.name)
    )
    readConfiguredStore()
  }
}
