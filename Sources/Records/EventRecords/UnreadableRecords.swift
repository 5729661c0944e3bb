public import EventMVVM

/// Warns that unreadable records are missing from a result, so that it is not mistaken for the
/// whole.
///
/// Sent before the answer, once for each root.
///
/// ```swift
/// stream.on(ResponseUnreadableRecords.self) { [all] event, _ in
///   all.withLock { $0.append(event.failure) }
/// }
/// ```
public struct ResponseUnreadableRecords: ViewModelEvent, Codable {
  /// The records, why, and what to do.
  public let failure: Failure
  /// The kind of the records; not recorded.
  private(set) var kind = ""

  private enum CodingKeys: CodingKey {
    case failure
  }

  /// Creates the warning.
  ///
  /// - Parameters:
  ///   - problems: The records, in order, and why they can't be read; at least one.
  ///   - kind: The name of one record.
  ///   - count: The number of all unreadable records.
  init(_ problems: [(number: Int, why: String)], _ kind: String, of count: Int) {
    let names = problems.prefix(Self.mostNames).map { "\(kind) #\($0.number)" }
    let more = problems.count - names.count
    let first = problems[0]
    self.kind = kind
    failure = Failure(
      .store,
      "\(problems.count) of \(count) records can't be read and \(problems.count == 1 ? "is" : "are") "
        + "left out: \(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : ""). "
        + "Of #\(first.number): \(first.why). "
        + (problems.count == 1 ? "" : "'doctor' says why of each. ") + Self.advice,
      id: first.number
    )
  }

  /// The first of them.
  public var subject: String? { failure.id.map { "#\($0)" } }

  /// How many are listed.
  private static let mostNames = 10
  /// The advice for an unreadable record.
  static let advice =
    "Another version of the program may read it; else restore a backup."
}
