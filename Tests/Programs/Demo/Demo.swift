import EventCommands
import EventMVVM

/// A program of its own: its plugins, and a frontend that runs the lines of standard input.
@main
struct Demo {
  static func main() throws {
    let context = AppContext()
    var catalogue = Catalogue()
    let plugins: [any Plugin] = [Greeter(), TallyPlugin()]
    for plugin in plugins {
      context.add(plugin)
      catalogue.add(plugin)
    }
    try context.check(catalogue)

    let frontend = EchoFrontend(catalogue, Array(AnyIterator { readLine() }))
    _ = frontend.run(context.port(named: frontend.name))
    for text in frontend.screen { print(text, terminator: text.hasSuffix("\n") ? "" : "\n") }
  }
}
