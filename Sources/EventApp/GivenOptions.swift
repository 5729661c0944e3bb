import EventCommands
import EventMVVM
import JSONText

/// The options of plugins among the words of a process.
struct GivenOptions: Sendable {
  /// Those of one plugin.
  private struct Given {
    let plugin: String
    /// The first of them.
    let flag: String
    let isForSessions: Bool
    let reader: PluginOptionReader
  }

  /// The plugins that are on.
  let plugins: [OptionalPlugin]
  /// Those that could be.
  private let all: [OptionalPlugin]
  private var given: [Given] = []

  /// None is given yet.
  ///
  /// - Parameters:
  ///   - plugins: The plugins that are on.
  ///   - all: Those that could be, which an error names.
  init(_ plugins: [OptionalPlugin], of all: [OptionalPlugin] = []) {
    self.plugins = plugins
    self.all = all
  }

  /// The flags of all options of plugins that are on.
  var flags: [String] { plugins.flatMap { $0.program?.options?.flags ?? [] } }

  /// The verb of a plugin that is on; nil if there is none of that name.
  func verb(_ name: String) -> ProcessVerb? {
    for plugin in plugins {
      for verb in plugin.program?.verbs ?? [] where verb.name.isIdentical(to: name) { return verb }
    }
    return nil
  }

  /// Takes an option of a plugin, and its value; that of one that is off is no option, and the
  /// error says why.
  mutating func take(_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool {
    let flag = words[index].optionName
    for plugin in plugins {
      guard let options = plugin.program?.options, options.contains(flag) else { continue }
      return try reader(of: plugin, options, flag).read(words, &index)
    }
    if let off = all.first(where: { $0.program?.options?.contains(flag) == true }) {
      throw CommandError(
        "\(flag) needs the plugin '\(off.name)', which is off.",
        offset: words[index].offset
      )
    }
    return false
  }

  private mutating func reader(
    of plugin: OptionalPlugin,
    _ options: PluginOptions,
    _ flag: String
  ) -> PluginOptionReader {
    if let known = given.first(where: { $0.plugin.isIdentical(to: plugin.name) }) {
      return known.reader
    }
    let reader = options.reader
    given.append(
      Given(
        plugin: plugin.name,
        flag: flag,
        isForSessions: options.isForSessions,
        reader: reader
      )
    )
    return reader
  }

  /// Checks them against what was asked for: what is no session does nothing with an option for
  /// one, and who gave it should know.
  ///
  /// - Parameter word: The word that asks for something that is no session; nil for a session.
  /// - Throws: A usage error that names both.
  func check(against word: String?) throws(CommandError) {
    guard let word, let option = given.first(where: \.isForSessions) else { return }
    throw CommandError("\(option.flag) is for a session, and '\(word)' is none")
  }

  /// Hands the plugins their options, when all words are read.
  func finish() throws(CommandError) {
    for options in given { try options.reader.finish() }
  }
}
