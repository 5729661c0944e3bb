import EventMVVM

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

/// What an examination has found, in the order in which it looked.
package struct StoreReport: Sendable, Equatable, Codable {
  /// One of the things that were looked at.
  package struct Finding: Sendable, Equatable, Codable {
    /// How things stand.
    package enum Level: String, Sendable, Equatable, Codable {
      /// As they should.
      case ok
      /// Nothing is lost, but something should be done.
      case warning
      /// Something is lost or damaged.
      case error
    }

    /// How things stand.
    package let level: Level
    /// What was found, and what to do.
    package let text: String

    /// Notes a finding.
    package init(_ level: Level, _ text: String) {
      self.level = level
      self.text = text
    }
  }

  /// The file.
  package let path: String
  /// What was found.
  package let findings: [Finding]

  /// Reports on a file.
  package init(path: String, findings: [Finding]) {
    self.path = path
    self.findings = findings
  }

  /// Whether nothing is lost or damaged.
  package var isSound: Bool { findings.allSatisfy { $0.level != .error } }
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

/// A copy of the store.
package struct StoreCopy: Sendable, Equatable, Codable {
  /// Its file.
  package let path: String
  /// How many todos it holds, the deleted included.
  package let count: Int
  /// The last revision that it holds.
  package let revision: Int

  /// Describes a copy.
  package init(path: String, count: Int, revision: Int) {
    self.path = path
    self.count = count
    self.revision = revision
  }
}
