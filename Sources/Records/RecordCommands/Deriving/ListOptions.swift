import EventCommands
import EventMVVM
import EventRecords
public import EventValues
public import JSONText

// How a list is laid out: which fields it shows of each record, and how it is divided.

/// The fields that a list shows of each record, with commas between their names: `due,project`.
public struct ShownFields<R: CommandRecord>: CommandValue, Codable {
  /// The names of the fields, in the order in which they are shown.
  public let names: [String]

  /// Reads the names.
  public init(word: String) throws(ValueError) {
    var names: [String] = []
    for part in word.betweenCommas {
      let name = "\(try R.visibleField(part, among: R.visibleFields).name)"
      if !names.containsText(name) { names.append(name) }
    }
    self.names = names
  }

  /// Reads the names from a text, or an array of them.
  public init(json: JSON) throws(ValueError) {
    guard case .array(let items) = json else {
      guard case .string(let word) = json else {
        throw ValueError("expected a string or an array, found \(json.kind)")
      }
      self = try Self(word: word)
      return
    }
    var words: [String] = []
    for case .string(let word) in items { words.append(word) }
    guard words.count == items.count, !words.isEmpty else {
      throw ValueError("expected the names of fields")
    }
    self = try Self(word: words.joined(by: ","))
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    let names = R.visibleFields.map(\.askedName)
    return ValueShape(
      "FIELDS",
      choices: names,
      explanation: ["\(names.joined(separator: ", ")); several with commas between them."],
      schema: [
        "anyOf": [
          ["type": "string"],
          ["type": "array", "items": ["enum": .array(names.map { .string($0) })]],
        ]
      ]
    )
  }
}

/// The field by whose values a list is divided.
public struct Grouping<R: CommandRecord>: CommandValue, Codable {
  /// The name of the field.
  public let name: String

  /// Reads the name.
  public init(word: String) throws(ValueError) {
    name = "\(try R.visibleField(word, among: Self.fields, "nothing is grouped by").name)"
  }

  /// The fields that have one value in each record, which several can have.
  static var fields: [Field] {
    let title = R.titleField?.offset
    return R.visibleFields.filter { field in
      !field.isList && field.offset != title && !field.traits.contains(.searched)
        && !field.traits.contains(.unique) && field.type._parts.isEmpty
    }
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    let names = fields.map(\.askedName)
    return ValueShape("GROUP", choices: names, explanation: ["\(names.joined(separator: ", "))."])
  }

  var field: Field? { R.fields(named: [name]).first }

  /// Returns the query with the records of one value beside each other, in the order of the declaration if it has one of
  /// that name.
  ///
  /// - Throws: A failure where a recording divides by a field that there is no more.
  func sort(_ query: Query<R>) throws(Failure) -> Query<R> {
    guard field != nil else {
      throw Failure(.usage, "There is no field '\(name.quotable)' to divide by.", field: "group")
    }
    let names = R.fields(named: [name]).map(\.askedName) + [name]
    for order in R.commands.orders where names.containsText(order.name) {
      let sorted = order.sort(Query(), false)
      guard sorted.stored.order.first?.field == name else { break }
      return query.sorted(likeFirstOf: sorted)
    }
    return query.sorted(byField: name, descending: false)
  }
}

extension CommandRecord {
  /// The fields that a person sees.
  fileprivate static var visibleFields: [Field] {
    let identity = _table.identity.map { _table.fields[$0].offset }
    return _table.fields.filter { field in
      field.offset != identity && field.traits.isDisjoint(with: [.hidden, .marksDeletion])
        && field.type != ManualPlace?.self
    }
  }

  /// Returns the field that a word names.
  fileprivate static func visibleField(
    _ word: String,
    among fields: [Field],
    _ problem: String = "no field"
  ) throws(ValueError) -> Field {
    let name = word.lowercased()
    for field in fields where field.isNamed(name) { return field }
    let names = fields.map(\.askedName)
    let hint = closest(to: name, among: names).map { "did you mean '\($0)'?" }
    throw ValueError(
      "\(problem) '\(word.quotable)'; \(hint ?? "there are " + names.joined(by: ", "))"
    )
  }

  /// Returns the fields with names.
  static func fields(named names: [String]) -> [Field] {
    var fields: [Field] = []
    for name in names {
      if let index = _table.index(of: name) { fields.append(_table.fields[index]) }
    }
    return fields
  }
}

extension ListedRecords {
  /// Writes the heading of each group before its records: `project:Acme`.
  ///
  /// - Parameters:
  ///   - field: The field by whose values they are sorted.
  ///   - page: The page.
  ///   - line: Writes the line of a record.
  func show(by field: Field, on page: inout Page, _ line: (Int, inout Page) -> Void) {
    var last: String?
    for index in records.indices {
      let heading = records[index].heading(of: field, page.clock)
      if last != heading {
        if last != nil { page.endLine() }
        page.write(user: heading, .prominent)
        page.endLine()
        last = heading
      }
      line(index, &page)
    }
  }
}
