package import JSONText

/// A request or a notification that has come.
package struct IncomingCall: Sendable {
  /// What is to be done.
  package let method: String
  /// With what; null where nothing is given.
  package let params: JSON
  /// What answers it; nil for a notification, which nothing answers.
  package let responder: Responder?
  /// Counts it as under way for as long as anybody holds the call.
  private let charge: Charge

  init(_ method: String, _ params: JSON, _ responder: Responder?, _ charge: Charge) {
    self.method = method
    self.params = params
    self.responder = responder
    self.charge = charge
  }
}

/// A part of what is under way, until nobody holds it any more.
final class Charge: Sendable {
  private let load: Load
  private let bytes: Int

  init(_ load: Load, bytes: Int) {
    self.load = load
    self.bytes = bytes
    load.add(bytes)
  }

  deinit { load.remove(bytes) }
}
