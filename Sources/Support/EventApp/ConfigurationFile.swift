import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation
import JSONText
import Platform

/// The user's configuration file: the address of the store in `[store]`, how dates are written in `[dates]`,
/// and the options of plugins and frontends in tables of their names: `[plugins.observers]`,
/// `[frontends.sockets]`.
struct ConfigurationFile {
  /// The name of the file in the user's configuration folder.
  static let name = "config.toml"
  private static let mostBytes = 1_048_576

  /// An option in a table.
  struct Option {
    /// Its name, without the hyphens.
    let name: String
    /// The equivalent words of a command line; none for a flag that is off.
    let words: [Word]
    fileprivate let offset: Int
  }

  /// The address of the store, with its position in the file.
  struct Address {
    let text: String
    /// The file, the line and the column.
    let place: String
  }

  private static let storeKey = ["store", "address"]
  private static let datesTable = "dates"
  private static let viewsTable = "views"
  private static let contextsTable = "contexts"
  private static let aliasesTable = "aliases"

  private let path: String
  private let source: SourceText
  private let entries: [TOMLText.Entry]
  /// The unknown entries, a sentence each.
  private(set) var warnings: [String] = []

  /// Reads a file; nil if there is none.
  ///
  /// - Throws: An error with the position of what can't be read.
  init?(_ path: String) throws(CommandError) {
    guard access(path, F_OK) == 0 else { return nil }
    self.path = path
    // The file can start programs, and no command names it.
    if let doubt = Trust.doubt(aboutFile: path) {
      warnings = ["'\(path)' is not read: \(doubt)"]
      (source, entries) = (SourceText(name: path, bytes: []), [])
      return
    }
    guard let bytes = try? OrdinaryFile.read(path, atMost: Self.mostBytes) else {
      throw CommandError("'\(path)' can't be read")
    }
    source = SourceText(name: path, bytes: bytes)
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw CommandError("'\(path)' is not valid UTF-8")
    }
    do {
      entries = try TOMLText.entries(of: bytes)
    } catch {
      throw CommandError("\(Self.place(error.offset ?? 0, source)): \(error.message)")
    }
  }

  /// Returns the address of the store; nil if the file has none.
  ///
  /// - Parameter forms: The forms of an address, for a person.
  /// - Returns: The address.
  /// - Throws: An error with the position of a value that is no text.
  func store(_ forms: String) throws(CommandError) -> Address? {
    guard let entry = entries.first(where: { $0.path == Self.storeKey }) else { return nil }
    let place = Self.place(entry.offset, source)
    guard case .text(let text) = entry.value else {
      throw CommandError("\(place): 'address' needs a text: \(forms)")
    }
    return Address(text: text, place: place)
  }

  /// Returns how dates are written.
  ///
  /// - Throws: An error with the position of a value that is none of those possible.
  func dates() throws(CommandError) -> DateRules {
    var rules = DateRules()
    for entry in entries where entry.path.first == Self.datesTable {
      let place = Self.place(entry.offset, source)
      guard case .text(let text) = entry.value else {
        throw CommandError("\(place): '\(entry.path.joined(separator: "."))' needs a text")
      }
      switch entry.path.dropFirst().first {
      case "order":
        guard let order = DateRules.Order(rawValue: text) else {
          throw CommandError("\(place): 'order' is day-month or month-day")
        }
        rules.order = order
      case "week":
        guard let day = Weekday.allCases.first(where: { $0.word.isIdentical(to: text) }) else {
          throw CommandError("\(place): 'week' is the day that begins it, such as monday or sunday")
        }
        rules.firstWeekday = day
      default: throw CommandError("\(place): [dates] has 'order' and 'week'")
      }
    }
    return rules
  }

  /// A filter with a name.
  struct View {
    let view: NamedFilter
    /// The kind of the records that it finds; nil for the first one.
    let kind: String?
    /// The file, the line and the column.
    let place: String
  }

  /// Returns the filters with names.
  ///
  /// - Throws: An error with the position of a value that is no text.
  func views() throws(CommandError) -> [View] { try filters(in: Self.viewsTable) }

  /// Returns the contexts, which are filters with names, too.
  ///
  /// - Throws: An error with the position of a value that is no text.
  func contexts() throws(CommandError) -> [View] { try filters(in: Self.contextsTable) }

  private func filters(in table: String) throws(CommandError) -> [View] {
    var views: [View] = []
    for entry in entries where entry.path.first == table {
      let place = Self.place(entry.offset, source)
      guard case .text(let filter) = entry.value, (2...3).contains(entry.path.count) else {
        throw CommandError(
          "\(place): [\(table)] has names with a filter in one text: today = \"due:today\""
        )
      }
      let kind = entry.path.count == 3 ? entry.path[1] : nil
      let view = NamedFilter(entry.path[entry.path.count - 1], filter)
      views.append(View(view: view, kind: kind, place: place))
    }
    return views
  }

  /// A word that stands for others.
  struct Alias {
    let shorthand: Shorthand
    /// The file, the line and the column.
    let place: String
  }

  /// Returns the words that stand for others.
  ///
  /// - Throws: An error with the position of what can't be read.
  func aliases() throws(CommandError) -> [Alias] {
    var aliases: [Alias] = []
    for entry in entries where entry.path.first == Self.aliasesTable {
      let place = Self.place(entry.offset, source)
      guard case .text(let line) = entry.value, entry.path.count == 2 else {
        throw CommandError("\(place): an alias needs a line in a text: t = \"list due:today\"")
      }
      let (lines, errors) = Tokenizer.lines(
        SourceText(name: entry.path[1], bytes: Array(line.utf8))
      )
      guard errors.isEmpty, lines.count == 1 else {
        let problem = errors.first?.message ?? "it is one command"
        throw CommandError("\(place): the alias '\(entry.path[1].quotable)': \(problem)")
      }
      aliases.append(
        Alias(shorthand: Shorthand(entry.path[1], for: lines[0].words, ""), place: place)
      )
    }
    return aliases
  }

  /// Returns the options in a table, in order.
  func options(of owner: String, _ table: Table) -> [Option] {
    entries.filter { $0.path.count == 3 && $0.path[0] == table.rawValue && $0.path[1] == owner }
      .map {
        Option(name: $0.path[2], words: $0.value.words("--\($0.path[2])"), offset: $0.offset)
      }
  }

  /// The groups of tables.
  enum Table: String, CaseIterable {
    case plugins, frontends
  }

  /// Warns about entries outside the tables of these owners.
  ///
  /// - Parameter owners: The names of all plugins and frontends, whether on or off.
  mutating func warn(unless owners: [Table: [String]]) {
    var known: Set<[String]> = []
    for entry in entries
    where entry.path != Self.storeKey && entry.path.first != Self.datesTable
      && entry.path.first != Self.viewsTable && entry.path.first != Self.aliasesTable
      && entry.path.first != Self.contextsTable
    {
      let table = entry.path.count == 3 ? Table(rawValue: entry.path[0]) : nil
      guard let table, let names = owners[table] else {
        let name = entry.path.joined(separator: ".")
        let key = Self.storeKey.joined(separator: ".")
        let hint = closest(to: name, among: [key]).map { "; did you mean '\($0)'?" } ?? ""
        warn("'\(name.quotable)' is unknown\(hint)", at: entry.offset)
        continue
      }
      let name = entry.path[1]
      guard !names.contains(name), known.insert([table.rawValue, name]).inserted else { continue }
      let hint = closest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
      warn("there is no \(table.one) '\(name.quotable)'\(hint)", at: entry.offset)
    }
  }

  /// Warns about an option.
  mutating func warn(_ problem: String, at option: Option) { warn(problem, at: option.offset) }

  private mutating func warn(_ problem: String, at offset: Int) {
    warnings.append("\(Self.place(offset, source)): \(problem)")
  }

  /// Returns an error with the position of an option.
  func error(_ error: CommandError, at option: Option) -> CommandError {
    CommandError("\(Self.place(option.offset, source)): \(error.message)")
  }

  /// Returns an error of several options.
  func error(_ error: CommandError) -> CommandError { CommandError("\(path): \(error.message)") }

  private static func place(_ offset: Int, _ source: SourceText) -> String {
    let position = source.position(atByte: offset)
    return "\(source.name):\(position.line):\(position.column)"
  }
}

extension ConfigurationFile.Table {
  fileprivate var one: String { String(rawValue.dropLast()) }
}

extension TOMLText.Value {
  /// Returns the words of a command line by which an option has this value.
  fileprivate func words(_ flag: String) -> [Word] {
    switch self {
    case .flag(let isOn): isOn ? [Word(text: flag, offset: 0, isBare: true)] : []
    case .text(let text): [Word(text: "\(flag)=\(text)", offset: 0, isBare: true)]
    case .list(let items): items.flatMap { $0.words(flag) }
    }
  }
}
