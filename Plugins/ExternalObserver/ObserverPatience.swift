import EventMVVM

/// The limits of waiting for observers: one that the user of the process may set, and others in
/// proportion to it.
struct ObserverPatience: Sendable {
  /// The variable that sets it.
  static let variable = "TODOSTREAM_OBSERVER_SECONDS"
  /// Its valid values.
  static let range = 1...600

  /// The time of programs at the end of the process to read everything, in seconds.
  var seconds = 2

  /// Creates the default limits.
  init() {}

  /// Reads the limits from the environment.
  ///
  /// - Parameter environment: The environment.
  /// - Throws: A usage error for an invalid value.
  init(_ environment: [String: String]) throws(Failure) {
    guard let text = environment[Self.variable], !text.isEmpty else { return }
    guard let seconds = Int(text), Self.range.contains(seconds) else {
      let range = "a number from \(Self.range.lowerBound) to \(Self.range.upperBound)"
      throw Failure(.usage, "$\(Self.variable) is '\(text)'; it has to be \(range).")
    }
    self.seconds = seconds
  }

  /// The time of a program to begin its session, in whole seconds.
  var hello: Int { seconds * 5 / 2 }
  /// The time of a program to end after its input, in seconds, and again after a signal.
  var farewell: Double { Double(seconds) / 2 }
  /// The time of a program to send a request after a notification.
  var quiet: Duration { .seconds(seconds) / 40 }
  /// The time of a program without subscriptions, once it has reported that it is ready.
  var ready: Duration { .seconds(seconds) / 8 }
}
