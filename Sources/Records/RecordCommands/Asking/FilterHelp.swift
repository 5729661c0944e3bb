import JSONText
import EventCommands
import EventRecords

/// The page of help on filters: what can be asked for of the records of a kind, by examples that can be typed.
struct FilterHelp {
  static let topic = "filters"

  private let vocabulary: FilterVocabulary
  /// The commands that take a filter.
  private let commands: [String]
  /// The conditions of the declaration, with what they find.
  private let conditions: [(String, String)]

  init<R: CommandRecord>(_ record: R.Type) {
    vocabulary = R.filterVocabulary
    commands = [.list, .count, .edit, .delete].compactMap { R.commands.verb(of: $0) }
    var conditions: [(String, String)] = []
    for condition in R.commands.conditions where condition.test == .meets {
      conditions.append((condition.name, condition.summary))
    }
    self.conditions = conditions
  }

  /// The examples of each heading, with what they find.
  var groups: [(heading: String, rows: [(String, String)])] {
    var texts: [(String, String)] = []
    var fields: [(String, String)] = []
    if vocabulary.fields.contains(where: { $0.traits.contains(.searched) }) {
      texts.append(("milk, 'buy milk'", "what has this in a text that is searched"))
    }
    for field in vocabulary.fields {
      let name = field.askedName
      let none = field.mayLack ? ", \(name):none" : ""
      let what = field.hasSummary ? "\(field.summary)" : "\(field.nameOnPage) then"
      if field.traits.contains(.searched) {
        texts.append(("\(name):milk", "what has it in that text"))
      } else if field.offset == vocabulary.labels?.offset {
        fields.append(("+home, -home\(none)", "with that name, without it, without any"))
      } else if field.isTime {
        let days = field.hasSummary ? "\(name):today, \(name):..fri" : "\(name):-7d.., \(name):mon"
        fields.append((days + none, what))
      } else if let last = field.type._ranks.last {
        fields.append(("\(name):\(last.name), \(name):\(last.name)..\(none)", what))
      } else if field.isText {
        fields.append(("\(name):work\(none)", what))
      }
    }
    texts.append(("text:or", "a text, whatever it looks like"))
    var named = conditions.map { ("is:\($0.0.inWords.hyphenated)", $0.1) }
    for name in vocabulary.conditionNames.dropFirst(named.count) {
      named.append(("is:\(name)", "\(name.inWords.beginningUpper) ones"))
    }
    let numbers = [("#12, id:12, 1-3, 1,4", "these, by their numbers")]
    let views = vocabulary.views().map { ("@\($0.name)", $0.filter) }
    return [
      ("Texts", texts), ("Fields", fields), ("Conditions", named), ("Numbers", numbers),
      ("Views", views),
    ]
    .filter { !$0.1.isEmpty }.map { (heading: $0.0, rows: $0.1) }
  }

  static let rules = [
    "Terms side by side all have to be met; 'or' joins them, 'not' or '-' before one",
    "leaves out what meets it, parentheses group them: '(+mail or +call) -due:none'.",
    "A comma in a value means any of its parts. --where takes a filter in one text.",
  ]

  func show(on page: inout Page) {
    page.write(
      "What finds \(vocabulary.several), after \(commands.map { "'\($0)'" }.joined(by: ", "))."
    )
    page.endLine()
    for (heading, rows) in groups {
      page.endLine()
      page.write(heading, .prominent)
      page.endLine()
      page.columns(rows, width: 30)
    }
    page.endLine()
    for line in Self.rules {
      page.write(line)
      page.endLine()
    }
  }
}
