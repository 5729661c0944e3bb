package import JSONText

/// A request or a notification that has come.
package struct IncomingCall: Sendable {
  /// The method.
  package let method: String
  /// With what; null where nothing is given.
  package let params: JSON
  /// What answers it; nil for a notification, which nothing answers.
  package let responder: Responder?
  /// Counts a notification as under way for as long as anybody holds the call; a request's
  /// responder does.
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

/// A part of what is under way, until it is gone.
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

/// A slot that several hold.
private final class HeldSlot: Sendable {
  private let slot: InFlightSlot

  init(_ slot: consuming InFlightSlot) {
    self.slot = slot
  }
}
