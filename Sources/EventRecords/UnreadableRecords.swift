public import EventCommands
public import EventMVVM

/// Warns that records can't be read, and are missing from a result: it must not be taken for the
/// rest for all.
///
/// Sent in front of the answer, once for each intent.
public struct ResponseUnreadableRecords: ViewModelEvent, TroubleNotice, Announcement, Codable {
  /// Which, why, and what to do.
  public let failure: Failure

  /// Names records.
  ///
  /// - Parameters:
  ///   - problems: The records, in order, and why they can't be read; at least one.
  ///   - kind: What one is called.
  ///   - count: How many there are in all.
  init(_ problems: [(number: Int, why: String)], _ kind: String, of count: Int) {
    let names = problems.prefix(Self.mostNames).map { "\(kind) #\($0.number)" }
    let more = problems.count - names.count
    let first = problems[0]
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

  /// A warning: what can be read is read.
  public var level: TroubleLevel { .warning }

  /// How many are named.
  private static let mostNames = 10
  /// What can be done about a record that can't be read.
  static let advice =
    "Another version of the program may read it; else restore a backup."
}
