import EventMVVM
package import EventPatterns

/// Examines the store, and changes nothing.
package struct RequestExamineStore: ModelEvent, Request, Codable {
  package typealias Reply = ResponseExamineStore
  package static let writes = false

  /// Asks for an examination.
  package init() {}
}

/// What an examination has found.
package struct ResponseExamineStore: ModelEvent, Response, Decodable {
  /// The findings or why there are none.
  package let result: Result<StoreReport, ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<StoreReport, ModelError>) {
    self.result = result
  }
}

/// Copies the store into a new file while it is in use.
package struct RequestBackUpStore: ModelEvent, Request, Codable {
  package typealias Reply = ResponseBackUpStore
  package static let writes = false
  /// The new file.
  package let path: String

  /// Asks for a copy.
  package init(path: String) {
    self.path = path
  }
}

/// Says that the store has been copied.
package struct ResponseBackUpStore: ModelEvent, Response, Decodable {
  /// The copy or why there is none.
  package let result: Result<StoreCopy, ModelError>

  /// Wraps an outcome.
  package init(_ result: Result<StoreCopy, ModelError>) {
    self.result = result
  }
}
