import EventApp
import LineServer
import TodoApp

/// The todo manager with a frontend of another package.
@main
struct Main {
  static func main() {
    var application = Application(Todos())
    application.frontends.append(LineServer())
    application.main()
  }
}
