public import EventMVVM
public import JSONText

/// An event that was another one before: it says how what was recorded of an earlier version reads
/// now.
///
/// An event of version 3 names two steps, by the versions that they lead on from: what a 1 is as a
/// 2, and a 2 as a 3. `renaming(_:to:)` and `adding(_:_:)` are most of what it takes.
public protocol UpgradedEvent: Event, Codable {
  /// By version, how a body of that version reads in the next one.
  static var upgrades: [Int: @Sendable (JSON) -> JSON] { get }
}

extension UpgradedEvent {
  /// A body of an earlier version as it reads now.
  ///
  /// - Parameters:
  ///   - body: The body.
  ///   - old: Its version.
  /// - Returns: The body in today's version; nil if a version on the way says nothing.
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
  /// Whether a body of a version can be upgraded to today's.
  package static func canUpgrade(_ type: any Event.Type, from old: Int) -> Bool {
    guard old != type.version else { return true }
    guard old < type.version, let known = (type as? any UpgradedEvent.Type)?.upgrades else {
      return false
    }
    return (old..<type.version).allSatisfy { known[$0] != nil }
  }

  /// A body as it reads in today's version of its event.
  ///
  /// - Parameters:
  ///   - type: The event.
  ///   - old: The version of the body.
  /// - Returns: The body; nil if there is no upgrade.
  package func upgraded(for type: any Event.Type, from old: Int) -> JSON? {
    old == type.version ? self : (type as? any UpgradedEvent.Type)?.upgraded(self, from: old)
  }

  /// An object in which a member has another name.
  public func renaming(_ name: String, to other: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.map { $0.name == name ? Member(other, $0.value) : $0 })
  }

  /// An object with a further member.
  public func adding(_ name: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members + [Member(name, value)])
  }
}
