#if os(Linux)
  import Foundation
  import ProcessTesting
  import Testing

  /// A line editor on a terminal of its own, in a folder of its own.
  final class LineSession {
    let terminal: Terminal
    let place: Workplace
    private let control: NamedPipe
    let program: String
    let environment: [String: String]

    /// Starts the editor, and waits for its prompt.
    ///
    /// - Parameters:
    ///   - columns: The columns of the terminal.
    ///   - rows: Its rows.
    ///   - colour: Whether it shows colours and hints.
    ///   - place: The folder, if another editor uses it, too.
    ///   - variables: What it finds in its environment besides.
    ///   - shell: Whether a shell is started instead, which can start it.
    /// - Throws: What went wrong with the terminal or the folder.
    init(
      columns: Int = 40,
      rows: Int = 12,
      colour: Bool = false,
      place: Workplace? = nil,
      _ variables: [String: String] = [:],
      shell: Bool = false
    ) throws {
      let place = try place ?? Workplace(for: "LineEditorDriver")
      self.place = place
      let name = "control-\(UUID().uuidString)"
      control = try NamedPipe(name, in: place)
      program = try Workplace.binaries(with: "LineEditorDriver")
        .appending(path: "LineEditorDriver").path
      var environment = place.environment.merging(variables) { $1 }
      environment["CONTROL"] = place.folder.appending(path: name).path
      environment["HISTORY"] = environment["HISTORY"] ?? "\(place.folder.path)/history"
      environment["SWIFT_BACKTRACE"] = "enable=no"
      if colour { environment["COLOR"] = "1" }
      if shell { environment["PS1"] = "$ " }
      self.environment = environment
      terminal = try Terminal(columns: columns, rows: rows)
      try terminal.start(shell ? ["/bin/sh", "-i"] : [program], environment: environment)
      if shell {
        try terminal.wait(for: ["$"], cursor: 0, 2)
      } else {
        try terminal.wait { $0.lines.last?.hasPrefix("todo>") == true }
      }
    }

    /// Has another thread of the editor's do something.
    func tell(_ command: String) throws {
      try control.write(command)
    }

    /// Leaves it, and expects that it leaves the terminal as it was.
    func end(_ location: SourceLocation = #_sourceLocation) {
      terminal.type("\u{4}")
      #expect(terminal.outcome() == 0, sourceLocation: location)
      expectRestored(location)
    }

    /// Expects the terminal to be as a shell wants it.
    func expectRestored(_ location: SourceLocation = #_sourceLocation) {
      #expect(terminal.isCooked, sourceLocation: location)
      #expect(!terminal.screen.marksPaste, sourceLocation: location)
      #expect(terminal.screen.unknown == [], sourceLocation: location)
    }

    /// Writes `.editrc`.
    static func placeWithKeys(_ lines: String) throws -> Workplace {
      let place = try Workplace(for: "LineEditorDriver")
      try lines.write(
        to: place.folder.appending(path: "home/.editrc"),
        atomically: true,
        encoding: .utf8
      )
      return place
    }
  }

  /// Keys as a terminal sends them.
  enum Key {
    static let enter = "\r"
    static let up = "\u{1B}[A"
    static let down = "\u{1B}[B"
    static let right = "\u{1B}[C"
    static let left = "\u{1B}[D"
    static let home = "\u{1B}[H"
    static let end = "\u{1B}[F"
    static let delete = "\u{1B}[3~"
    static let backspace = "\u{7F}"
    static let escape = "\u{1B}"

    static func control(_ letter: Character) -> String {
      String(UnicodeScalar((letter.asciiValue ?? 0) & 0x1F))
    }

    static func pasted(_ text: String) -> String {
      "\u{1B}[200~" + text + "\u{1B}[201~"
    }
  }
#endif
