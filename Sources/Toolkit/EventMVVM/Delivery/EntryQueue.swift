/// A first-in first-out queue of values of any type, stored contiguously in chunks of memory.
///
/// So an event costs no allocation of its own: its bytes are copied in, and moved out at its
/// turn. It is a plain structure: its owner calls ``destroy()`` at the end.
@usableFromInline
struct EntryQueue {
  /// The head of a piece of memory; the entries follow it.
  @usableFromInline
  struct Chunk {
    @usableFromInline var next: UnsafeMutablePointer<Chunk>?
    /// The offsets of the oldest entry and of the next one, both from the first entry on.
    @usableFromInline var read: Int
    @usableFromInline var write: Int
    /// How many bytes of entries it holds; more than ``standard`` only for an entry that is larger.
    @usableFromInline let capacity: Int

    @usableFromInline static let standard = 16_384
    /// Where the first entry begins: as far in as the largest alignment of an event.
    @usableFromInline static var dataOffset: Int { 64 }
  }

  /// The header before each value.
  ///
  /// The header comes first, so that the address of one is that of the other.
  @usableFromInline
  struct Entry {
    @usableFromInline var header: _Header
    @usableFromInline let type: any StreamEntry.Type
    /// The offset of the value, as its alignment requires.
    @usableFromInline let payloadOffset: Int
    /// The size with its value, up to the next entry, in bytes.
    @usableFromInline let size: Int

    @inlinable
    init(type: any StreamEntry.Type, header: _Header, payloadOffset: Int, size: Int) {
      self.header = header
      self.type = type
      self.payloadOffset = payloadOffset
      self.size = size
    }
  }

  @usableFromInline var head: UnsafeMutablePointer<Chunk>
  @usableFromInline var tail: UnsafeMutablePointer<Chunk>
  /// A chunk that has been read to its end, reused when the last one is full.
  private var spare: UnsafeMutablePointer<Chunk>?

  init() {
    head = Self.allocate(Chunk.standard)
    tail = head
  }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Chunk> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Chunk.dataOffset + capacity,
      alignment: 64
    )
    let chunk = memory.bindMemory(to: Chunk.self, capacity: 1)
    chunk.initialize(to: Chunk(next: nil, read: 0, write: 0, capacity: capacity))
    return chunk
  }

  /// Appends a value; amortised constant time.
  @inlinable @inline(__always)
  mutating func push<E: StreamEntry>(_ value: consuming E, _ header: _Header) {
    let alignment = max(MemoryLayout<E>.alignment, 16)
    let payload = (MemoryLayout<Entry>.size + alignment - 1) & ~(alignment - 1)
    let size = (payload + MemoryLayout<E>.size + 15) & ~15
    if alignment > 16 || tail.pointee.capacity - tail.pointee.write < size {
      grow(size, alignment)
    }
    let address = UnsafeMutableRawPointer(tail) + (Chunk.dataOffset + tail.pointee.write)
    let entry = Entry(type: E.self, header: header, payloadOffset: payload, size: size)
    address.initializeMemory(as: Entry.self, to: entry)
    (address + payload).initializeMemory(as: E.self, to: value)
    tail.pointee.write += size
  }

  /// Links another chunk with room for `size` bytes.
  @usableFromInline
  mutating func grow(_ size: Int, _ alignment: Int) {
    precondition(alignment <= 64, "an event aligned to more than 64 bytes")
    let recycled = size <= Chunk.standard ? takeSpare() : nil
    let next = recycled ?? Self.allocate(max(size, Chunk.standard))
    tail.pointee.next = next
    tail = next
  }

  /// Takes the oldest entry off the queue; its memory stays in place until the next call.
  mutating func take() -> UnsafeMutablePointer<Entry>? {
    while head.pointee.read == head.pointee.write {
      guard let next = head.pointee.next else {
        head.pointee.read = 0
        head.pointee.write = 0
        return nil
      }
      recycle(head)
      head = next
    }
    let address = UnsafeMutableRawPointer(head) + (Chunk.dataOffset + head.pointee.read)
    let entry = address.assumingMemoryBound(to: Entry.self)
    head.pointee.read += entry.pointee.size
    return entry
  }

  /// Returns the oldest entry, and leaves it in the queue.
  mutating func peek() -> UnsafeMutablePointer<Entry>? {
    guard let entry = take() else { return nil }
    head.pointee.read -= entry.pointee.size
    return entry
  }

  @inlinable @inline(__always)
  var isEmpty: Bool {
    head.pointee.next == nil && head.pointee.read == head.pointee.write
  }

  /// Appends all of `other` to this queue, in constant time.
  mutating func append(_ other: inout EntryQueue) {
    guard !other.isEmpty else { return }
    tail.pointee.next = other.head
    tail = other.tail
    other.restart(takeSpare())
  }

  /// Moves all of `other` before this queue's entries, in constant time.
  mutating func prepend(_ other: inout EntryQueue) {
    guard !other.isEmpty else { return }
    other.tail.pointee.next = head
    head = other.head
    other.restart(takeSpare())
  }

  /// Starts over with one chunk: its own memory belongs to another queue now.
  private mutating func restart(_ chunk: UnsafeMutablePointer<Chunk>?) {
    head = chunk ?? Self.allocate(Chunk.standard)
    tail = head
  }

  private mutating func takeSpare() -> UnsafeMutablePointer<Chunk>? {
    defer { spare = nil }
    return spare
  }

  private mutating func recycle(_ chunk: UnsafeMutablePointer<Chunk>) {
    guard spare == nil, chunk.pointee.capacity == Chunk.standard else {
      return chunk.deallocate()
    }
    chunk.pointee = Chunk(next: nil, read: 0, write: 0, capacity: Chunk.standard)
    spare = chunk
  }

  /// Destroys all entries, which get no turn, and frees the memory; the queue is not used again.
  mutating func destroy() {
    while let entry = take() { entry.pointee.type.drop(Self.address(of: entry)) }
    spare?.deallocate()
    head.deallocate()
  }
}

extension EntryQueue {
  /// Returns the address of an entry's header.
  @inlinable @inline(__always)
  static func address(of entry: UnsafeMutablePointer<Entry>) -> _EntryAddress {
    _EntryAddress(UnsafeMutableRawPointer(entry).assumingMemoryBound(to: _Header.self))
  }
}
