import EventMVVM
package import EventValues
import JSONText

/// A spec, compiled when it is first used: the grammar and, separate from it, the setters.
///
/// Only the setters depend on the request's type. The code that reads words does not, and so is
/// compiled once, without lookups for each type: a line is read in half the instructions.
@usableFromInline
final class CommandTable<Root: Sendable>: Sendable {
  @usableFromInline let grammar: Grammar
  @usableFromInline let wordSetters: [WordSetter<Root>]
  @usableFromInline let typed: TypedChange<Root>?
  @usableFromInline let isSaidByWords: (@Sendable (Root) -> Bool)?
  private let fields: [CommandField<Root>]

  init(_ spec: CommandSpec<Root>) {
    let fields = spec.fields
    let rows = fields.indices.map { index in
      let field = fields[index]
      return Grammar.Row(
        name: Lazily { field.name ?? field.property ?? Self.name(of: field.keyPath()) },
        flag: field.flag,
        kind: field.kind,
        summary: field.summary,
        placeholder: field.placeholder,
        type: field.type,
        shape: field.shape,
        takesHyphens: field.takesHyphens,
        takesApart: field.takeText != nil,
        replacesPrevious: field.replacesPrevious,
        firstRow: Lazily {
          // Not of a slice: its type would make the runtime search all conformances.
          for other in 0..<index where fields[other].isOfProperty(of: field) { return other }
          return index
        }
      )
    }
    let indices = { @Sendable (path: any AnyKeyPath & Sendable) in
      fields.indices.filter { fields[$0].keyPath() == path }
    }
    grammar = Grammar(
      verb: spec.name,
      example: spec.examples.first,
      rows: rows,
      exclusions: Lazily {
        [exclusions = spec.exclusions, named = spec.namedExclusions] in
        exclusions.map { $0().map(indices) } + named().map { $0.map { Self.rows($0, fields) } }
      },
      needed: Lazily {
        [name = spec.exceptedName, excepted = spec.exceptedOption, needsOption = spec.needsOption]
        in
        guard needsOption else { return nil }
        let excepted = excepted.map { indices($0()) } ?? []
        return rows.indices.filter { index in
          let row = rows[index]
          // Changes in words, `-home` among them, say as much as options.
          return row.kind == .option && !row.replacesPrevious && !excepted.contains(index)
            && (name == nil || fields[index].name != name)
            || row.kind == .word && row.takesHyphens && !row.isNeeded
        }
      }
    )
    typed = spec.typed
    isSaidByWords = spec.isSaidByWords
    // Not by a key path, which generic code makes anew for each type.
    var setters: [WordSetter<Root>] = []
    for field in fields { setters.append(field.takeWord) }
    wordSetters = setters
    self.fields = fields
  }

  /// Sets the property of a text, and what some of its words set besides.
  @usableFromInline
  func take(_ text: GivenText, _ request: inout Root) throws(ValueError) {
    guard let take = fields[text.row].takeText else {
      return try wordSetters[text.row](&request, text.joined)
    }
    try take(&request, text)
  }

  /// How many properties are listed.
  var propertyCount: Int {
    // Of a property with several parts the key paths are compared.
    fields.contains { $0.name != nil }
      ? Set(fields.map { $0.keyPath() as AnyKeyPath }).count
      : fields.indices.count { grammar.rows[$0].firstRow == $0 }
  }
  /// The names of the listed properties.
  var properties: [String] { fields.map { $0.property ?? Self.name(of: $0.keyPath()) } }

  /// Returns the rows of an option, by its name.
  private static func rows(_ name: String, _ fields: [CommandField<Root>]) -> [Int] {
    fields.indices.filter { (fields[$0].name ?? fields[$0].property) == name }
  }

  /// Returns the setter of a field for a JSON value; a field and its row have one index.
  func jsonSetter(_ index: Int) -> JSONSetter<Root> { fields[index].takeJSON }

  /// Returns the property's own name: the last component of its key path's description.
  ///
  /// To create the description, the runtime searches all conformances of the program, again for
  /// each key path: a quarter of a million instructions. A field with an explicit flag avoids the
  /// search.
  static func name(of keyPath: AnyKeyPath) -> String {
    let description = keyPath.debugDescription
    let dot = description.utf8.lastIndex(of: UInt8(ascii: "."))
    return dot.map { String(description[description.index(after: $0)...]) } ?? description
  }
}

extension CommandSpec {
  /// Returns the stored properties of the request that the spec does not list, and that are not
  /// ``unlisted(_:)``; tests expect none.
  public func forgotten(in request: Root) -> [String] {
    let known = Set(table.properties + unlisted.map { CommandTable<Root>.name(of: $0()) })
    return Mirror(reflecting: request).children.compactMap(\.label)
      .filter { !known.contains($0) }
  }
}

extension Command {
  /// The missing properties of the command's spec, in words, by their number alone: finding their
  /// names takes too long for each start of a process.
  static var forgottenProperties: [String] {
    let request = Self()
    let known = command.table.propertyCount + command.unlisted.count
    guard Mirror(reflecting: request).children.count != known else { return [] }
    return command.forgotten(in: request)
      .map {
        "\(name) lists no '\($0)': add a line for it to its command, or .unlisted(\\.\($0))"
      }
  }
}
