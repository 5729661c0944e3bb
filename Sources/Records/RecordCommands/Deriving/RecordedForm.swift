import EventMVVM
import EventValues
public import JSONText

/// The name and the version of a request in recordings, where earlier ones have it by others than those that follow from
/// its record.
public struct RecordedForm: Sendable {
  /// The name of the request; nil for that which follows from its record.
  let name: String?
  /// Its version.
  let version: Int
  /// What makes the next version of each earlier one.
  let upgrades: [Int: @Sendable (JSON) -> JSON]

  /// Describes the request in recordings.
  public init(
    _ name: String? = nil,
    version: Int = 1,
    upgrades: [Int: @Sendable (JSON) -> JSON] = [:]
  ) {
    (self.name, self.version, self.upgrades) = (name, version, upgrades)
  }
}

/// A request of a command that follows from a declaration.
///
/// It reads what earlier versions have recorded without the properties that were added since, and does not write these
/// where they have nothing.
protocol DerivedRequest: UpgradedEvent, GrowingValue {
  /// Its name and its version in recordings.
  static var form: RecordedForm { get }
}

extension DerivedRequest {
  /// The version in recordings.
  public static var version: Int { form.version }
  /// What makes the next version of each earlier one.
  public static var upgrades: [Int: @Sendable (JSON) -> JSON] { form.upgrades }
}
