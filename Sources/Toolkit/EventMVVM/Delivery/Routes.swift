public import Synchronization

/// One observer in the list of a route.
@usableFromInline
struct _Node {
  @usableFromInline var next: UnsafeMutablePointer<_Node>?
  @usableFromInline var previous: UnsafeMutablePointer<_Node>?
  @usableFromInline let observer: Unmanaged<_Observer>
}

/// The list of the observers of one event type or state, in order of subscription.
@usableFromInline
struct _Route {
  @usableFromInline let key: StreamKey
  @usableFromInline var first: UnsafeMutablePointer<_Node>?
  @usableFromInline var last: UnsafeMutablePointer<_Node>?
  /// How many nodes it has, including nodes whose owner is gone.
  var count = 0
  /// The number of nodes at which dead ones are swept; 0 while a sweep is queued after a call.
  var sweepAt = 16

  /// Calls `body` with each observer whose subscription has not ended, in order of subscription.
  @inlinable @inline(__always)
  func forEach(_ body: (_Observer) -> Void) {
    var next = first
    while let node = next {
      node.pointee.observer._withUnsafeGuaranteedRef { observer in
        if !observer.isCancelled.load(ordering: .acquiring) { body(observer) }
      }
      next = node.pointee.next
    }
  }

  mutating func append(_ observer: _Observer) {
    if count >= sweepAt { sweep() }
    let node = UnsafeMutablePointer<_Node>.allocate(capacity: 1)
    node.initialize(to: _Node(next: nil, previous: last, observer: .passRetained(observer)))
    if let last { last.pointee.next = node } else { first = node }
    last = node
    count += 1
    observer.node = node
  }

  mutating func remove(_ node: UnsafeMutablePointer<_Node>) {
    let (next, previous) = (node.pointee.next, node.pointee.previous)
    if let next { next.pointee.previous = previous } else { last = previous }
    if let previous { previous.pointee.next = next } else { first = next }
    count -= 1
    node.pointee.observer._withUnsafeGuaranteedRef { $0.node = nil }
    node.pointee.observer.release()
    node.deallocate()
  }

  /// Unlinks nodes whose owner was deallocated (S14); amortised by doubling, so that dead ones stay
  /// bounded where no event comes.
  mutating func sweep() {
    var next = first
    while let node = next {
      next = node.pointee.next
      if node.pointee.observer._withUnsafeGuaranteedRef({ $0.isOver }) { remove(node) }
    }
    sweepAt = max(16, count * 2)
  }
}

/// Routes by key, in open addressing: those of event types stay, a state's is removed with it.
@usableFromInline
struct _RouteTable {
  @usableFromInline var slots = allocate(256)
  @usableFromInline var mask = 255
  private var count = 0

  private static func allocate(
    _ capacity: Int
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<_Route>?> {
    let slots = UnsafeMutablePointer<UnsafeMutablePointer<_Route>?>.allocate(capacity: capacity)
    slots.initialize(repeating: nil, count: capacity)
    return slots
  }

  @inlinable @inline(__always)
  static func start(_ key: StreamKey, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: (key.bits &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }

  @inlinable @inline(__always)
  func find(_ key: StreamKey) -> UnsafeMutablePointer<_Route>? {
    let start = Self.start(key, mask)
    guard let route = slots[start] else { return nil }
    return route.pointee.key == key ? route : findFurther(key, start)
  }

  /// Searches past the first slot, and moves what it finds to the front, where the next event of
  /// the type finds it at once: so the cost of an event is independent of the number of types.
  ///
  /// The node that had the first slot stays in the same run of full slots, after its own start.
  @usableFromInline
  func findFurther(_ key: StreamKey, _ start: Int) -> UnsafeMutablePointer<_Route>? {
    var index = (start + 1) & mask
    while let route = slots[index] {
      if route.pointee.key == key {
        slots[index] = slots[start]
        slots[start] = route
        return route
      }
      index = (index + 1) & mask
    }
    return nil
  }

  mutating func findOrMake(_ key: StreamKey) -> UnsafeMutablePointer<_Route> {
    if let route = find(key) { return route }
    if count * 2 > mask { resize() }
    let route = UnsafeMutablePointer<_Route>.allocate(capacity: 1)
    route.initialize(to: _Route(key: key))
    insert(route)
    count += 1
    return route
  }

  private func insert(_ route: UnsafeMutablePointer<_Route>) {
    var index = Self.start(route.pointee.key, mask)
    while slots[index] != nil { index = (index + 1) & mask }
    slots[index] = route
  }

  private mutating func resize(without dropped: StreamKey? = nil) {
    let (old, oldMask) = (slots, mask)
    if dropped == nil { mask = mask * 2 + 1 }
    slots = Self.allocate(mask + 1)
    for index in 0...oldMask {
      if let route = old[index], route.pointee.key != dropped { insert(route) }
    }
    old.deallocate()
  }

  /// Removes a state's route; linear in the number of routes.
  mutating func remove(_ key: StreamKey) {
    guard let route = find(key) else { return }
    while let node = route.pointee.first { route.pointee.remove(node) }
    resize(without: key)
    count -= 1
    route.deallocate()
  }

  var routes: [UnsafeMutablePointer<_Route>] { (0...mask).compactMap { slots[$0] } }

  func deallocate() {
    for route in routes {
      while let node = route.pointee.first { route.pointee.remove(node) }
      route.deallocate()
    }
    slots.deallocate()
  }
}
