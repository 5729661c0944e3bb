import EventValues
public import JSONText

extension CommandSpec {
  /// Reads JSON parameters by name into a request.
  ///
  /// - Parameters:
  ///   - parameters: An object; null counts as an empty one.
  ///   - request: The request whose properties are set.
  /// - Throws: A usage error with the path of the parameter, as a JSON pointer (RFC 6901).
  public func read(_ parameters: JSON, into request: inout Root) throws(CommandError) {
    let table = table
    let grammar = table.grammar
    // Arrays, as they are short: creating a set takes longer than searching an array.
    var given: [Int] = []
    var switchedOff: [Int] = []
    let members: [JSON.Member] =
      switch parameters {
      case .null: []
      case .object(let members): members
      case .array(let items) where items.isEmpty: []
      default: throw CommandError("expected an object, found \(parameters.kind)", path: "")
      }
    for member in members {
      guard let index = grammar.parameter(member.name) else { throw unknown(member.name) }
      let row = grammar.rows[index]
      if given.contains(index) {
        throw CommandError(
          "\(member.name) is given twice",
          field: row.name,
          path: pointer(member.name)
        )
      }
      given.append(index)
      do {
        try table.jsonSetter(index)(&request, member.value, member.name)
      } catch {
        let path = pointer(member.name) + error.path
        throw CommandError("\(path): \(error.message)", field: row.name, path: path)
      }
      if row.arity == .flag, member.value == .bool(false) { switchedOff.append(index) }
    }
    if !switchedOff.isEmpty { given.removeAll(where: switchedOff.contains) }
    try checkRules(given, grammar)
  }

  private func checkRules(_ given: [Int], _ grammar: Grammar) throws(CommandError) {
    if let row = grammar.missingWord(given.contains) {
      throw CommandError("\(name) needs \(row.name)", field: row.name, path: pointer(row.name))
    }
    for properties in grammar.exclusions {
      let names = properties.compactMap { $0.first(where: given.contains) }
        .map { grammar.rows[$0].name }
      guard names.count > 1 else { continue }
      throw CommandError(
        "\(names[0]) and \(names[1]) exclude each other",
        field: names[1],
        path: pointer(names[1])
      )
    }
    guard let needed = grammar.needed, !needed.contains(where: given.contains) else { return }
    throw CommandError("\(name) needs \(grammar.needed(\.name))", path: "")
  }

  private func unknown(_ parameter: String) -> CommandError {
    let hint =
      closest(to: parameter, among: Array(grammar.parameters.keys))
      .map { "; did you mean '\($0)'?" } ?? ""
    return CommandError(
      "\(name) has no parameter '\(parameter.quotable)'\(hint)",
      path: pointer(parameter)
    )
  }

  /// Returns a JSON pointer to a member (RFC 6901 §3).
  private func pointer(_ member: String) -> String {
    var text = "/"
    // By scalar: a combining mark would hide the character before it.
    for scalar in member.unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The JSON schema of the parameters (JSON Schema 2020-12).
  public var schema: JSON {
    var properties: [JSON.Member] = []
    for (index, row) in grammar.rows.enumerated() where row.firstRow == index {
      let one = row.shape.schema
      let several: JSON = ["type": "array", "items": one, "minItems": 1]
      for name in row.type.jsonNames(for: row.name) {
        // Another name, such as `ids`, takes an array.
        let schema = name == row.name ? one : several
        properties.append(JSON.Member(name, Self.described(schema, row.summary)))
      }
    }
    let required = grammar.rows.filter { $0.kind == .word && $0.arity == .one }
    var members: [JSON.Member] = [
      .init("type", "object"), .init("properties", .object(properties)),
    ]
    if !required.isEmpty {
      members.append(.init("required", .array(required.map { .string($0.name) })))
    }
    members.append(.init("additionalProperties", false))
    return .object(members)
  }

  /// Returns a schema with a summary as its description, unless it has one of its own.
  private static func described(_ schema: JSON, _ summary: String) -> JSON {
    guard case .object(let members) = schema, schema["description"] == nil else { return schema }
    return .object(members + [.init("description", .string(summary))])
  }
}
