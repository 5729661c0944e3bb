package import EventCommands
package import EventMVVM
package import JSONText
package import TodoModels

/// Asks whether anything in the store is lost or damaged.
package struct RequestDoctor: Command, Codable {
  package typealias Reply = ResponseDoctor
  package static let writes = false

  package static let command = CommandSpec<Self>(
    "doctor",
    "Looks for what is lost or damaged in the store."
  )

  package init() {}
}

/// What was found in the store.
package struct ResponseDoctor: ViewModelEvent, Response {
  /// The findings or why there are none.
  package let result: Result<StoreReportViewModel, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<StoreReportViewModel, Failure>) {
    self.result = result
  }
}

/// What was found in the store, as it is shown.
package struct StoreReportViewModel: CommandResult {
  private let report: StoreReport

  /// Shows a report.
  package init(_ report: StoreReport) {
    self.report = report
  }

  /// That of a process that fails because of the store, if something is lost or damaged.
  package var exitStatus: ExitStatus { report.isSound ? .success : .store }

  package func show(on page: inout Page) {
    page.write(user: report.path)
    page.endLine()
    for finding in report.findings {
      page.write("  ")
      page.write(finding.level.rawValue, finding.level.style)
      page.write(": ")
      page.write(user: finding.text)
      page.endLine()
    }
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("path", report.path)
      json.member("sound", report.isSound)
      json.key("findings")
      json.array { json in
        for finding in report.findings {
          json.object {
            $0.member("level", finding.level.rawValue)
            $0.member("text", finding.text)
          }
        }
      }
    }
  }
}

extension StoreReport.Finding.Level {
  fileprivate var style: Page.Style {
    switch self {
    case .ok: .green
    case .warning: .yellow
    case .error: .red
    }
  }
}

/// Asks for a copy of the store, which may be in use meanwhile.
package struct RequestBackup: Command, Codable {
  package typealias Reply = ResponseBackup
  package static let writes = false

  /// The new file.
  package var file = ""

  package static let command = CommandSpec<Self>(
    "backup",
    "Copies the store into a new file, while it is in use."
  )
  .word(\.file, "The new file", placeholder: "FILE")

  package init() {}
}

/// Says that the store was copied.
package struct ResponseBackup: ViewModelEvent, Response {
  /// The copy or why there is none.
  package let result: Result<StoreCopyViewModel, Failure>

  /// Wraps an outcome.
  package init(_ result: Result<StoreCopyViewModel, Failure>) {
    self.result = result
  }
}

/// A copy of the store, as it is shown.
package struct StoreCopyViewModel: CommandResult {
  private let copy: StoreCopy

  /// Shows a copy.
  package init(_ copy: StoreCopy) {
    self.copy = copy
  }

  package func show(on page: inout Page) {
    page.confirm { page in
      page.write("Copied \(copy.count) todos to ")
      page.write(user: copy.path)
      page.endLine()
    }
  }

  package func write(to json: inout JSONWriter) {
    json.object {
      $0.member("path", copy.path)
      $0.member("count", copy.count)
      $0.member("revision", copy.revision)
    }
  }
}
