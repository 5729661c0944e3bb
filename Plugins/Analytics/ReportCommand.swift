package import EventCommands
package import EventMVVM
package import EventValues

/// Requests statistics of what was done.
package struct RequestReport: Command, Codable {
  package typealias Reply = ResponseReport
  package static let writes = false

  /// The first day of the report.
  package var since: When?
  /// The kind of the rows.
  package var by: ReportRows?
  /// Whether how often commands were given, and how long they took, is shown as well.
  package var commands = false
  /// The file to write as a page for a browser.
  package var html: String?
  /// The file or the URL to post the statistics to.
  package var post: String?
  /// Whether a file of another program is written as well.
  package var force = false

  package static let command = CommandSpec<Self>("report", "Shows statistics of what was done.")
    .example("report --since '1 nov'")
    .option(\.since, "The first day that counts; two weeks ago unless given", flag: "--since")
    .option(\.by, "What the rows are; days unless given", flag: "--by")
    .option(\.commands, "How long commands took, too", flag: "--commands")
    .option(\.html, "Writes a page for a browser", flag: "--html", placeholder: "FILE")
    .option(\.post, "Posts the statistics to a file or a URL", flag: "--post", placeholder: "TO")
    .option(\.force, "Writes to a file that something else has made, too", flag: "--force")

  package init() {}

  /// It reads every change of its days.
  package var cost: CommandCost { .memory }

  /// Reads recordings from before `--force` and `--commands` as well.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    since = try container.decodeIfPresent(When.self, forKey: .since)
    by = try container.decodeIfPresent(ReportRows.self, forKey: .by)
    html = try container.decodeIfPresent(String.self, forKey: .html)
    post = try container.decodeIfPresent(String.self, forKey: .post)
    commands = try container.decodeIfPresent(Bool.self, forKey: .commands) ?? false
    force = try container.decodeIfPresent(Bool.self, forKey: .force) ?? false
  }

  /// Writes it without the name and password of a URL, which a replay does not need.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(since, forKey: .since)
    try container.encodeIfPresent(by, forKey: .by)
    try container.encodeIfPresent(html, forKey: .html)
    try container.encodeIfPresent(post.map(PostTarget.shown), forKey: .post)
    if commands { try container.encode(commands, forKey: .commands) }
    if force { try container.encode(force, forKey: .force) }
  }

  private enum CodingKeys: CodingKey {
    case since, by, commands, html, post, force
  }

  package func show(_ value: Report, on page: inout Page) {
    (commands ? value : value.withoutCommands).show(on: &page)
  }
}

/// The kind of the rows of a report.
package enum ReportRows: String, Choice, Codable {
  case day, week, tag, project

  /// Whether rows are periods, and not labels.
  var isPeriod: Bool { self == .day || self == .week }
}

/// The statistics of what was done.
package struct ResponseReport: ViewModelEvent, Response, Decodable {
  // Version 2 distinguishes stores.
  package static let version = 2

  /// The statistics, or why there are none.
  package let result: Result<Report, Failure>

  /// Writes the outcome of posting, or why there is no report; else nothing, as the times in a
  /// report always differ.
  package func _record(to encoder: any Encoder) throws -> Bool {
    if case .success(let report) = result, report.posting == nil { return false }
    try result.encode(to: encoder)
    return true
  }

  /// Wraps an outcome.
  package init(_ result: Result<Report, Failure>) {
    self.result = result
  }
}
