import EventMVVM

/// A value that is created at its first use and cached; any thread.
///
/// Two threads that use it at once may both create the value, and then get equal ones.
package final class Lazily<Value: Sendable>: Sendable {
  private let made = Locked<Value?>(nil)
  private let make: @Sendable () -> Value

  package init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
  }

  package var value: Value {
    if let value = made.withLock({ $0 }) { return value }
    let value = make()
    made.withLock { $0 = value }
    return value
  }
}
