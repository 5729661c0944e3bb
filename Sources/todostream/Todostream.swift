import EventApp

/// The todo manager: the faces that all applications have, round the todos.
@main
enum Todostream {
  static func main() {
    Application(Todos()).main()
  }
}
