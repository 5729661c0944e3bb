import EventMVVM

/// A value that is made when it is first asked for, and kept; any thread.
///
/// Two threads that ask at once may both make it, and then get equal values.
final class Lazily<Value: Sendable>: Sendable {
  private let made = Locked<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
  }

  var value: Value {
    if let value = made.withLock({ $0 }) { return value }
    let value = make()
    made.withLock { $0 = value }
    return value
  }
}
