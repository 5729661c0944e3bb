import JSONText

/// A spec, compiled when it is first used: what can be said, and apart from it how to set it.
///
/// Only the setters depend on the request's type. What reads words does not, and so is compiled
/// once, not looked up anew for each type: a line is read in half the instructions.
@usableFromInline
final class CommandTable<Root: Sendable>: Sendable {
  @usableFromInline let grammar: Grammar
  @usableFromInline let wordSetters: [WordSetter<Root>]
  private let fields: [CommandField<Root>]

  init(_ spec: CommandSpec<Root>) {
    var lines: [CommandField<Root>] = []
    for list in spec.fields { list(&lines) }
    let fields = lines
    let rows = fields.indices.map { index in
      let field = fields[index]
      return Grammar.Row(
        name: Lazily { field.name ?? Self.name(of: field.keyPath) },
        flag: field.flag,
        place: field.place,
        summary: field.summary,
        placeholder: field.placeholder,
        type: field.type,
        shape: field.shape,
        slot: fields.firstIndex { $0.isOfProperty(of: field) } ?? index
      )
    }
    func indices(of path: any AnyKeyPath & Sendable) -> [Int] {
      fields.indices.filter { fields[$0].keyPath == path }
    }
    let uncounted = spec.uncounted.map { indices(of: $0()) } ?? []
    grammar = Grammar(
      verb: spec.name,
      rows: rows,
      exclusions: spec.exclusions.map { $0().map(indices) },
      needed: spec.needsOption
        ? rows.indices.filter { rows[$0].place == .option && !uncounted.contains($0) } : nil
    )
    wordSetters = fields.map(\.takeWord)
    self.fields = fields
  }

  /// The names of the properties that are listed.
  var properties: [String] { fields.map { Self.name(of: $0.keyPath) } }

  /// How the property of a row takes a JSON value.
  func jsonSetter(_ row: Int) -> JSONSetter<Root> { fields[row].takeJSON }

  /// The property's own name, which is what the description of its key path ends in.
  ///
  /// To make it, the runtime searches all conformances of the program, for each key path anew: a
  /// quarter of a million instructions. So a line that gives its flag spares a process the search.
  private static func name(of keyPath: AnyKeyPath) -> String {
    let description = keyPath.debugDescription
    let dot = description.utf8.lastIndex(of: UInt8(ascii: "."))
    return dot.map { String(description[description.index(after: $0)...]) } ?? description
  }
}

extension CommandSpec {
  /// The stored properties of the request that the list does not name; a test expects none.
  public func forgotten(in request: Root) -> [String] {
    let listed = Set(table.properties)
    return Mirror(reflecting: request).children.compactMap(\.label)
      .filter { !listed.contains($0) }
  }
}
