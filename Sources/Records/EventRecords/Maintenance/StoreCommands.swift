public import EventCommands
public import EventMVVM
public import JSONText

/// The commands of a store, independent of its records.
package enum StoreCommands {
  /// The prefix of their JSON-RPC methods.
  package static let group = "store"
  /// The commands.
  package static let all: [any Command.Type] = [RequestDoctor.self, RequestBackup.self]
}

/// Requests an examination of the store for lost or damaged data.
public struct RequestDoctor: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseDoctor
  /// It only reads.
  public static let writes = false

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "doctor",
    "Looks for what is lost or damaged in the store."
  )
  .topic(.rare)

  /// It reads the whole store.
  public var cost: CommandCost { .time }

  /// Creates the request.
  public init() {}
}

/// The findings in the store.
public struct ResponseDoctor: ViewModelEvent, Response, Decodable {
  /// The findings, or why there are none.
  public let result: Result<StoreReportViewModel, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<StoreReportViewModel, Failure>) {
    self.result = result
  }
}

/// The findings in the store, as a result.
public struct StoreReportViewModel: CommandResult, Codable {
  private let report: StoreReport

  /// Creates the view model of a report.
  public init(_ report: StoreReport) {
    self.report = report
  }

  /// The status of a failed store, if data is lost or damaged.
  public var exitStatus: ExitStatus { report.isSound ? .success : .store }

  /// Writes a line for each finding.
  public func show(on page: inout Page) {
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

  /// Writes the findings, and whether all is sound.
  public func write(to json: inout JSONWriter) {
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

/// Requests a copy of the store, which may be in use meanwhile.
public struct RequestBackup: Command, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseBackup
  /// It does not change the store.
  public static let writes = false

  /// The new file.
  public var file = ""

  /// Its name, options and help.
  public static let command = CommandSpec<Self>(
    "backup",
    "Copies the store into a new file, while it is in use."
  )
  .topic(.rare)
  .word(\.file, "The new file", placeholder: "FILE")

  /// It reads the whole store.
  public var cost: CommandCost { .time }

  /// Creates the request without a file.
  public init() {}

  /// Returns the path of the new file; throws in an all-or-nothing script, which could not roll the
  /// copy back.
  package func path(_ turn: borrowing Turn) throws -> String {
    guard !turn.isInUnit else {
      throw Failure(.usage, "'backup' copies what is kept: run it outside of the script.")
    }
    guard !file.isEmpty else { throw Failure(.usage, "'backup' needs a file.", field: "file") }
    return file
  }
}

/// States that the store was copied.
public struct ResponseBackup: ViewModelEvent, Response, Decodable {
  /// The copy, or why there is none.
  public let result: Result<StoreCopyViewModel, Failure>

  /// Wraps an outcome.
  public init(_ result: Result<StoreCopyViewModel, Failure>) {
    self.result = result
  }
}

/// A copy of the store, as a result.
public struct StoreCopyViewModel: CommandResult, Codable {
  private let copy: StoreCopy
  private let things: String

  /// Creates the view model of a copy.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - things: What was copied, with its number: `2 todos`.
  public init(_ copy: StoreCopy, of things: String) {
    self.copy = copy
    self.things = things
  }

  /// Writes a confirmation.
  public func show(on page: inout Page) {
    page.confirm { page in
      page.write("Copied \(things) to ")
      page.write(user: copy.path)
      page.endLine()
    }
  }

  /// Writes its file, and the count.
  public func write(to json: inout JSONWriter) {
    json.object {
      $0.member("path", copy.path)
      $0.member("count", copy.count)
      $0.member("revision", copy.revision)
    }
  }
}
