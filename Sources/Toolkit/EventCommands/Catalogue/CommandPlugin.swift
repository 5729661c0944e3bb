public import EventMVVM

/// A plugin with commands: once it is added to a ``Catalogue``, every frontend offers them.
///
/// ```swift
/// extension Greeter: CommandPlugin {
///   var group: String { "greeter" }
///   var commands: [any Command.Type] { [RequestGreeting.self] }
/// }
/// ```
public protocol CommandPlugin: Plugin {
  /// The prefix of its JSON-RPC methods: `history` in `history/undo`; may be empty.
  var group: String { get }
  /// Its commands, in the order of help; it answers each of them.
  var commands: [any Command.Type] { get }
}
