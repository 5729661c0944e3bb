package import EventCommands
package import EventMVVM
package import EventPatterns

/// The frontend of a person at a terminal: it reads lines, sends requests, shows results, and what
/// others do meanwhile.
///
/// It knows the catalogue and no domain: announcements, states, and what can be completed are
/// declared there. It runs on the main thread; the stream has one of its own.
package struct REPLFrontend: Frontend {
  package let name = "repl"
  private let catalogue: Catalogue
  private let options: REPLOptions
  private let editor: LineEditor

  /// Prepares a session, and takes the terminal; fails where that is none that can show it.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - options: How to show results, and what to answer.
  package init?(_ catalogue: Catalogue, _ options: REPLOptions) {
    var editing = LineEditor.Options(program: options.program)
    editing.hasColor = options.rendering.hasColor
    editing.history = LineHistory(path: options.historyPath)
    guard let editor = LineEditor(editing) else { return nil }
    self.editor = editor
    self.catalogue = catalogue
    self.options = options
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    REPLSession(editor, catalogue, options, port).run()
  }
}

/// How a session shows results, and what it answers.
package struct REPLOptions: Sendable {
  /// The program's name, as the prompt shows it.
  package var program: String
  /// How results are shown.
  package var rendering = Rendering()
  /// Whether what a command would ask is answered with yes.
  package var saysYes = false
  /// The file that keeps what was entered; nil keeps it in memory.
  package var historyPath: String?
  /// The script that is run before the first prompt, if there is such a file.
  package var startupPath: String?
  /// The screen to open at first; nil for none.
  package var opening: RequestOpen?

  /// The defaults: text without colour.
  package init(program: String) {
    self.program = program
  }
}
