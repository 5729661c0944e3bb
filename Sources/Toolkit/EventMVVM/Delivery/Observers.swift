public import Synchronization

/// An observer without its type: the base class of all typed observers.
@usableFromInline
class _Observer: @unchecked Sendable {
  // Unchecked: `node` belongs to the home thread, `owner` is weak and atomic, the rest is
  // immutable.
  @usableFromInline let isCancelled = Atomic<Bool>(false)
  /// The key of what it observes, and so of its list.
  let key: StreamKey
  /// Whether it has an owner, with which it ends.
  let hasOwner: Bool
  weak let owner: AnyObject?
  /// Its node while it is in a list, so that no search is needed.
  var node: UnsafeMutablePointer<_Node>?

  init(key: StreamKey, owner: AnyObject?) {
    self.key = key
    self.owner = owner
    hasOwner = owner != nil
  }

  /// The type of the event that it observes; nil for every event, and for a state.
  var event: (any Event.Type)? { nil }

  /// Whether the subscription has ended, by itself or with its owner.
  var isOver: Bool {
    isCancelled.load(ordering: .acquiring) || (hasOwner && owner == nil)
  }
}

/// A caller that waits for a reply.
@usableFromInline
struct Waiter: @unchecked Sendable {
  // Unchecked: called by the home thread alone.

  /// Called with the address of the reply, which is of the type that the waiter was made for, or
  /// with why there is none.
  ///
  /// Number 4 at the top of `Router.swift` proves the type.
  @usableFromInline let body: (Result<UnsafeRawPointer, Interruption>, borrowing Turn) -> Void

  @inlinable
  init<Reply: Response>(_ then: @escaping (Result<Reply, Interruption>, borrowing Turn) -> Void) {
    body = { outcome, turn in
      // Not by `map`, which would make the runtime look up its types again.
      switch outcome {
      case .success(let reply):
        then(.success(reply.assumingMemoryBound(to: Reply.self).pointee), turn)
      case .failure(let reason): then(.failure(reason), turn)
      }
    }
  }
}

/// An observer of one event type.
@usableFromInline
final class _TypedObserver<E>: _Observer, @unchecked Sendable {
  // Unchecked: the closure is called by the home thread alone.
  @usableFromInline let body: (E, borrowing Turn) -> Void

  @usableFromInline
  init(key: StreamKey, owner: AnyObject?, body: @escaping (E, borrowing Turn) -> Void) {
    precondition(!(E.self is AnyObject.Type), "an event is a value, but \(E.self) is a class")
    self.body = body
    super.init(key: key, owner: owner)
  }

  override var event: (any Event.Type)? { E.self as? any Event.Type }
}

/// An observer of every event.
final class EveryObserver: _Observer, @unchecked Sendable {
  // Unchecked: observers are called by the home thread alone.
  let observer: any EventObserver

  init(_ observer: some EventObserver) {
    self.observer = observer
    super.init(key: .everything, owner: nil)
  }
}
