import EventCommands
import EventMVVM
import JSONText

extension Invocation {
  /// Takes from words that are being typed what they say so far: which store, and which plugins.
  ///
  /// - Parameters:
  ///   - application: The program.
  ///   - words: The words that are complete.
  ///   - given: What was said to the process that is asked: it holds where they say nothing.
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
    // No shell looks into a word for this before it runs the program.
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
  }
}
