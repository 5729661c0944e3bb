import EventApp
import TodoApp

/// The todo manager.
@main
struct Main {
  static func main() { Application(Todos()).main() }
}
