import Platform
import EventMVVM
import Foundation
import Seams
import Synchronization

/// The messages to a descriptor, in order, each written in one piece.
///
/// Posting a message never waits for the reader at the other end. A short message is written at
/// once where the system has room for it, as a second thread would cost more than the message;
/// every other one is passed to the outbox's own thread. A short message that others follow is
/// held for them, as waking the reader costs more than a message, too: until there are ``shortest``
/// bytes, a thread calls ``release()``, or ``patience`` has passed. No message is dropped here: a
/// caller that can omit one checks ``bytesWaiting`` first, or has a callback for when it is
/// written.
final class Outbox: @unchecked Sendable {
  // Unchecked: the variables are touched under the condition's lock alone, or are atomic.

  /// A message, and the callback for when it is written.
  private struct Entry {
    var bytes: [UInt8]
    var whenWritten: (@Sendable () -> Void)? = nil
  }

  /// The bytes that a pipe accepts in one piece, if it accepts any (POSIX: PIPE_BUF is 512 or
  /// more).
  private static let shortest = 4096
  /// The kind of descriptor, which determines whether a write can be non-blocking.
  private enum Kind { case pipe, socket, other }

  /// Its own copy; below zero once it is closed, or if none was available.
  ///
  /// If the caller closes its descriptor, pending messages don't get into a file that is opened
  /// under the same number.
  private var descriptor: Int32
  private let kind: Kind
  /// How long a message is held for others at least, and half of the longest time: in seconds.
  private let patience: Double
  private let whenBroken: @Sendable () -> Void
  private let condition = NSCondition()
  private var entries: [Entry] = []
  /// Short messages that are held for others; they come after all entries.
  private var held: [UInt8] = []
  /// How often holding has begun.
  private var holds = 0
  /// Whether the thread is to write the held messages.
  private var isTiming = false
  private var isWriting = false
  private var isBroken = false
  private var isOver = false
  private var hasThread = false
  private var lacksThread = false
  /// Whether the end was reported.
  private var hasTold = false
  private var flushers = 0
  private let waiting = WaitingBytes()
  /// The work for when the other end has read almost everything, or no longer reads.
  private var whenRead: [@Sendable () -> Void] = []

  /// Creates an outbox for a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write; it stays the caller's, who may close it at any time.
  ///   - patience: How long a message waits for others at least: in seconds.
  ///   - whenBroken: Called once, when there is no longer a reader; from any thread.
  init(_ descriptor: Int32, patience: Double = 0.001, whenBroken: @escaping @Sendable () -> Void) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    self.patience = patience
    self.whenBroken = whenBroken
    var status = stat()
    switch fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0 {
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    default: kind = .other
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it can write: false if the process could open no copy of the descriptor.
  var isOpen: Bool {
    condition.lock()
    defer { condition.unlock() }
    return descriptor >= 0
  }

  /// The bytes that are not written yet.
  var bytesWaiting: Int { waiting.count }

  /// Calls back once at most ``WaitingBytes/few`` bytes wait, or there is no longer a reader; on any
  /// thread, also on this one.
  func whenRead(_ body: @escaping @Sendable () -> Void) {
    condition.lock()
    let isRead = isBroken || waiting.areFew
    if !isRead { whenRead.append(body) }
    condition.unlock()
    if isRead { body() }
  }

  /// Queues a message.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - framing: The framing of the message.
  ///   - isFollowed: Whether another message is expected at once, for which a short one can wait.
  ///   - whenWritten: Called when it is written to the system; not if that fails.
  func post(
    _ message: [UInt8],
    _ framing: Framing,
    isFollowed: Bool = false,
    whenWritten: (@Sendable () -> Void)? = nil
  ) {
    condition.lock()
    guard !isBroken, !isOver else { return condition.unlock() }
    let isShort = message.count <= Self.shortest - Framing.mostBytes
    guard kind != .other, entries.isEmpty, isShort, !isWriting || isFollowed else {
      return leave(Entry(bytes: framing.frame(message), whenWritten: whenWritten))
    }
    guard held.count + message.count <= Self.shortest - Framing.mostBytes else {
      let earlier = Entry(bytes: takeHeld())
      if isWriting { leave(earlier) } else { writeNow(earlier) }
      return post(message, framing, isFollowed: isFollowed, whenWritten: whenWritten)
    }
    if isFollowed || !held.isEmpty { hold(message, framing) }
    guard !isFollowed else { return unlock() }
    let bytes = held.isEmpty ? framing.frame(message) : takeHeld()
    writeNow(Entry(bytes: bytes, whenWritten: whenWritten))
  }

  /// Writes the held messages: no other message follows for now.
  func release() {
    guard waiting.exactCount > 0 else { return }
    condition.lock()
    guard !held.isEmpty else { return condition.unlock() }
    let message = Entry(bytes: takeHeld())
    if isWriting || !entries.isEmpty { leave(message) } else { writeNow(message) }
  }

  /// Passes a message to the thread, after the held ones; releases the lock.
  private func leave(_ entry: Entry) {
    keepHeld()
    append(entry)
    unlock()
  }

  /// Holds a short message, after those that are held already.
  private func hold(_ message: [UInt8], _ framing: Framing) {
    let before = held.count
    if before == 0 {
      held.reserveCapacity(Self.shortest)
      // The thread writes the held messages from now on.
      holds += 1
      startThread()
      if !isTiming { condition.broadcast() }
    }
    framing.append(message, to: &held)
    // The thread that holds it then checks whether another one has released everything; the
    // releasing thread checks this afterwards.
    waiting.add(held.count - before)
  }

  /// Removes and returns the held messages.
  private func takeHeld() -> [UInt8] {
    defer { held = [] }
    waiting.add(-held.count)
    return held
  }

  /// Passes the held messages to the thread.
  private func keepHeld() {
    if !held.isEmpty { append(Entry(bytes: takeHeld())) }
  }

  /// Writes a short message on this thread, when none waits before it; releases the lock.
  private func writeNow(_ entry: Entry) {
    isWriting = true
    condition.unlock()
    let written = writeAtOnce(entry.bytes)
    if written == entry.bytes.count || written < 0 {
      finish(written >= 0)
      if written >= 0 { entry.whenWritten?() }
      return
    }
    condition.lock()
    isWriting = false
    // Messages of other threads come after the rest of this one.
    append(Entry(bytes: Array(entry.bytes[written...]), whenWritten: entry.whenWritten), at: 0)
    unlock()
  }

  private func append(_ entry: Entry, at index: Int? = nil) {
    entries.insert(entry, at: index ?? entries.count)
    waiting.add(entry.bytes.count)
    startThread()
    if !isWriting { condition.broadcast() }
  }

  /// Waits until everything has been written, or there is no longer a reader.
  ///
  /// - Parameter limit: The latest time.
  /// - Returns: Whether everything has been written.
  @discardableResult
  func flush(until limit: Date) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    keepHeld()
    flushers += 1
    defer { flushers -= 1 }
    while (!entries.isEmpty || isWriting) && !isBroken {
      guard condition.wait(until: limit) else { return false }
    }
    return !isBroken
  }

  /// Whether the other end has a reader, as far as is known here.
  var hasReader: Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isBroken, descriptor >= 0 else { return false }
    var place = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&place, 1, 0) <= 0
  }

  /// Accepts no more messages.
  ///
  /// Waiting ones are still written; then the descriptor is closed.
  func end() {
    condition.lock()
    keepHeld()
    isOver = true
    closeIfDone()
    condition.broadcast()
    condition.unlock()
  }

  // MARK: Writing

  /// Writes as much of a short message as the system accepts without blocking; below zero if there
  /// is no longer a reader.
  private func writeAtOnce(_ bytes: [UInt8]) -> Int {
    if kind == .socket {
      let flags = Int32(truncatingIfNeeded: Int(MSG_DONTWAIT) | Int(MSG_NOSIGNAL))
      let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      guard count < 0 else { return count }
      return errno == EAGAIN || errno == EINTR ? 0 : -1
    }
    var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard poll(&place, 1, 0) == 1, Int32(place.revents) & POLLOUT != 0 else { return 0 }
    return write(bytes) ? bytes.count : -1
  }

  /// Notes that a write has ended.
  private func finish(_ isWritten: Bool) {
    condition.lock()
    isWriting = false
    let breaks = !isWritten && !isBroken
    if breaks {
      isBroken = true
      // Nothing waits any more: what is called back for that would else wait again at once.
      (entries, held) = ([], [])
      waiting.clear()
    }
    closeIfDone()
    if !entries.isEmpty || isOver || isBroken || flushers > 0 { condition.broadcast() }
    let read = takeRead()
    condition.unlock()
    if breaks { whenBroken() }
    for body in read { body() }
  }

  /// Removes and returns the work for when the other end has read, if that is now; under the lock.
  private func takeRead() -> [@Sendable () -> Void] {
    guard !whenRead.isEmpty, isBroken || waiting.areFew else { return [] }
    defer { whenRead = [] }
    return whenRead
  }

  /// Closes the descriptor if there is nothing more to write; under the lock.
  private func closeIfDone() {
    let isDone = isBroken || (isOver && entries.isEmpty)
    guard isDone, !isWriting, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// Starts the thread if there is none; where the system has none, nothing more is written.
  ///
  /// Under the lock.
  private func startThread() {
    guard !hasThread, !isBroken else { return }
    hasThread = EventMVVM.startThread { [self] in writeEntries() }
    guard !hasThread else { return }
    (isBroken, lacksThread) = (true, true)
    waiting.clear()
    closeIfDone()
    condition.broadcast()
  }

  /// Releases the lock, and then reports if writing has ended for lack of a thread.
  private func unlock() {
    let breaks = lacksThread && !hasTold
    if breaks { hasTold = true }
    let read = takeRead()
    condition.unlock()
    if breaks { whenBroken() }
    for body in read { body() }
  }

  /// Whether writing has ended for lack of a thread.
  var hadNoThread: Bool {
    condition.lock()
    defer { condition.unlock() }
    return lacksThread
  }

  private func writeEntries() {
    Seam.pass(.thread)
    while let batch = nextBatch() {
      var isWritten = true
      for entry in batch where isWritten {
        isWritten = write(entry.bytes)
        waiting.add(-entry.bytes.count)
        if isWritten { entry.whenWritten?() }
      }
      finish(isWritten)
    }
  }

  /// Returns all waiting messages, as soon as there is one; nil at the end.
  ///
  /// They are returned together, as a posting thread would otherwise wait for the lock at each one.
  private func nextBatch() -> [Entry]? {
    condition.lock()
    defer { condition.unlock() }
    while isWriting || (entries.isEmpty && !isOver && !isBroken) { wait() }
    defer { entries = [] }
    guard !isBroken, !entries.isEmpty else {
      held = []
      waiting.clear()
      closeIfDone()
      return nil
    }
    isWriting = true
    return entries
  }

  /// Waits for a change; under the lock.
  ///
  /// Messages that are held all the time meanwhile become an entry. While any are held, the thread
  /// checks again by itself: waking it for each burst of messages would cost more.
  private func wait() {
    isTiming = !held.isEmpty || isTiming
    guard isTiming else { return condition.wait() }
    let before = holds
    let isOver = !condition.wait(until: Date(timeIntervalSinceNow: patience))
    guard isOver, holds == before else { return }
    keepHeld()
    isTiming = false
  }

  /// Writes all of a message; false if there is no longer a reader.
  private func write(_ bytes: [UInt8]) -> Bool { writeAll(bytes, to: descriptor) == nil }
}
