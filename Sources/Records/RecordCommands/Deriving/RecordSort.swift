import EventMVVM
public import EventRecords
public import EventValues
import JSONText

/// An order as people write it: the name of a field, or `-` and the name for the reverse.
///
/// Absent values come last. Of records that are equal in it the one with the smaller number comes first, or last where the
/// order is reversed.
public struct RecordSort<R: Record>: CommandValue, Codable {
  /// The name of the field.
  public let field: String
  /// Whether the greatest value comes first.
  public let isDescending: Bool

  /// The names of the fields by which records are sorted.
  private static var names: [String] {
    let title = R.titleField?.offset
    return R._table.fields
      .filter { field in
        guard !field.isList, !field.traits.contains(.hidden) else { return false }
        guard !field.traits.contains(.searched) else { return field.offset == title }
        return field.hasSummary || field.isTime
      }
      .map { "\($0.name)" }
  }

  /// Reads it from a word.
  public init(word: String) throws(ValueError) {
    let isDescending = word.starts(withText: "-")
    let name = String(Substring(word.utf8.dropFirst(isDescending ? 1 : 0)))
    let names = Self.names
    guard word.utf8.count <= 256, names.contains(where: { $0.isIdentical(to: name) }) else {
      throw ValueError(
        "'\(word.quotable)' is not one of \(names.joined(separator: ", ")), or one of them with '-' before it"
      )
    }
    (field, self.isDescending) = (name, isDescending)
  }

  /// The shape of its values.
  public static var shape: ValueShape {
    let choices = names + names.map { "-" + $0 }
    return ValueShape(
      "FIELD",
      choices: choices,
      explanation: [
        names.joined(by: ", ") + "; with '-' before it the greatest or last one comes first.",
        "What has no value comes last.",
      ],
      schema: ["type": "string", "enum": .array(choices.map { .string($0) })]
    )
  }

  /// Returns the query with this order.
  ///
  /// - Throws: A failure where a recording sorts by a field that there is no more.
  func sort(_ query: Query<R>) throws(Failure) -> Query<R> {
    guard R._table.index(of: field) != nil else {
      throw Failure(.usage, "There is no field '\(field.quotable)' to sort by.", field: "sort")
    }
    return query.sorted(byField: field, descending: isDescending)
  }
}
