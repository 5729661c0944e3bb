package import JSONText

/// A request or a notification that was received.
package struct IncomingCall: Sendable {
  /// The method.
  package let method: String
  /// The parameters; null for none.
  package let params: JSON
  /// Sends the answer; nil for a notification, which has none.
  package let responder: Responder?
  /// Counts a notification as in progress while the call is retained; a request's responder counts
  /// the request.
  private let held: HeldSlot?

  init(_ method: String, _ params: JSON, _ responder: Responder) {
    self.method = method
    self.params = params
    self.responder = responder
    held = nil
  }

  /// A notification.
  init(_ method: String, _ params: JSON, _ slot: consuming InFlightSlot) {
    self.method = method
    self.params = params
    responder = nil
    held = HeldSlot(slot)
  }
}

/// A share of the calls in progress, until it is destroyed.
struct InFlightSlot: ~Copyable, Sendable {
  let inFlight: InFlightLimit
  private let bytes: Int

  init(_ inFlight: InFlightLimit, bytes: Int) {
    self.inFlight = inFlight
    self.bytes = bytes
    inFlight.add(bytes)
  }

  deinit { inFlight.remove(bytes) }
}

/// A slot with several owners.
private final class HeldSlot: Sendable {
  private let slot: InFlightSlot

  init(_ slot: consuming InFlightSlot) {
    self.slot = slot
  }
}
