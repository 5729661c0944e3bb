import Foundation

extension NotificationCenter {
  /// Observes a notification that carries a value, for good.
  func on<Value>(_ name: Notification.Name, _ body: @escaping (Value) -> Void) {
    // Unchecked: the center calls back on the thread that posts, and each scenario says which.
    nonisolated(unsafe) let body = body
    _ = addObserver(forName: name, object: nil, queue: nil) { notification in
      if let value = notification.userInfo?["value"] as? Value { body(value) }
    }
  }

  /// Posts a notification that carries a value.
  func send(_ name: Notification.Name, _ value: some Any) {
    post(name: name, object: nil, userInfo: ["value": value])
  }
}
