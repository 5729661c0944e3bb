package import EventCommands
package import EventMVVM

/// Asks what has been done, in statistics.
package struct RequestReport: Command, Codable {
  package typealias Reply = ResponseReport
  package static let writes = false

  /// The first day that counts.
  package var since: When?
  /// What the rows are.
  package var by: ReportRows?
  /// The file to write as a page for a browser.
  package var html: String?
  /// The file or the URL to post the statistics to.
  package var post: String?
  /// Whether a file is written also where it was made by something else.
  package var force = false

  package static let command = CommandSpec<Self>("report", "Shows statistics of what was done.")
    .option(\.since, "The first day that counts; two weeks ago unless given", flag: "--since")
    .option(\.by, "What the rows are; days unless given", flag: "--by")
    .option(\.html, "Writes a page for a browser", flag: "--html", placeholder: "FILE")
    .option(\.post, "Posts the statistics to a file or a URL", flag: "--post", placeholder: "TO")
    .option(\.force, "Writes to a file that something else has made, too", flag: "--force")

  package init() {}

  /// Reads it also as it was recorded before there was `--force`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    since = try container.decodeIfPresent(When.self, forKey: .since)
    by = try container.decodeIfPresent(ReportRows.self, forKey: .by)
    html = try container.decodeIfPresent(String.self, forKey: .html)
    post = try container.decodeIfPresent(String.self, forKey: .post)
    force = try container.decodeIfPresent(Bool.self, forKey: .force) ?? false
  }

  /// Writes it without the name and password of a URL, which a replay does not need.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(since, forKey: .since)
    try container.encodeIfPresent(by, forKey: .by)
    try container.encodeIfPresent(html, forKey: .html)
    try container.encodeIfPresent(post.map(PostTarget.shown), forKey: .post)
    if force { try container.encode(force, forKey: .force) }
  }

  private enum CodingKeys: CodingKey {
    case since, by, html, post, force
  }
}

/// What the rows of a report are.
package enum ReportRows: String, CommandChoice, Codable {
  case day, week, tag, project

  /// Whether rows are periods, and not labels.
  var isPeriod: Bool { self == .day || self == .week }
}

/// What has been done.
package struct ResponseReport: ViewModelEvent, Response, Decodable {
  // The second tells stores apart.
  package static let version = 2

  /// The statistics or why there are none.
  package let result: Result<Report, Failure>

  /// Writes the outcome of posting, or why there is no report; else nothing, as what a report times
  /// is never the same twice.
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
