import RecordCommands
public import EventCommands
import EventMVVM
import EventValues
import TodoModels

/// What a program with todos adds to its catalogue.
public enum TodoCommands {
  /// The prefix of its JSON-RPC methods.
  public static let group = "todo"
  /// Adds the commands on todos, their status and their states.
  public static func add(to catalogue: inout Catalogue) { catalogue.add(Todo.self, and: own) }

  /// Its commands, in the order of help.
  public static let commands: [any Command.Type] = Todo.commands.types + own
  /// Those that do not follow from the declaration.
  private static let own: [any Command.Type] = [RequestMoveTodo.self]
}
