/// Where a client's subscriptions begin that do not say, and go on in a further session with it: behind what
/// it was told, for each choice of types.
package struct EventPlaces: Sendable, Equatable {
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

  /// Each goes on at its own place, others at the first of them: they miss nothing.
  ///
  /// Nil if there is none.
  ///
  /// - Parameter subscriptions: The types of each, and the number of its next event.
  init?(_ subscriptions: [(types: Set<String>?, next: UInt64)]) {
    guard let first = subscriptions.map(\.next).min() else { return nil }
    byTypes = Dictionary(subscriptions.map { ($0.types, $0.next) }) { min($0, $1) }
    others = first
  }

  /// Where a subscription begins.
  func first(of types: Set<String>?) -> UInt64 { byTypes[types] ?? others }
}
