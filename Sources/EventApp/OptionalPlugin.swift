public import EventCommands
public import EventMVVM
import ExternalObserver
import JSONText

/// A plugin that `--with` and `--without` switch.
public struct OptionalPlugin {
  /// The plugin.
  public let plugin: any Plugin
  /// Whether it is on where nothing is said.
  public let isOn: Bool
  private let commands: (any CommandPlugin)?
  /// Itself, if it is the one that starts programs: to find out by a cast would cost more than to
  /// know.
  var observers: ExternalObserver?

  /// On unless `--without` names it.
  public static func on(_ plugin: some CommandPlugin) -> Self {
    Self(plugin: plugin, isOn: true, commands: plugin)
  }

  /// On unless `--without` names it.
  public static func on(_ plugin: some Plugin) -> Self {
    Self(plugin: plugin, isOn: true, commands: nil)
  }

  /// On unless `--without` names it.
  static func on(_ plugin: ExternalObserver) -> Self {
    var optional = Self(plugin: plugin, isOn: true, commands: nil)
    optional.observers = plugin
    return optional
  }

  /// Off unless `--with` names it.
  public static func off(_ plugin: some CommandPlugin) -> Self {
    Self(plugin: plugin, isOn: false, commands: plugin)
  }

  /// Off unless `--with` names it.
  public static func off(_ plugin: some Plugin) -> Self {
    Self(plugin: plugin, isOn: false, commands: nil)
  }

  /// What it is called.
  public var name: String { plugin.name }

  /// Adds its commands, if it brings any.
  ///
  /// Whether it does is known from its type: a cast would search all conformances of the program.
  func addCommands(to catalogue: inout Catalogue) {
    if let commands { catalogue.add(commands) }
  }
}

extension [OptionalPlugin] {
  /// Those that are on by default.
  var onByDefault: [OptionalPlugin] { filter(\.isOn) }

  /// Those that are on.
  ///
  /// - Parameters:
  ///   - with: Names of those to switch on.
  ///   - without: Names of those to switch off.
  /// - Returns: The plugins, in the invocation in which they join.
  /// - Throws: A usage error if a name is unknown, or stands in both lists.
  func switched(on with: [String], off without: [String]) throws(CommandError) -> [OptionalPlugin] {
    for name in with { try check(name, "--with") }
    for name in without { try check(name, "--without") }
    if let both = with.first(where: without.containsText) {
      throw CommandError("--with and --without both name '\(both)'")
    }
    return filter { $0.isOn ? !without.containsText($0.name) : with.containsText($0.name) }
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
