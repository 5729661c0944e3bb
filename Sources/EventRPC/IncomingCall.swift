package import JSONText

/// A request or a notification that has come.
package struct IncomingCall: Sendable {
  /// What is to be done.
  package let method: String
  /// With what; null where nothing is given.
  package let params: JSON
  /// What answers it; nil for a notification, which nothing answers.
  package let responder: Responder?
  /// Counts a notification as under way for as long as anybody holds the call; a request's responder does.
  private let held: HeldCharge?

  init(_ method: String, _ params: JSON, _ responder: Responder) {
    self.method = method
    self.params = params
    self.responder = responder
    held = nil
  }

  /// A notification.
  init(_ method: String, _ params: JSON, _ charge: consuming Charge) {
    self.method = method
    self.params = params
    responder = nil
    held = HeldCharge(charge)
  }
}

/// A part of what is under way, until it is gone.
struct Charge: ~Copyable, Sendable {
  let load: Load
  private let bytes: Int

  init(_ load: Load, bytes: Int) {
    self.load = load
    self.bytes = bytes
    load.add(bytes)
  }

  deinit { load.remove(bytes) }
}

/// A charge that several hold.
private final class HeldCharge: Sendable {
  private let charge: Charge

  init(_ charge: consuming Charge) {
    self.charge = charge
  }
}
