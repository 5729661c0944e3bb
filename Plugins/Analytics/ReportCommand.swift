package import EventCommands
package import EventMVVM

/// Asks what has been done, in figures.
package struct RequestReport: Command, Codable {
  package typealias Reply = ResponseReport
  package static let writes = false

  /// The first day that counts.
  package var since: When?
  /// What the rows are.
  package var by: ReportRows?
  /// The file to write as a page for a browser.
  package var html: String?
  /// The file or the URL to post the figures to.
  package var post: String?

  package static let command = CommandSpec<Self>("report", "Shows what was done, in figures.")
    .option(\.since, "The first day that counts; two weeks ago unless given", flag: "--since")
    .option(\.by, "What the rows are; days unless given", flag: "--by")
    .option(\.html, "Writes a page for a browser", flag: "--html", placeholder: "FILE")
    .option(\.post, "Posts the figures to a file or a URL", flag: "--post", placeholder: "TO")

  package init() {}
}

/// What the rows of a report are.
package enum ReportRows: String, CommandChoice, Codable {
  case day, week, tag, project

  /// Whether rows are periods, and not labels.
  var isPeriod: Bool { self == .day || self == .week }
}

/// What has been done.
package struct ResponseReport: ViewModelEvent, Response {
  /// The figures or why there are none.
  package let result: Result<Report, Failure>

  /// Nothing: what a report times is never the same twice.
  package func _record(to encoder: any Encoder) throws -> Bool { false }

  /// Wraps an outcome.
  package init(_ result: Result<Report, Failure>) {
    self.result = result
  }
}
