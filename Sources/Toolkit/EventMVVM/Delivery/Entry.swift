/// Anything that takes a turn in the stream's queue: an event, or a change of its observers.
///
/// Not for conforming to; declare an ``Event``.
public protocol StreamEntry: Sendable {
  /// Moves the entry out of the queue's memory and performs it.
  static func _take(_ address: _EntryAddress, _ router: _Router)
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
  /// Delivers the event.
  @inlinable
  public static func _take(_ address: _EntryAddress, _ router: _Router) {
    router.dispatch(_move(address), address, StreamKey(Self.self))
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

/// The address of an entry's header, lent to the handler for the length of the turn.
///
/// Internal to the stream.
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

  /// The address of the value of an entry in the queue, until its turn.
  @inlinable @inline(__always)
  var value: UnsafeMutableRawPointer {
    let entry = UnsafeMutableRawPointer(pointer)
    return entry + entry.assumingMemoryBound(to: EntryQueue.Entry.self).pointee.payloadOffset
  }
}

/// A reference that is not retained, because the lender retains the object.
///
/// Number 5 at the top of `Router.swift` proves that the object lives that long.
@usableFromInline
struct Lent<Object: AnyObject> {
  @usableFromInline let reference: Unmanaged<Object>

  /// Lends an object that the caller retains.
  @inlinable @inline(__always)
  init(_ object: Object) {
    reference = .passUnretained(object)
  }

  /// Retains the object until ``release()``.
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
/// Internal to the stream.
public struct _Header {
  @usableFromInline var cause: UInt64
  @usableFromInline var root: Root
  @usableFromInline var conversation: Lent<Conversation>?
  @usableFromInline var origin: Origin
  /// Whether it came through the inbox; until its turn it counts in no conversation.
  @usableFromInline var isPosted: Bool
  /// Whether it is an input: no handler on the stream sent it.
  @usableFromInline var isInput: Bool
  @usableFromInline var source: _Source

  @inlinable @inline(__always)
  init(
    cause: UInt64 = 0,
    root: Root = Root(session: 0, number: 0),
    conversation: Lent<Conversation>? = nil,
    origin: Origin,
    isPosted: Bool = false,
    isInput: Bool = false,
    source: _Source = _Source()
  ) {
    self.cause = cause
    self.root = root
    self.conversation = conversation
    self.origin = origin
    self.isPosted = isPosted
    self.isInput = isInput
    self.source = source
  }
}

/// The line of code that sent an event: known in a debug build, and without size in a release build.
///
/// Internal to the stream.
public struct _Source {
  #if DEBUG
    @usableFromInline let file: StaticString
    @usableFromInline let line: UInt
    var text: String? { line == 0 ? nil : "\(file):\(line)" }
  #else
    var text: String? { nil }
  #endif

  @inlinable @inline(__always)
  init(_ file: StaticString = "", _ line: UInt = 0) {
    #if DEBUG
      (self.file, self.line) = (file, line)
    #endif
  }
}
