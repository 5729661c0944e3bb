/// The findings of an examination of a store, in order.
public struct StoreReport: Sendable, Equatable, Codable {
  /// A finding about one part of the store.
  public struct Finding: Sendable, Equatable, Codable {
    /// The severity of a finding.
    public enum Level: String, Sendable, Equatable, Codable {
      /// All is sound.
      case ok
      /// No data is lost, but an action is advisable.
      case warning
      /// Data is lost or damaged.
      case error
    }

    /// The severity.
    public let level: Level
    /// The finding, and what to do.
    public let text: String

    /// Creates a finding.
    public init(_ level: Level, _ text: String) {
      self.level = level
      self.text = text
    }
  }

  /// The file.
  public let path: String
  /// The findings.
  public let findings: [Finding]

  /// Creates a report on a file.
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
  /// How many records it contains, including those that lists don't show.
  public let count: Int
  /// Its last revision.
  public let revision: Int

  /// Creates the description of a copy.
  public init(path: String, count: Int, revision: Int) {
    self.path = path
    self.count = count
    self.revision = revision
  }
}

extension [StoreReport.Finding] {
  /// The first ten, and the number of others.
  package var shortened: [StoreReport.Finding] {
    guard count > 10 else { return self }
    return prefix(10) + [.init(.error, "… and \(count - 10) more of this kind")]
  }
}
