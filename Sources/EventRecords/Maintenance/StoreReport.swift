/// What an examination of a store has found, in the order in which it looked.
public struct StoreReport: Sendable, Equatable, Codable {
  /// One of the things that were looked at.
  public struct Finding: Sendable, Equatable, Codable {
    /// How things stand.
    public enum Level: String, Sendable, Equatable, Codable {
      /// As they should.
      case ok
      /// Nothing is lost, but something should be done.
      case warning
      /// Something is lost or damaged.
      case error
    }

    /// How things stand.
    public let level: Level
    /// What was found, and what to do.
    public let text: String

    /// Notes a finding.
    public init(_ level: Level, _ text: String) {
      self.level = level
      self.text = text
    }
  }

  /// The file.
  public let path: String
  /// What was found.
  public let findings: [Finding]

  /// Reports on a file.
  public init(path: String, findings: [Finding]) {
    self.path = path
    self.findings = findings
  }

  /// Whether nothing is lost or damaged.
  public var isSound: Bool { findings.allSatisfy { $0.level != .error } }
}

/// A copy of a store.
public struct StoreCopy: Sendable, Equatable, Codable {
  /// Its file.
  public let path: String
  /// How many todos or records it holds, those included that a list does not show.
  public let count: Int
  /// The last revision that it holds.
  public let revision: Int

  /// Describes a copy.
  public init(path: String, count: Int, revision: Int) {
    self.path = path
    self.count = count
    self.revision = revision
  }
}

extension [StoreReport.Finding] {
  /// The first ten, and how many more there are.
  package var shortened: [StoreReport.Finding] {
    guard count > 10 else { return self }
    return prefix(10) + [.init(.error, "… and \(count - 10) more of this kind")]
  }
}
