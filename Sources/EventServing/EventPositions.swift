/// Where a client's subscriptions begin that do not say, and go on in a further session with it:
/// after what it was sent, for each choice of types.
package struct EventPositions: Sendable, Equatable {
  private let byTypes: [Set<String>?: UInt64]
  /// Where others begin.
  private let others: UInt64

  /// All begin at one place.
  ///
  /// - Parameter number: The number of the first event.
  package init(from number: UInt64) {
    byTypes = [:]
    others = number
  }

  /// Each choice of types goes on at its own cursor, others at the first of them: they miss
  /// nothing.
  private init(_ byTypes: [Set<String>?: UInt64], _ others: UInt64) {
    self.byTypes = byTypes
    self.others = byTypes.values.min() ?? others
  }

  /// Where a subscription begins.
  func first(of types: Set<String>?) -> UInt64 { byTypes[types] ?? others }

  /// Moves on by further subscriptions.
  ///
  /// - Parameters:
  ///   - ended: The types and the next event of those that have ended; of equal types the last
  ///     counts.
  ///   - running: Those of the others, which count more; of equal types the first cursor counts.
  /// - Returns: The places after them; a choice of types that none of them had stays where it was.
  func moved(
    by ended: [(types: Set<String>?, next: UInt64)],
    _ running: [(types: Set<String>?, next: UInt64)]
  ) -> EventPositions {
    var byTypes = byTypes
    for (types, next) in ended { byTypes[types] = next }
    byTypes.merge(Dictionary(running.map { ($0.types, $0.next) }, uniquingKeysWith: min)) { $1 }
    return EventPositions(byTypes, others)
  }
}
