import EventCommands

extension Greeter: CommandPlugin {
  var group: String { "greeter" }
  var commands: [any Command.Type] { [RequestGreeting.self] }
}
