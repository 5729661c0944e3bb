/// Where a client's subscriptions without a number begin, and resume in another session with it:
/// after the last event that it was sent, for each selection of types.
package struct EventPositions: Sendable, Equatable {
  private let byTypes: [Set<String>?: UInt64]
  /// The beginning of all others.
  private let others: UInt64

  /// Creates positions with one beginning for all.
  ///
  /// - Parameter number: The number of the first event.
  package init(from number: UInt64) {
    byTypes = [:]
    others = number
  }

  /// Creates positions with a cursor for each selection of types; others begin at the first of
  /// them, and so miss nothing.
  private init(_ byTypes: [Set<String>?: UInt64], _ others: UInt64) {
    self.byTypes = byTypes
    self.others = byTypes.values.min() ?? others
  }

  /// Returns the beginning of a subscription.
  func first(of types: Set<String>?) -> UInt64 { byTypes[types] ?? others }

  /// Returns the positions after more subscriptions.
  ///
  /// - Parameters:
  ///   - ended: The types and the next event of ended subscriptions; of equal types the last
  ///     counts.
  ///   - running: Those of running ones, which take precedence; of equal types the first cursor
  ///     counts.
  /// - Returns: The positions after them; those of other selections of types are unchanged.
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
