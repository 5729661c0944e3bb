import EventCommands
import EventMVVM
import EventValues
import JSONText

extension ProcessOptions {
  /// The options and verbs of plugins and frontends among the words of a process.
  struct Given: Sendable {
    /// The values of one group of options.
    private struct Group {
      let owner: String
      let isPlugins: Bool
      /// The first option of the group that was given.
      let flag: String
      let isForSessions: Bool
      let reader: OptionGroupReader
      /// The words of the given options.
      var words: [Word] = []
    }

    /// The plugins that are on.
    private let plugins: [OptionalPlugin]
    /// All plugins.
    private let all: [OptionalPlugin]
    private let frontends: [any ProgramFrontend]
    /// The verbs of the process itself.
    private let ownVerbs: [ProcessVerb]
    private var given: [Group] = []
    /// A verb whose options came before it, and the first of these.
    private var early: (verb: String, flag: String, reader: VerbReader)?

    /// Creates options without values.
    ///
    /// - Parameters:
    ///   - application: The program.
    ///   - plugins: The plugins that are on.
    ///   - all: All plugins, for the message of an error.
    init(
      _ application: Application,
      _ plugins: [OptionalPlugin],
      of all: [OptionalPlugin] = []
    ) {
      frontends = application.frontends
      ownVerbs = application.ownVerbs
      self.plugins = plugins
      self.all = all
    }

    /// The flags of all options.
    var flags: [String] {
      plugins.flatMap { $0.program?.options?.flags ?? [] }
        + frontends.flatMap { $0.options?.flags ?? [] }
    }

    /// Reads one option, and its value; for an option of a plugin that is off it throws an error that
    /// names the plugin.
    mutating func take(_ words: [Word], _ index: inout Int) throws(CommandError) -> Bool {
      let flag = words[index].optionName
      for plugin in plugins {
        guard let options = plugin.program?.options, options.contains(flag) else { continue }
        return try read(plugin.name, isPlugin: true, options, words, &index)
      }
      for frontend in frontends {
        guard let options = frontend.options, options.contains(flag) else { continue }
        return try read(frontend.name, isPlugin: false, options, words, &index)
      }
      if try takeEarly(words, &index) { return true }
      if let off = all.first(where: { $0.program?.options?.contains(flag) == true }) {
        throw CommandError(
          "\(flag) needs the plugin '\(off.name)', which is off.",
          offset: words[index].offset
        )
      }
      return false
    }

    private mutating func read(
      _ owner: String,
      isPlugin: Bool,
      _ options: OptionGroup,
      _ words: [Word],
      _ index: inout Int
    ) throws(CommandError) -> Bool {
      let place = given.firstIndex { $0.owner.isIdentical(to: owner) && $0.isPlugins == isPlugin }
      if place == nil {
        given.append(
          Group(
            owner: owner,
            isPlugins: isPlugin,
            flag: words[index].optionName,
            isForSessions: options.isForSessions,
            reader: options.reader
          )
        )
      }
      let (known, start) = (place ?? given.count - 1, index)
      guard try given[known].reader.read(words, &index) else { return false }
      given[known].words += words[start..<index]
      return true
    }

    // MARK: Verbs

    /// Returns the verb of a name, if these commands allow it; nil if there is none.
    func verb(_ name: String, _ catalogue: Catalogue) -> ProcessVerb? {
      verbs { $0.name.isIdentical(to: name) && $0.isOffered(catalogue) }
    }

    /// Returns the first verb that a condition holds for: those of frontends come first.
    private func verbs(_ isWanted: (ProcessVerb) -> Bool) -> ProcessVerb? {
      for frontend in frontends {
        if let verb = frontend.verbs.first(where: isWanted) { return verb }
      }
      if let verb = ownVerbs.first(where: isWanted) { return verb }
      for plugin in plugins {
        if let verb = plugin.program?.verbs.first(where: isWanted) { return verb }
      }
      return nil
    }

    /// Reads an option of a verb that comes anywhere among the words.
    private mutating func takeEarly(
      _ words: [Word],
      _ index: inout Int
    ) throws(CommandError) -> Bool {
      let named = verbs { verb in
        guard verb.takesEarlyOptions else { return false }
        let name = verb.name
        return words.contains { $0.isBare && $0.text.isIdentical(to: name) }
      }
      guard let named else { return false }
      let flag = words[index].optionName
      let reader = early?.reader ?? named.reader
      guard try reader.readOption(words, &index) else { return false }
      if early == nil { early = (named.name, flag, reader) }
      return true
    }

    /// Returns the reader of a verb's words, with the options before the verb.
    func reader(of verb: ProcessVerb) -> VerbReader {
      guard let early, early.verb.isIdentical(to: verb.name) else { return verb.reader }
      return early.reader
    }

    // MARK: When all is read

    /// A given flag of each group of options for sessions.
    var flagsForSessions: [String] { given.filter(\.isForSessions).map(\.flag) }

    /// Checks the options against the task: an option for a session does nothing without one, and is
    /// a usage error then.
    ///
    /// - Parameters:
    ///   - word: The word that names a task that is not a session; nil for a session.
    ///   - verb: The verb; nil if there is none.
    /// - Throws: A usage error that names both.
    func check(against word: String?, _ verb: String? = nil) throws(CommandError) {
      if let early, verb?.isIdentical(to: early.verb) != true {
        throw CommandError("\(early.flag) is for '\(early.verb)'", offset: 0)
      }
      guard let word, let option = given.first(where: \.isForSessions) else { return }
      throw CommandError("\(option.flag) is for a session, and '\(word)' is none")
    }

    /// Passes the options to their owners, when all words are read.
    ///
    /// - Parameter file: The options that apply if the words give none, and come before repeatable
    ///   ones of the words; it collects warnings about unknown ones.
    /// - Throws: A usage error.
    func finish(_ file: inout ConfigurationFile?) throws(CommandError) {
      guard file != nil else {
        for options in given { try options.reader.finish() }
        return
      }
      for plugin in plugins {
        try finish(plugin.name, isPlugin: true, plugin.program?.options, &file)
      }
      for frontend in frontends {
        try finish(frontend.name, isPlugin: false, frontend.options, &file)
      }
      file?.warn(unless: [.plugins: all.map(\.name), .frontends: frontends.map(\.name)])
    }

    private func finish(
      _ owner: String,
      isPlugin: Bool,
      _ options: OptionGroup?,
      _ file: inout ConfigurationFile?
    ) throws(CommandError) {
      let given = given.first { $0.owner.isIdentical(to: owner) && $0.isPlugins == isPlugin }
      let configured = file?.options(of: owner, isPlugin ? .plugins : .frontends) ?? []
      guard let options, !configured.isEmpty else {
        for option in configured { file?.warn("'\(owner)' has no options", at: option) }
        return try given?.reader.finish() ?? ()
      }
      // Options of the file come first, so that the words have precedence.
      let reader = options.reader
      for option in configured {
        guard options.contains("--\(option.name)") else {
          let hint =
            closest(to: option.name, among: options.flags.map { String($0.dropFirst(2)) })
            .map { "; did you mean '\($0)'?" } ?? ""
          file?.warn("'\(owner)' has no option '\(option.name.quotable)'\(hint)", at: option)
          continue
        }
        do {
          try reader.read(option.words)
        } catch {
          throw file?.error(error, at: option) ?? error
        }
      }
      try reader.read(given?.words ?? [])
      do {
        try reader.finish()
      } catch {
        throw given == nil ? file?.error(error) ?? error : error
      }
    }
  }
}
