import EventMVVM

/// How long observers are waited for: one time that the user of the process may set, and others in
/// proportion to it.
struct ObserverPatience: Sendable {
  /// The variable that sets it.
  static let variable = "TODOSTREAM_OBSERVER_SECONDS"
  /// What it may be.
  static let range = 1...600

  /// How long programs have at the end of the process to take everything, in seconds.
  var seconds = 2

  /// As long as without the variable.
  init() {}

  /// As long as the environment says.
  ///
  /// - Parameter environment: The environment.
  /// - Throws: A usage error if it says nothing that can be.
  init(_ environment: [String: String]) throws(Failure) {
    guard let text = environment[Self.variable], !text.isEmpty else { return }
    guard let seconds = Int(text), Self.range.contains(seconds) else {
      let range = "a number from \(Self.range.lowerBound) to \(Self.range.upperBound)"
      throw Failure(.usage, "$\(Self.variable) is '\(text)'; it has to be \(range).")
    }
    self.seconds = seconds
  }

  /// How long a program has to say hello, in whole seconds.
  var hello: Int { seconds * 5 / 2 }
  /// How long a program has to end once its input has, in seconds; and then once it was told to.
  var farewell: Double { Double(seconds) / 2 }
  /// How long a program that was told something has to ask for more.
  var quiet: Duration { .seconds(seconds) / 40 }
  /// How long one that has subscribed to nothing has, once it has said that it is ready.
  var ready: Duration { .seconds(seconds) / 8 }
}
