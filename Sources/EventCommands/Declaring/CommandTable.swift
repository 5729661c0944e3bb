import JSONText

/// A spec, compiled when it is first used: the grammar and, separate from it, the setters.
///
/// Only the setters depend on the request's type. The code that reads words does not, and so is
/// compiled once, without lookups for each type: a line is read in half the instructions.
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

  /// The names of the listed properties.
  var properties: [String] { fields.map { Self.name(of: $0.keyPath) } }

  /// Returns the setter of a row's property for a JSON value.
  func jsonSetter(_ row: Int) -> JSONSetter<Root> { fields[row].takeJSON }

  /// Returns the property's own name: the last component of its key path's description.
  ///
  /// To make the description, the runtime searches all conformances of the program, again for each
  /// key path: a quarter of a million instructions. A line with an explicit flag avoids the search.
  private static func name(of keyPath: AnyKeyPath) -> String {
    let description = keyPath.debugDescription
    let dot = description.utf8.lastIndex(of: UInt8(ascii: "."))
    return dot.map { String(description[description.index(after: $0)...]) } ?? description
  }
}

extension CommandSpec {
  /// Returns the stored properties of the request that the spec does not list; tests expect none.
  public func forgotten(in request: Root) -> [String] {
    let listed = Set(table.properties)
    return Mirror(reflecting: request).children.compactMap(\.label)
      .filter { !listed.contains($0) }
  }
}
