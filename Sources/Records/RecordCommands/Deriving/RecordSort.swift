import EventMVVM
import EventRecords
public import EventValues
import JSONText

/// An order as people write it: the name of a field, or `-` and the name for the reverse; or several, of which each sorts
/// what is equal in those before it: `due,-priority`.
///
/// Absent values come last. Of records that are equal in it the one with the smaller number comes first, or last where the
/// order is reversed.
public struct RecordSort<R: CommandRecord>: CommandValue, Codable {
  /// The name of the field, or of an order of the declaration.
  public let field: String
  /// Whether the greatest value comes first, or the order of the declaration is reversed.
  public let isDescending: Bool
  /// The orders of what is equal in it.
  public let others: [RecordSort]

  private enum CodingKeys: CodingKey { case field, isDescending, others }

  /// Creates an order.
  ///
  /// - Parameters:
  ///   - field: The name of the field, or of an order of the declaration.
  ///   - isDescending: Whether the greatest value comes first, or the order of the declaration is reversed.
  ///   - others: The orders of what is equal in it.
  public init(_ field: String, isDescending: Bool = false, then others: [RecordSort] = []) {
    (self.field, self.isDescending, self.others) = (field, isDescending, others)
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    field = try values.decode(String.self, forKey: .field)
    isDescending = try values.decode(Bool.self, forKey: .isDescending)
    others = try values.decodeIfPresent([RecordSort].self, forKey: .others) ?? []
  }

  /// Writes the order, and the others if there are any.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(field, forKey: .field)
    try values.encode(isDescending, forKey: .isDescending)
    if !others.isEmpty { try values.encode(others, forKey: .others) }
  }

  /// The names of the orders of the declaration, and of the fields by which records are sorted.
  private static var names: [String] {
    let orders = R.commands.orders.map(\.name)
    return orders + fields.filter { !orders.containsText($0) }
  }

  private static var fields: [String] {
    let title = R.titleField?.offset
    return R._table.fields
      .filter { field in
        guard !field.isList, !field.isReference, !field.traits.contains(.hidden),
          field.type._parts.isEmpty
        else { return false }
        guard !field.traits.contains(.searched) else { return field.offset == title }
        // Where there are orders, they say by which of its own times a record is sorted.
        return field.hasSummary || field.isTime && R.commands.orders.isEmpty
      }
      .map { "\($0.name)" }
  }

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    guard word.utf8.count <= 256, word.utf8.contains(UInt8(ascii: ",")) else {
      self = try Self(one: word)
      return
    }
    var orders: [RecordSort] = []
    for part in word.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      orders.append(try Self(one: String(Substring(part))))
    }
    self.init(
      orders[0].field,
      isDescending: orders[0].isDescending,
      then: Array(orders.dropFirst())
    )
  }

  private init(one word: String) throws(ValueError) {
    let isDescending = word.starts(withText: "-")
    let name = String(Substring(word.utf8.dropFirst(isDescending ? 1 : 0)))
    let names = Self.names
    guard word.utf8.count <= 256, names.contains(where: { $0.isIdentical(to: name) }) else {
      throw ValueError(
        "'\(word.quotable)' is not one of \(names.joined(separator: ", ")), or one of them with '-' before it"
      )
    }
    self.init(name, isDescending: isDescending)
  }

  /// Each order of the declaration on a line of its own, and then the fields.
  private static var explanation: [String] {
    let orders = R.commands.orders
    let fields = names.dropFirst(orders.count)
    var lines = orders.map { "\($0.name): \($0.summary)." }
    if !fields.isEmpty { lines.append(fields.joined(separator: ", ") + ": by its value.") }
    return lines + [
      "With '-' before it the other way round; what has no value comes last.",
      "Several with commas between them: each sorts what is equal in those before it.",
    ]
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    let choices = names + names.map { "-" + $0 }
    return ValueShape(
      "FIELD",
      choices: choices,
      explanation: explanation,
      schema: [
        "anyOf": [
          ["type": "string", "enum": .array(choices.map { .string($0) })],
          ["type": "string", "description": "several of them, with commas between them"],
        ]
      ]
    )
  }

  /// Returns the query with this order.
  ///
  /// - Throws: A failure where a recording sorts by a field that there is no more.
  func sort(_ query: Query<R>) throws(Failure) -> Query<R> {
    guard !others.isEmpty else { return try sortAlone(query) }
    var query = query
    for order in [self] + others.dropLast() {
      // Of an order of the declaration the first field: the others sort what is equal in it.
      query = query.sorted(likeFirstOf: try order.sortAlone(Query()))
    }
    return try others[others.count - 1].sortAlone(query)
  }

  private func sortAlone(_ query: Query<R>) throws(Failure) -> Query<R> {
    for order in R.commands.orders where order.name.isIdentical(to: field) {
      return order.sort(query, isDescending)
    }
    guard R._table.index(of: field) != nil else {
      throw Failure(.usage, "There is no field '\(field.quotable)' to sort by.", field: "sort")
    }
    return query.sorted(byField: field, descending: isDescending)
  }
}

extension RecordSort: GrowingValue {}

/// An order of the domain's own.
struct NamedOrder<R: Record>: Sendable {
  let name: String
  let summary: String
  let sort: @Sendable (Query<R>, _ isReversed: Bool) -> Query<R>
}
