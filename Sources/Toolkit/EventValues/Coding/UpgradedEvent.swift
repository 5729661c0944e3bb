public import EventMVVM
public import JSONText

/// An event whose coded form has changed: it declares how the recorded form of an earlier version
/// is converted.
///
/// An event of version 3 has two steps, each under the version that it converts: 1 to 2, and 2 to
/// 3. `renaming(_:to:)` and `adding(_:_:)` suffice for most steps.
public protocol UpgradedEvent: Event, Codable {
  /// The conversions, by version, of a body of that version to the next one.
  static var upgrades: [Int: @Sendable (JSON) -> JSON] { get }
}

extension UpgradedEvent {
  /// Returns a body of an earlier version in the current form.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - old: Its version.
  /// - Returns: The body in the current version; nil if a step is missing.
  static func upgraded(_ body: JSON, from old: Int) -> JSON? {
    guard old <= version else { return nil }
    var body = body
    for step in old..<version {
      guard let upgrade = upgrades[step] else { return nil }
      body = upgrade(body)
    }
    return body
  }
}

extension JSON {
  /// Whether a body of a version can be upgraded to the current one.
  package static func canUpgrade(_ type: any Event.Type, from old: Int) -> Bool {
    guard old != type.version else { return true }
    guard old < type.version, let known = (type as? any UpgradedEvent.Type)?.upgrades else {
      return false
    }
    return (old..<type.version).allSatisfy { known[$0] != nil }
  }

  /// Returns a body in the current version of its event.
  ///
  /// - Parameters:
  ///   - type: The event.
  ///   - old: The version of the body.
  /// - Returns: The body; nil if there is no upgrade.
  package func upgraded(for type: any Event.Type, from old: Int) -> JSON? {
    old == type.version ? self : (type as? any UpgradedEvent.Type)?.upgraded(self, from: old)
  }

  /// Returns an object in which a member has another name.
  public func renaming(_ name: String, to other: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.name == name ? Member(other, $0.value) : $0 })
  }

  /// Returns an object with another member.
  public func adding(_ name: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }
}
