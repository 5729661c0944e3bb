package import EventCommands
package import EventMVVM
package import EventPatterns

/// The frontend of a person at a terminal: it reads lines, sends requests, shows results, and the
/// changes of other sessions.
///
/// It depends on the catalogue and on no domain: announcements, states and candidates are declared
/// there. It runs on the main thread; the stream has its own.
package struct REPLFrontend: Frontend {
  package let name = "repl"
  private let catalogue: Catalogue
  private var options: REPLOptions
  private let editor: LineEditor

  /// Creates the frontend, and takes the terminal; nil where the terminal does not support it.
  ///
  /// - Parameters:
  ///   - catalogue: The commands.
  ///   - options: The display of results, and default answers.
  package init?(_ catalogue: Catalogue, _ options: REPLOptions) {
    var editing = LineEditor.Options(program: options.program)
    editing.hasColor = options.rendering.hasColor
    editing.history = LineHistory(path: options.historyPath)
    guard let editor = LineEditor(editing) else { return nil }
    self.editor = editor
    self.catalogue = catalogue
    self.options = options
    if editor.isPlain { self.options.rendering.hasColor = false }
  }

  package func run(_ port: ViewPort) -> ExitStatus {
    REPLSession(editor, catalogue, options, port).run()
  }
}

/// The display of results in a session, and its default answers.
package struct REPLOptions: Sendable {
  /// The program's name, for the prompt.
  package var program: String
  /// How results are shown.
  package var rendering = Rendering()
  /// Whether the questions of commands are answered with yes.
  package var saysYes = false
  /// The file of the history of entries; nil for memory alone.
  package var historyPath: String?
  /// The script that runs before the first prompt, if the file exists.
  package var startupPath: String?
  /// The screen to open at the beginning; nil for none.
  package var opening: RequestOpen?

  /// The defaults: text without colour.
  package init(program: String) {
    self.program = program
  }
}
