/// Anything that takes a turn in the stream's queue: an event, or a change to who observes.
///
/// Not for conforming to; declare an ``Event``.
public protocol StreamEntry: Sendable {
  /// Moves the entry out of the queue's memory and lets it act.
  static func _take(_ address: _EntryAddress, _ engine: _Engine)
}

extension StreamEntry {
  /// Destroys an entry that never gets its turn.
  static func drop(_ address: _EntryAddress) {
    address.value.assumingMemoryBound(to: Self.self).deinitialize(count: 1)
  }

  /// Moves the value out of the queue's memory.
  @inlinable @inline(__always)
  static func _move(_ address: _EntryAddress) -> Self {
    address.value.assumingMemoryBound(to: Self.self).move()
  }
}

extension Event {
  /// Gives the event its turn.
  @inlinable
  public static func _take(_ address: _EntryAddress, _ engine: _Engine) {
    engine.dispatch(_move(address), address, StreamKey(Self.self))
  }
}

/// The identity of an event type, or of one state.
public struct StreamKey: Sendable, Hashable {
  @usableFromInline let bits: UInt

  /// The list of the observers of every event.
  static let everything = StreamKey(state: 0)

  /// The identity of a type.
  @inlinable @inline(__always)
  public init(_ type: any Any.Type) {
    bits = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
  }

  /// The identity of the n-th state: odd, and so never that of a type.
  init(state number: UInt) {
    bits = number << 1 | 1
  }
}

/// Where an entry's header lies, lent to the handler for the length of the turn.
///
/// Not for use outside the stream.
public struct _EntryAddress {
  @usableFromInline let pointer: UnsafeMutablePointer<_Header>

  @inlinable @inline(__always)
  init(_ pointer: UnsafeMutablePointer<_Header>) {
    self.pointer = pointer
  }

  /// The header itself.
  @inlinable @inline(__always)
  var header: _Header {
    unsafeAddress { UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { pointer }
  }

  /// Where the value of an entry in the queue lies, until its turn.
  @inlinable @inline(__always)
  var value: UnsafeMutableRawPointer {
    let entry = UnsafeMutableRawPointer(pointer)
    return entry + entry.assumingMemoryBound(to: EntryQueue.Entry.self).pointee.payloadOffset
  }
}

/// A reference that is not retained, because the lender keeps the object.
///
/// Why it is there for as long as that: number 5 at the top of `Engine.swift`.
@usableFromInline
struct Lent<Object: AnyObject> {
  @usableFromInline let reference: Unmanaged<Object>

  /// Lends an object that the caller keeps.
  @inlinable @inline(__always)
  init(_ object: Object) {
    reference = .passUnretained(object)
  }

  /// Keeps the object until ``release()``.
  @inlinable
  init(retaining object: Object) {
    reference = .passRetained(object)
  }

  /// The object, retained.
  @inlinable
  var object: Object { reference.takeUnretainedValue() }

  /// Uses the object without retaining it.
  @inlinable @inline(__always)
  func use<Result>(_ body: (Object) -> Result) -> Result {
    reference._withUnsafeGuaranteedRef(body)
  }

  func retain() { _ = reference.retain() }
  func release() { reference.release() }
}

/// What is stored of an entry in addition to its value.
///
/// Not for use outside the stream.
public struct _Header {
  @usableFromInline var cause: UInt64
  @usableFromInline var root: Root
  @usableFromInline var conversation: Lent<Conversation>?
  @usableFromInline var origin: Origin
  /// Whether it came through the inbox, which counts in no conversation until its turn.
  @usableFromInline var isPosted: Bool
  /// Whether it came from outside: no handler of the stream's has sent it.
  @usableFromInline var isInput: Bool

  @inlinable @inline(__always)
  init(
    cause: UInt64 = 0,
    root: Root = Root(session: 0, number: 0),
    conversation: Lent<Conversation>? = nil,
    origin: Origin,
    isPosted: Bool = false,
    isInput: Bool = false
  ) {
    self.cause = cause
    self.root = root
    self.conversation = conversation
    self.origin = origin
    self.isPosted = isPosted
    self.isInput = isInput
  }
}
