import EventMVVM
import EventValues
import JSONText

/// The commands as sections of a manual page, in the macros of man(7).
struct ManualPage {
  private(set) var lines: [String] = []
  /// The placeholders whose values were explained.
  private var explained: [String] = []

  init(_ catalogue: Catalogue) {
    lines.append(".SH COMMANDS")
    for section in catalogue.sections {
      for command in section.commands { command.write(to: &self) }
    }
    for screens in catalogue.screenSections {
      lines.append(".SS " + Self.escaped("\(screens.heading)"))
      for command in screens.section.commands { command.write(to: &self) }
    }
    lines.append(".SS Values")
    let commands = catalogue.commands + catalogue.screenCommands
    for command in commands { command.explainValues(to: &self) }
    lines.append(".SH DATES")
    lines.append("Case counts for nothing; blanks need quotes.")
    for (heading, words) in DateHelp.groups {
      lines += [".TP", Self.escaped(heading), words.map { Self.escaped($0) }.joined(by: ", ")]
    }
    lines.append(".PP")
    lines += DateHelp.rules.map(Self.escaped)
  }

  fileprivate mutating func add<Root>(_ spec: CommandSpec<Root>) {
    let words = spec.usage.dropFirst(spec.name.count)
    lines += [
      ".TP", ".B " + Self.escaped(spec.name) + #"\fR"# + Self.escaped(String(words)),
      Self.escaped(spec.summary),
    ]
    let rows = spec.grammar.headings
    if !rows.isEmpty {
      lines.append(".RS")
      for (heading, summary) in rows {
        lines += [".TP", Self.escaped(heading), Self.escaped(summary)]
      }
      lines.append(".RE")
    }
    guard !spec.examples.isEmpty else { return }
    lines += [".IP", "For example:", ".RS", ".IP", ".nf"]
    lines += spec.examples.map(Self.escaped)
    lines += [".fi", ".RE"]
  }

  fileprivate mutating func explain<Root>(_ spec: CommandSpec<Root>) {
    for row in spec.grammar.rows {
      let shape = row.shape
      guard row.placeholder == shape.placeholder, !shape.explanation.isEmpty,
        !explained.containsText(shape.placeholder)
      else { continue }
      explained.append(shape.placeholder)
      lines += [".TP", ".I " + Self.escaped(shape.placeholder)]
      lines += shape.explanation.map(Self.escaped)
    }
  }

  /// Returns a line of text whose hyphens can be copied, and that is no request of roff.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += #"\e"#
      case "-": escaped += #"\-"#
      case "'": escaped += #"\(aq"#
      case ".", "\n": escaped += escaped.isEmpty ? #"\&."# : String(character)
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

extension Command {
  fileprivate static func write(to page: inout ManualPage) { page.add(command) }
  fileprivate static func explainValues(to page: inout ManualPage) { page.explain(command) }
}
