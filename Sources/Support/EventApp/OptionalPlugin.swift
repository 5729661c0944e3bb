public import EventCommands
public import EventMVVM
import EventValues
import JSONText

/// A plugin that `--with` and `--without` switch.
///
/// ```swift
/// let parts = Parts.standard()
///   .adding(plugins: [.on(ReducerMessages()), .off(ReactorMessages()), .off(ServerMessages())])
/// ```
public struct OptionalPlugin: Sendable {
  /// The plugin.
  public let plugin: any Plugin
  /// Whether it is on by default.
  public let isOn: Bool
  // The other types are known from its static type: a cast would search all conformances of the
  // program.
  private let commands: (any CommandPlugin)?
  /// The plugin, if it adds more to a program than commands.
  let program: (any ProgramPlugin)?

  /// Returns a plugin that is on unless `--without` names it.
  public static func on(_ plugin: some ProgramPlugin) -> Self {
    Self(plugin: plugin, isOn: true, commands: plugin, program: plugin)
  }

  /// Returns a plugin that is on unless `--without` names it.
  public static func on(_ plugin: some CommandPlugin) -> Self {
    Self(plugin: plugin, isOn: true, commands: plugin, program: nil)
  }

  /// Returns a plugin that is on unless `--without` names it.
  public static func on(_ plugin: some Plugin) -> Self {
    Self(plugin: plugin, isOn: true, commands: nil, program: nil)
  }

  /// Returns a plugin that is off unless `--with` names it.
  public static func off(_ plugin: some ProgramPlugin) -> Self {
    Self(plugin: plugin, isOn: false, commands: plugin, program: plugin)
  }

  /// Returns a plugin that is off unless `--with` names it.
  public static func off(_ plugin: some CommandPlugin) -> Self {
    Self(plugin: plugin, isOn: false, commands: plugin, program: nil)
  }

  /// Returns a plugin that is off unless `--with` names it.
  public static func off(_ plugin: some Plugin) -> Self {
    Self(plugin: plugin, isOn: false, commands: nil, program: nil)
  }

  /// The name of the plugin.
  public var name: String { plugin.name }

  /// Adds the plugin's commands.
  func addCommands(to catalogue: inout Catalogue) {
    if let commands { catalogue.add(commands) }
  }
}

extension [OptionalPlugin] {
  /// The plugins that are on by default.
  var onByDefault: [OptionalPlugin] { filter(\.isOn) }

  /// Returns the plugins that are on.
  ///
  /// - Parameters:
  ///   - with: The names of plugins to switch on.
  ///   - without: The names of plugins to switch off.
  /// - Returns: The plugins that are on, in the order in which they join.
  /// - Throws: A usage error if a name is unknown, or in both lists.
  func switched(on with: [String], off without: [String]) throws(CommandError) -> [OptionalPlugin] {
    for name in with { try check(name, "--with") }
    for name in without { try check(name, "--without") }
    if let both = with.first(where: without.containsText) {
      throw CommandError("--with and --without both name '\(both)'")
    }
    return filter { $0.isOn ? !without.containsText($0.name) : with.containsText($0.name) }
  }

  /// Returns the plugins that were on when a session was recorded.
  func named(_ names: [String]) throws(Failure) -> [OptionalPlugin] {
    if let missing = names.first(where: { name in !contains { $0.name.isIdentical(to: name) } }) {
      throw Failure(
        .usage,
        "The session was recorded with the plugin '\(missing.quotable)', which is not here."
      )
    }
    return filter { names.containsText($0.name) }
  }

  private func check(_ name: String, _ flag: String) throws(CommandError) {
    let names = map(\.name)
    guard !names.containsText(name) else { return }
    guard !names.isEmpty else { throw CommandError("\(flag): no plugin can be switched") }
    let hint = closest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    let list = names.joined(separator: ", ")
    throw CommandError(
      "\(flag): '\(name.quotable)' is none of the plugins that can be switched: \(list)\(hint)"
    )
  }
}
