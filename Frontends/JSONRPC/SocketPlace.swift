package import EventCommands
package import JSONText

/// Where clients connect: `--listen` or `--listen=PATH`.
package enum SocketPlace: Sendable, Equatable {
  /// Nowhere: nothing is asked for.
  case nowhere
  /// A socket that follows from the store, so that a client of the same store finds it.
  case ofStore
  /// A path of the user's.
  case path(String)
}

extension SocketPlace: CommandProperty {
  package static var arity: ValueArity { .flagOrValue }
  package static var shape: ValueShape { ValueShape("PATH") }

  package mutating func take(word: String) throws(ValueError) {
    self = word.isEmpty ? .ofStore : .path(word)
  }

  package mutating func take(json: JSON) throws(ValueError) {
    guard case .string(let text) = json else {
      throw ValueError("expected a string, found \(json.kind)")
    }
    try take(word: text)
  }
}

/// The options of a listener.
struct SocketOptions: Sendable {
  var listen = SocketPlace.nowhere

  static let spec = CommandSpec<Self>("", "")
    .option(\.listen, "Serves further clients on a Unix socket", flag: "--listen")
}
