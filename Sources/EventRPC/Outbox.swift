import Platform
import EventMVVM
import Foundation
import Synchronization

/// The messages to a descriptor, in order, each written in one piece.
///
/// Posting a message never waits for the reader at the other end. A short message is written at
/// once where the system has room for it, as a second thread would cost more than the message;
/// everything else is left to a thread of the outbox's own. A short message that others follow is
/// held for them, as waking the reader costs more than a message, too: until there are ``shortest``
/// bytes, a thread calls ``release()``, or ``patience`` is over. Nothing is ever dropped here:
/// callers that can do without a message look at ``bytesWaiting`` first, or have themselves told
/// when one has been written.
final class Outbox: @unchecked Sendable {
  // Unchecked: the variables are touched under the condition's lock alone, or are atomic.

  /// A message, and what is called when it has been written.
  private struct Entry {
    var bytes: [UInt8]
    var whenWritten: (@Sendable () -> Void)? = nil
  }

  /// What a pipe takes in one piece, and at once if it takes anything (POSIX: PIPE_BUF is 512 or
  /// more).
  private static let shortest = 4096
  /// What can be said of the descriptor: whether it takes something at once.
  private enum Kind { case pipe, socket, other }

  /// Its own; below zero once it is closed, or if there was none left.
  ///
  /// If the giver closes its own, what is still written does not get into a file that is opened
  /// under the same number.
  private var descriptor: Int32
  private let kind: Kind
  /// How long a message is held for others at least, and half of what it is at most: in seconds.
  private let patience: Double
  private let whenBroken: @Sendable () -> Void
  private let condition = NSCondition()
  private var entries: [Entry] = []
  /// Short messages that are held for others; they come after all entries.
  private var held: [UInt8] = []
  /// How often something was held after nothing.
  private var holds = 0
  /// Whether the thread writes what is held.
  private var isTiming = false
  private var isWriting = false
  private var isBroken = false
  private var isOver = false
  private var hasThread = false
  private var lacksThread = false
  /// Whether that was reported.
  private var hasTold = false
  private var flushers = 0
  /// The bytes that wait.
  private let waiting = Atomic(0)

  /// Writes to a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write; it stays the caller's, who may close it at any time.
  ///   - patience: How long a message waits for others at least: in seconds.
  ///   - whenBroken: Called once, when there is no reader any more; from any thread.
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

  /// The bytes that have not been taken yet.
  var bytesWaiting: Int { waiting.load(ordering: .relaxed) }

  /// Leaves a message to be written.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - framing: What stands round it.
  ///   - isFollowed: Whether another message is expected at once, which a short one can wait for.
  ///   - whenWritten: Called when it has been handed to the system; not if that fails.
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
    hold(message, framing, isFollowed: isFollowed)
    guard !isFollowed else { return unlock() }
    writeNow(Entry(bytes: takeHeld(), whenWritten: whenWritten))
  }

  /// Lets what is held go: nothing follows it for now.
  func release() {
    guard waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
    condition.lock()
    guard !held.isEmpty else { return condition.unlock() }
    let message = Entry(bytes: takeHeld())
    if isWriting || !entries.isEmpty { leave(message) } else { writeNow(message) }
  }

  /// Leaves a message to the thread, after what is held; ends the lock.
  private func leave(_ entry: Entry) {
    keepHeld()
    append(entry)
    unlock()
  }

  /// Keeps a short message after what is held already.
  private func hold(_ message: [UInt8], _ framing: Framing, isFollowed: Bool) {
    let before = held.count
    if before == 0 {
      held.reserveCapacity(isFollowed ? Self.shortest : message.count + Framing.mostBytes)
      if isFollowed { beginTiming() }
    }
    framing.append(message, to: &held)
    // The thread that holds it then looks whether another has released everything; the releasing
    // one looks here afterwards.
    waiting.add(held.count - before, ordering: .sequentiallyConsistent)
  }

  /// Lets the thread write what is held from now on.
  private func beginTiming() {
    holds += 1
    startThread()
    if !isTiming { condition.broadcast() }
  }

  /// Takes what is held.
  private func takeHeld() -> [UInt8] {
    defer { held = [] }
    waiting.subtract(held.count, ordering: .relaxed)
    return held
  }

  /// Leaves what is held to the thread.
  private func keepHeld() {
    if !held.isEmpty { append(Entry(bytes: takeHeld())) }
  }

  /// Writes a short message before which nothing waits, on this thread; ends the lock.
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
    // What other threads have posted meanwhile comes after the rest of this.
    append(Entry(bytes: Array(entry.bytes[written...]), whenWritten: entry.whenWritten), at: 0)
    unlock()
  }

  private func append(_ entry: Entry, at index: Int? = nil) {
    entries.insert(entry, at: index ?? entries.count)
    waiting.add(entry.bytes.count, ordering: .relaxed)
    startThread()
    if !isWriting { condition.broadcast() }
  }

  /// Waits until everything has been written, or there is no reader any more.
  ///
  /// - Parameter limit: When to give up.
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

  /// Whether the other end has a reader, as far as is known.
  var hasReader: Bool {
    condition.lock()
    defer { condition.unlock() }
    guard !isBroken, descriptor >= 0 else { return false }
    var place = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&place, 1, 0) <= 0
  }

  /// Takes nothing more.
  ///
  /// What waits is still written; then the descriptor is closed.
  func end() {
    condition.lock()
    keepHeld()
    isOver = true
    closeIfDone()
    condition.broadcast()
    condition.unlock()
  }

  // MARK: Writing

  /// Writes as much of a short message as the system takes without waiting; below zero if there is
  /// no reader any more.
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

  /// Notes that what was under way is over.
  private func finish(_ isWritten: Bool) {
    condition.lock()
    isWriting = false
    let breaks = !isWritten && !isBroken
    if breaks { isBroken = true }
    closeIfDone()
    if !entries.isEmpty || isOver || isBroken || flushers > 0 { condition.broadcast() }
    condition.unlock()
    if breaks { whenBroken() }
  }

  /// Closes the descriptor if nothing will be written any more; under the lock.
  private func closeIfDone() {
    let isDone = isBroken || (isOver && entries.isEmpty)
    guard isDone, !isWriting, descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
  }

  /// Starts the thread if there is none; where that can't be, nothing more is written.
  ///
  /// Under the lock.
  private func startThread() {
    guard !hasThread, !isBroken else { return }
    hasThread = EventMVVM.startThread { [self] in writeEntries() }
    guard !hasThread else { return }
    (isBroken, lacksThread) = (true, true)
    closeIfDone()
    condition.broadcast()
  }

  /// Ends the lock, and reports then if nothing is written any more for want of a thread.
  private func unlock() {
    let breaks = lacksThread && !hasTold
    if breaks { hasTold = true }
    condition.unlock()
    if breaks { whenBroken() }
  }

  /// Whether it is broken because the system had no thread to spare.
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
        waiting.subtract(entry.bytes.count, ordering: .relaxed)
        if isWritten { entry.whenWritten?() }
      }
      finish(isWritten)
    }
  }

  /// All messages that wait, as soon as there is one; nil at the end.
  ///
  /// They are taken together, as a posting thread would otherwise wait for the lock at each of
  /// them.
  private func nextBatch() -> [Entry]? {
    condition.lock()
    defer { condition.unlock() }
    while isWriting || (entries.isEmpty && !isOver && !isBroken) { wait() }
    defer { entries = [] }
    guard !isBroken, !entries.isEmpty else {
      held = []
      waiting.store(0, ordering: .relaxed)
      closeIfDone()
      return nil
    }
    isWriting = true
    return entries
  }

  /// Waits for something to happen; under the lock.
  ///
  /// What is held all the time meanwhile becomes an entry. As long as anything was held, the thread
  /// looks again by itself: to be woken for each burst of messages would cost more.
  private func wait() {
    isTiming = !held.isEmpty || isTiming
    guard isTiming else { return condition.wait() }
    let before = holds
    let isOver = !condition.wait(until: Date(timeIntervalSinceNow: patience))
    guard isOver, holds == before else { return }
    keepHeld()
    isTiming = false
  }

  /// Writes all of a message; false if there is no reader any more.
  private func write(_ bytes: [UInt8]) -> Bool { writeAll(bytes, to: descriptor) == nil }
}
