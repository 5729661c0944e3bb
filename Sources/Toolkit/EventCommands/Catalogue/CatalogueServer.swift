public import EventMVVM
public import EventValues
public import JSONText

/// Requests an explanation of the commands, or of one of them.
public struct RequestHelp: Command, Codable {
  /// The response to this request.
  public typealias Reply = ResponseHelp
  /// It only reads.
  public static let writes = false

  /// The command to explain, or a page, such as `dates`, `filters` or `all`; none for an overview.
  public var topic: [String] = []

  /// The command's name and properties.
  public static let command = CommandSpec<Self>("help", "Explains the commands, or one of them.")
    .topic(.rare)
    .word(\.topic, "The command", placeholder: "COMMAND")

  /// Creates a request for the overview.
  public init() {}

  /// Creates a request about a command.
  public init(topic: [String]) {
    self.topic = topic
  }
}

/// The reply with a page of help.
public typealias ResponseHelp = ResponseView<HelpText>

/// A page of help.
public struct HelpText: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponseHelp"
  /// The verb that the page explains; nil for the overview.
  public let topic: String?
  private let catalogue: Catalogue

  init(topic: String?, catalogue: Catalogue) {
    self.topic = topic
    self.catalogue = catalogue
  }

  /// Whether both pages have the same topic.
  public static func == (first: HelpText, second: HelpText) -> Bool {
    first.topic == second.topic
  }

  /// Writes the page for a person.
  public func show(on page: inout Page) {
    guard let topic else { return catalogue.showTopics(on: &page) }
    if catalogue[topic] == nil, catalogue.verbs.first(where: { $0.name == topic }) == nil {
      if catalogue.pages.containsText(topic) { return catalogue.showPages(topic, on: &page) }
    }
    if let shorthand = catalogue.shorthand(topic) {
      page.write(
        "'\(topic)' is '\(shorthand.line)'"
          + (shorthand.summary.isEmpty ? "" : ": \(shorthand.summary)")
      )
      page.endLine()
      page.endLine()
    }
    catalogue[topic]?.help(on: &page)
    catalogue.verbs.first { $0.name == topic }?.help(&page)
    showOnScreens(topic, on: &page)
  }

  /// Explains the commands of screens that have this verb.
  private func showOnScreens(_ topic: String, on page: inout Page) {
    for screens in catalogue.screenSections {
      for command in screens.section.commands where command.verb.isIdentical(to: topic) {
        if !page.bytes.isEmpty { page.endLine() }
        page.write(screens.heading)
        page.endLine()
        page.endLine()
        command.help(on: &page)
      }
    }
  }

  /// Writes the page as one JSON value.
  public func write(to json: inout JSONWriter) {
    var page = Page()
    show(on: &page)
    json.object {
      $0.member("topic", topic)
      $0.member("text", page.text)
    }
  }
}

/// Requests a list of the commands with their parameters, for programs.
public struct RequestCommands: Command, UpgradedEvent {
  /// The response to this request.
  public typealias Reply = ResponseCommands
  /// Version 2 has the manual page.
  public static let version = 2
  /// The upgrades of recorded requests.
  public static let upgrades: [Int: @Sendable (JSON) -> JSON] = [
    1: { $0.adding("manual", .bool(false)) }
  ]
  /// It only reads.
  public static let writes = false

  /// Whether they are listed as sections of a manual page, in the macros of man(7).
  public var manual = false

  /// The command's name and properties.
  public static let command = CommandSpec<Self>("commands", "Lists the commands, one a line.")
    .option(\.manual, "As sections of a manual page, for man(7)", flag: "--manual")
    .topic(.rare)

  /// Creates the request.
  public init() {}
}

/// The reply with the commands.
public typealias ResponseCommands = ResponseView<CommandList>

/// The commands, as a result.
public struct CommandList: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponseCommands"
  private let catalogue: Catalogue
  private let isManual: Bool

  init(_ catalogue: Catalogue, isManual: Bool) {
    (self.catalogue, self.isManual) = (catalogue, isManual)
  }

  /// Whether both lists have the same verbs.
  public static func == (first: CommandList, second: CommandList) -> Bool {
    first.catalogue.commands.map { $0.verb } == second.catalogue.commands.map { $0.verb }
  }

  /// Writes the list for a person.
  public func show(on page: inout Page) {
    if isManual {
      for line in ManualPage(catalogue).lines {
        page.write(line)
        page.endLine()
      }
      return
    }
    for command in catalogue.commands {
      page.write(command.usage)
      page.endLine()
    }
  }

  /// Writes the list as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.array { json in
      for command in catalogue.commands {
        json.object {
          $0.member("name", command.verb)
          $0.member("method", catalogue.method(of: command))
          $0.member("summary", command.summary)
          $0.member("usage", command.usage)
          $0.member("writes", command.writes)
          $0.member("params", command.schema)
        }
      }
    }
  }
}

extension Command {
  static var schema: JSON { command.schema }
}

extension Catalogue {
  /// All commands, including those for screens.
  fileprivate var allCommands: [any Command.Type] { commands + screenCommands }
}

/// Requests the names of the plugins.
public struct RequestPlugins: Command, Codable {
  /// The response to this request.
  public typealias Reply = ResponsePlugins
  /// It only reads.
  public static let writes = false

  /// The command's name and properties.
  public static let command = CommandSpec<Self>("plugins", "Lists the plugins that are on.")
    .topic(.rare)

  /// Creates the request.
  public init() {}
}

/// The reply with the names of the plugins.
public typealias ResponsePlugins = ResponseView<PluginList>

/// The plugins, as a result.
public struct PluginList: CommandResult {
  /// The name of its response.
  public static let responseName: String? = "ResponsePlugins"
  /// Their names, in the order in which they joined.
  public let names: [String]

  /// Writes the list for a person.
  public func show(on page: inout Page) {
    for name in names {
      page.write(name)
      page.endLine()
    }
  }

  /// Writes the list as one JSON value.
  public func write(to json: inout JSONWriter) {
    json.array { json in
      for name in names {
        json.object { $0.member("name", name) }
      }
    }
  }
}

/// A plugin that answers requests about the commands and the plugins.
public struct CatalogueServer: Plugin {
  /// Its name among the plugins.
  public let name = "catalogue"
  /// The commands that it answers.
  public static let commands: [any Command.Type] = [
    RequestHelp.self, RequestCommands.self, RequestPlugins.self,
  ]

  private let catalogue: Catalogue
  private let members: @Sendable () -> [String]

  /// Creates a plugin that serves a catalogue.
  ///
  /// - Parameters:
  ///   - catalogue: All commands.
  ///   - members: The names of the plugins.
  public init(_ catalogue: Catalogue, members: @escaping @Sendable () -> [String]) {
    self.catalogue = catalogue
    self.members = members
  }

  /// Registers the handlers of its requests.
  public func join(_ stream: EventStream) {
    stream.answer(catalogue.allCommands)
    catalogue.join?(stream)
    stream.answer(RequestHelp.self) { [catalogue] request, _ in
      guard let topic = request.topic.first else {
        return HelpText(topic: nil, catalogue: catalogue)
      }
      let names =
        catalogue.allCommands.map { $0.verb } + catalogue.verbs.map(\.name)
        + catalogue.shorthands.map(\.name) + catalogue.pages
      guard names.contains(where: { $0.isIdentical(to: topic) }) else {
        let hint =
          closest(to: topic, among: names)
          .map { "; did you mean '\($0)'?" } ?? ""
        throw Failure(.usage, "no command '\(topic.quotable)'\(hint)", field: "topic")
      }
      return HelpText(topic: topic, catalogue: catalogue)
    }
    stream.answer(RequestCommands.self) { [catalogue] request, _ in
      CommandList(catalogue, isManual: request.manual)
    }
    stream.answer(RequestDateCandidates.self) { request, turn in request.candidates(turn) }
    stream.answer(RequestPlugins.self) { [members] _, _ in PluginList(names: members()) }
  }
}
