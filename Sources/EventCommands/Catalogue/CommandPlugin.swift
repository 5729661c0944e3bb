public import EventMVVM

/// A plugin that brings commands: added to a ``Catalogue``, it has them on every frontend.
///
/// ```swift
/// extension Greeter: CommandPlugin {
///   var group: String { "greeter" }
///   var commands: [any Command.Type] { [RequestGreeting.self] }
/// }
/// ```
public protocol CommandPlugin: Plugin {
  /// What JSON-RPC puts before the names of its methods: `history` in `history/undo`; may be empty.
  var group: String { get }
  /// Its commands, in the order of help; it answers each of them.
  var commands: [any Command.Type] { get }
}
