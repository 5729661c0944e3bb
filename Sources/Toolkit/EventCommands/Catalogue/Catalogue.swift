public import EventMVVM
public import EventValues
public import JSONText

/// All commands of an application, which frontends offer without depending on any of them.
///
/// ```swift
/// var catalogue = Catalogue()
/// context.add(Greeter())
/// catalogue.add("greeter", [RequestGreeting.self])
/// try context.check(catalogue)
/// ```
public struct Catalogue: Sendable {
  /// The commands of a domain or of a plugin.
  public struct Section: Sendable {
    /// The owner of the commands: a plugin's name, or else the group.
    public let name: String
    /// The prefix of their JSON-RPC methods: `todo` in `todo/add`; may be empty.
    public let group: String
    /// The commands, in the order of help.
    public let commands: [any Command.Type]
  }

  /// Commands for frontends that show screens.
  ///
  /// ```swift
  /// catalogue.add(
  ///   onScreen: MessageScreen.kind,
  ///   "in the detail of a message",
  ///   "detail",
  ///   [RequestReply.self]
  /// )
  /// ```
  public struct ScreenSection: Sendable {
    /// The kind of screen that accepts the commands while topmost; nil for any screen, or none.
    public let kind: String?
    /// The location, as help phrases it: `in the detail of a todo`.
    public let place: String
    /// The commands.
    public let section: Section
  }

  /// The sections, in the order of help.
  public private(set) var sections: [Section] = []
  private var commandsByName: [String: any Command.Type] = [:]
  /// The commands that are available only where there are screens.
  public private(set) var screenSections: [ScreenSection] = []
  /// The commands hidden by one of the topmost screen, provided that it can read the words.
  private var hiddenByName: [String: any Command.Type] = [:]
  /// Whether there are screens.
  private var hasScreens = false
  /// The verbs that the process understands in addition to commands, such as `run`.
  var verbs: [Verb] { words?.value.verbs ?? [] }
  /// The options of the process, for help and completion.
  var process: Verb? { words?.value.options }
  private var words: Lazily<ProcessWords>?
  /// Whether an option belongs to the process; a line must not contain such an option.
  func isProcessOption(_ flag: String) -> Bool { process?.takesValue(flag) != nil }

  private var shorthandLists: [Lazily<[Shorthand]>] = []
  private var contextList: Lazily<[CommandContext]>?
  /// The contexts that a person can choose at a prompt.
  package var contexts: [CommandContext] { contextList?.value ?? [] }

  /// Names of more than one command, as sentences.
  public private(set) var clashes: [String] = []

  /// The announcements that a frontend with a screen shows.
  public private(set) var announcements: [any Announcement.Type] = []
  /// The words that links to screens begin with, apart from references.
  public private(set) var links: [Candidate] = []
  /// The notices and states for programs; assembled on demand, as few processes need them.
  public var wire: Wire { wires.reduce(Wire()) { $0 + $1() } }
  private var wires: [@Sendable () -> Wire] = []
  /// The pages of help that are of no command.
  private(set) var helpPages: [HelpPage] = []
  /// What is done on each stream; nil for nothing.
  private(set) var join: (@Sendable (EventStream) -> Void)?

  /// Creates an empty catalogue.
  public init() {
    // Room for most applications: growing would hash all names again, at every start.
    commandsByName.reserveCapacity(32)
  }

  /// Adds the commands of a domain or of a plugin.
  public mutating func add(_ group: String, _ commands: [any Command.Type]) {
    add(Section(name: group, group: group, commands: commands))
  }

  /// Adds the commands of a plugin, if it has any.
  public mutating func add(_ plugin: any Plugin) {
    if let plugin = plugin as? any CommandPlugin { add(plugin) }
  }

  /// Adds the commands of a plugin, if it has any.
  public mutating func add(_ plugin: any CommandPlugin) {
    let commands = plugin.commands
    guard !commands.isEmpty else { return }
    add(Section(name: plugin.name, group: plugin.group, commands: commands))
  }

  /// Adds commands for frontends that show screens; they do not affect other frontends.
  ///
  /// - Parameters:
  ///   - kind: The kind of screen that accepts them while it is topmost; nil for all.
  ///   - place: The location, as help phrases it: `in the detail of a todo`.
  ///   - group: The prefix of their JSON-RPC methods.
  ///   - commands: The commands, in the order of help.
  public mutating func add(
    onScreen kind: String?,
    _ place: String,
    _ group: String,
    _ commands: [any Command.Type]
  ) {
    let section = Section(name: group, group: group, commands: commands)
    screenSections.append(ScreenSection(kind: kind, place: place, section: section))
  }

  /// Adds words that links begin with, for completion; references need not be listed.
  public mutating func add(links: [Candidate]) {
    self.links += links
  }

  /// Returns the catalogue for frontends with screens.
  ///
  /// A command of the topmost screen comes first; words that it can't read go to the command that
  /// it hides.
  ///
  /// - Parameter kind: The kind of the topmost screen; nil if none is open.
  /// - Returns: The catalogue with the commands that are available there.
  public func onScreen(_ kind: String?) -> Catalogue {
    var there = self
    there.hasScreens = true
    let here = screenSections.filter { $0.kind == nil || $0.kind == kind }
    for command in here.flatMap(\.section.commands) {
      there.hiddenByName[command.verb] = there.commandsByName.updateValue(
        command,
        forKey: command.verb
      )
    }
    let hidden = there.hiddenByName
    there.sections =
      here.map(\.section) + sections.map { $0.without { hidden[$0] != nil } }
    return there
  }

  /// Returns the commands with a verb here, in order: that of the topmost screen, and the
  /// one that it hides.
  func meanings(of verb: String) -> [any Command.Type] {
    [self[verb], verb.mayBeName ? hiddenByName[verb] : nil].compactMap(\.self)
  }

  /// Returns the flags of a verb's options here.
  package func flags(of verb: String) -> [String] { meanings(of: verb).flatMap { $0.flags } }

  /// Adds what is done once on each stream on which the commands are answered.
  package mutating func add(joining join: @escaping @Sendable (EventStream) -> Void) {
    let before = self.join
    self.join = { stream in
      before?(stream)
      join(stream)
    }
  }

  /// Adds a sentence on a mistake in what is declared; the program is refused with it where that is checked.
  package mutating func refuse(_ sentence: String) { clashes.append(sentence) }

  private mutating func add(_ section: Section) {
    sections.append(section)
    for command in section.commands {
      if let other = commandsByName[command.verb] {
        let claims = "\(claim(of: other)) and \(section.claim(of: command))"
        clashes.append("'\(command.verb)' is claimed by both \(claims)")
      } else {
        commandsByName[command.verb] = command
      }
    }
  }

  /// Adds announcements that a frontend with a screen shows.
  public mutating func add(announcements: [any Announcement.Type]) {
    self.announcements += announcements
  }

  /// Adds notices and states for programs.
  public mutating func add(wire: @autoclosure @escaping @Sendable () -> Wire) {
    wires.append(wire)
  }

  /// Adds a verb that the process understands in addition to commands, for help and completion.
  public mutating func add<Root>(_ verb: CommandSpec<Root>) {
    add(process: { $0.add(verb) })
  }

  /// Adds options of the process, for help and completion; the first spec names the process.
  public mutating func add<Root>(processOptions spec: CommandSpec<Root>) {
    add(process: { $0.add(options: spec) })
  }

  /// Adds what the process understands in addition to commands, for help and completion.
  ///
  /// - Parameter list: Adds the verbs and options; called on demand, as few processes need them.
  public mutating func add(process list: @escaping ProcessWords.List) {
    words = Lazily { [words] in
      var listed = words?.value ?? ProcessWords()
      list(&listed)
      return listed
    }
  }

  /// All commands, in the order of help.
  public var commands: [any Command.Type] { sections.flatMap(\.commands) }

  /// The commands for frontends that show screens, of all kinds of screen.
  public var screenCommands: [any Command.Type] { screenSections.flatMap(\.section.commands) }

  /// Whether a command is one of those for frontends that show screens.
  public func isOnScreens(_ command: any Command.Type) -> Bool {
    for screens in screenSections {
      for other in screens.section.commands where other == command { return true }
    }
    return false
  }

  /// The command with a name, or the one that a shorthand stands for.
  public subscript(name: String) -> (any Command.Type)? {
    guard name.mayBeName else { return nil }
    if let command = commandsByName[name] { return command }
    guard !shorthandLists.isEmpty else { return nil }
    let meant = meant([Word(text: name, offset: 0, isBare: true)])
    return meant.first.flatMap { commandsByName[$0.text] }
  }

  /// Adds words that stand for others at the beginning of a command.
  ///
  /// - Parameter list: Returns them; called once, when a word is no command, or for help or completion.
  package mutating func add(shorthands list: @escaping @Sendable () -> [Shorthand]) {
    shorthandLists.append(Lazily(list))
  }

  /// Adds a page of help, below those of the same name.
  package mutating func add(page name: String, _ show: @escaping @Sendable (inout Page) -> Void) {
    helpPages.append(HelpPage(name: name, show: show))
  }

  /// Sets the contexts that a person can choose at a prompt.
  ///
  /// - Parameter list: Returns them; called once, when they are needed.
  package mutating func add(contexts list: @escaping @Sendable () -> [CommandContext]) {
    contextList = Lazily(list)
  }

  /// The words that stand for others, except names of commands.
  var shorthands: [Shorthand] {
    var known: [Shorthand] = []
    for list in shorthandLists {
      for shorthand in list.value
      where commandsByName[shorthand.name] == nil
        && !known.contains(where: { $0.name.isIdentical(to: shorthand.name) })
      {
        known.append(shorthand)
      }
    }
    return known
  }

  /// Whether a word names a command, or what the process understands besides.
  package func isCommand(_ name: String) -> Bool {
    commandsByName[name] != nil || screenCommands.contains { $0.verb.isIdentical(to: name) }
      || verbs.contains { $0.name.isIdentical(to: name) }
      || pages.containsText(name)
  }

  func shorthand(_ name: String) -> Shorthand? {
    shorthandLists.isEmpty ? nil : shorthands.first { $0.name.isIdentical(to: name) }
  }

  /// Returns the words of a command, in which those stand that a shorthand stands for.
  func meant(_ words: [Word]) -> [Word] {
    var words = words
    // One can stand for another one.
    for _ in 0..<4 {
      guard let first = words.first, first.text.mayBeName, commandsByName[first.text] == nil,
        let shorthand = shorthand(first.text)
      else { break }
      let meant = shorthand.words.map {
        Word(text: $0.text, offset: first.offset, isBare: $0.isBare)
      }
      words = meant + words.dropFirst()
    }
    return words
  }

  /// Returns the name of a command's JSON-RPC method.
  public func method(of command: any Command.Type) -> String {
    method(of: command, named: command.methodName ?? command.verb)
  }

  /// Returns the name of a command's JSON-RPC method in earlier versions; nil if it has always had
  /// its name.
  package func formerMethod(of command: any Command.Type) -> String? {
    command.methodName == nil ? nil : method(of: command, named: command.verb)
  }

  private func method(of command: any Command.Type, named name: String) -> String {
    guard let group = section(of: command)?.group, !group.isEmpty else { return name }
    return "\(group)/\(name)"
  }

  private func section(of command: any Command.Type) -> Section? {
    (sections + screenSections.map(\.section)).first { $0.commands.contains { $0 == command } }
  }

  private func claim(of command: any Command.Type) -> String {
    section(of: command)?.claim(of: command) ?? command.name
  }

  /// Returns the command that a verb names.
  ///
  /// - Throws: A usage error that suggests a similar command.
  public func command(_ verb: Word) throws(CommandError) -> any Command.Type {
    if let command = self[verb.text] { return command }
    if let screens = screenSections.first(where: { $0.section.names(verb) }) {
      throw CommandError(
        "'\(verb.text)' works only \(screens.place)"
          + (screens.kind != nil && hasScreens ? "; 'open' opens one" : ""),
        offset: verb.offset
      )
    }
    if verbs.contains(where: { $0.name.isIdentical(to: verb.text) }) {
      throw CommandError(
        "'\(verb.text)' is for the command line of the process, not for a line",
        offset: verb.offset
      )
    }
    let hint =
      closest(
        to: verb.text,
        among: Array(commandsByName.keys) + verbs.map(\.name) + shorthands.map(\.name)
      )
      .map { "; did you mean '\($0)'?" } ?? "; 'help' lists the commands"
    throw CommandError("no command '\(verb.text.quotable)'\(hint)", offset: verb.offset)
  }

  /// Reads a line, written as in a script, into the request of its command.
  ///
  /// - Returns: The request; nil if the line is empty or a comment.
  /// - Throws: A usage error with the position in the line.
  public func read(line: String) throws(CommandError) -> (any Command)? {
    var tokenizer = Tokenizer(SourceText(name: "line", bytes: Array(line.utf8)))
    do {
      guard let words = try tokenizer.next()?.get().words else { return nil }
      return try read(words)
    } catch let error as SyntaxError {
      throw CommandError(error.message, offset: error.offset)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(error)")
    }
  }

  /// Reads the words of a command into its request.
  ///
  /// - Parameters:
  ///   - words: The verb and the words after it; at least one word.
  ///   - other: Reads options that the command does not have.
  /// - Returns: The request.
  /// - Throws: A usage error with the position of the word.
  public func read(
    _ words: [Word],
    other: OptionTaker? = nil
  ) throws(CommandError) -> any Command {
    let words = meant(words)
    guard let verb = words.first else { throw CommandError("a command is missing") }
    let command = try command(verb)
    do {
      return try command._read(words, other: other)
    } catch {
      if let other = readHidden(words, command, other) { return other }
      guard words.asksForHelp else { throw error }
      return RequestHelp(topic: [command.verb])
    }
  }

  /// Reads words that a command can't read by another one: the command that it hides, or the one
  /// that opens a screen instead.
  private func readHidden(
    _ words: [Word],
    _ command: any Command.Type,
    _ other: OptionTaker?
  ) -> (any Command)? {
    guard hasScreens else { return nil }
    let opening = words.count == 2 ? command.onScreen : nil
    let others = [hiddenByName[command.verb], opening].compactMap(\.self)
    return others.lazy.compactMap { try? $0._read(words, other: other) }.first
  }

  /// Returns the offset of the word that set a property, for an error of the domain.
  ///
  /// - Parameters:
  ///   - field: The property's name in JSON.
  ///   - id: The number to look for among its values, if it has several.
  ///   - words: All words of the command.
  /// - Returns: The word's offset; nil if no word set the property.
  public func offset(of field: String, id: Int? = nil, in words: [Word]) -> Int? {
    let words = meant(words)
    guard let verb = words.first else { return nil }
    return self[verb.text]?.offset(of: field, id: id, in: words)
  }
}

/// A word that stands for others at the beginning of a command: `today` for `list @today`.
package struct Shorthand: Sendable {
  /// The word.
  package let name: String
  /// The words that it stands for; the first is the name of a command, or another of them.
  package let words: [Word]
  /// What it is for.
  package let summary: String

  /// Creates a shorthand.
  package init(_ name: String, for words: [Word], _ summary: String) {
    (self.name, self.words, self.summary) = (name, words, summary)
  }

  /// The words as they are written in a line.
  package var line: String {
    words.map { $0.isBare ? $0.text : $0.text.asScriptWord }.joined(by: " ")
  }
}

extension Catalogue.Section {
  /// Returns the section without the hidden commands.
  fileprivate func without(_ isHidden: (String) -> Bool) -> Self {
    Self(name: name, group: group, commands: commands.filter { !isHidden($0.verb) })
  }

  /// Whether a word is the name of one of its commands.
  fileprivate func names(_ word: Word) -> Bool {
    commands.contains { $0.verb.isIdentical(to: word.text) }
  }

  /// Describes a command by its section and its name in the code.
  fileprivate func claim(of command: any Command.Type) -> String {
    name.isEmpty ? command.name : "'\(name)' (\(command.name))"
  }
}

extension [Word] {
  /// Whether one of the words requests the help of the command in the first one.
  package var asksForHelp: Bool {
    dropFirst().prefix { !$0.isEndOfOptions }
      .contains {
        $0.isBare && ($0.text.isIdentical(to: "--help") || $0.text.isIdentical(to: "-h"))
      }
  }
}

extension AppContext {
  /// Checks that the plugins and the commands fit together: no name occurs twice, every command
  /// has a server and, in a debug build, lists each of its properties.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - hasScreens: Whether there are screens, so that their commands, the status of a prompt and the states that
  ///     programs watch must be answered as well.
  /// - Throws: A configuration error that lists all conflicts.
  public func check(_ catalogue: Catalogue, hasScreens: Bool = false) throws(ConfigurationError) {
    var problems = catalogue.clashes
    #if DEBUG
      for command in catalogue.commands + catalogue.screenCommands {
        problems += command.forgottenProperties
      }
    #endif
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    try check(
      catalogue.commands.map { $0 as any Request.Type }
        + (hasScreens ? catalogue.screenCommands : []).map { $0 as any Request.Type }
        + (hasScreens ? catalogue.wire.statuses : []).map { $0 as any Request.Type }
        + (hasScreens ? catalogue.wire.states : []).map { $0 as any Request.Type }
    )
  }
}

extension Command {
  /// The verb of the command.
  public static var verb: String { command.name }
  static var methodName: String? { command.methodName }

  static func offset(of field: String, id: Int? = nil, in words: [Word]) -> Int? {
    command.offset(of: field, id: id, in: words, from: 1)
  }

  /// Reads JSON parameters by name into a request.
  public static func read(parameters: JSON) throws(CommandError) -> Self {
    var request = Self()
    try command.read(parameters, into: &request)
    return request
  }
}
