/// What a session tells of the program, and what it answers.
package struct SessionOptions: Sendable {
  /// The program's name.
  package var program: String
  /// Its version.
  package var version: String
  /// Whether what a command would ask is answered with yes.
  package var saysYes = false
  /// The client's process: the session ends with it.
  package var clientProcess: Int?

  /// Nothing is answered, and nobody is watched.
  package init(program: String, version: String) {
    self.program = program
    self.version = version
  }
}
