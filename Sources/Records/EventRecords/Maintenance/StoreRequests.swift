public import EventMVVM

/// Requests an examination of the store for lost or damaged data.
///
/// ```swift
/// let report = try process.ask(RequestDoctor())
/// var page = Page()
/// report.show(on: &page)
/// ```
public struct RequestDoctor: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseDoctor
  /// It only reads.
  public static let writes = false

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

/// The findings in the store, for views.
public struct StoreReportViewModel: Sendable, Equatable, Codable {
  package let report: StoreReport

  /// Creates the view model of a report.
  public init(_ report: StoreReport) {
    self.report = report
  }
}

/// Requests a copy of the store, which may be in use meanwhile.
///
/// ```swift
/// var request = RequestBackup()
/// request.file = path
/// ```
public struct RequestBackup: ViewModelEvent, Request, Codable {
  /// The response that answers it.
  public typealias Reply = ResponseBackup
  /// It does not change the store.
  public static let writes = false

  /// The new file.
  public var file = ""

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

/// A copy of the store, for views.
public struct StoreCopyViewModel: Sendable, Equatable, Codable {
  package let copy: StoreCopy
  package let things: String

  /// Creates the view model of a copy.
  ///
  /// - Parameters:
  ///   - copy: The copy.
  ///   - things: What was copied, with its number: `2 todos`.
  public init(_ copy: StoreCopy, of things: String) {
    self.copy = copy
    self.things = things
  }
}
