import Descriptors
import Foundation
import Synchronization

/// What is to be written to a descriptor, in order, each message in one piece.
///
/// Whoever posts a message never waits for the reader at the other end. A short message is written at
/// once where the system has room for it, as a second thread would cost more than the message; everything
/// else is left to a thread of the outbox's own. Nothing is ever dropped here: those who can do without
/// a message look at ``isIdle`` first, or have themselves told when one has been written.
final class Outbox: @unchecked Sendable {
  // Unchecked: the variables are touched under the condition's lock alone, or are atomic.

  /// A message, and who is told when it has been written.
  private struct Entry {
    var bytes: [UInt8]
    var whenWritten: (@Sendable () -> Void)?
  }

  /// What a pipe takes in one piece, and at once if it takes anything (POSIX: PIPE_BUF is 512 or more).
  private static let shortest = 4096

  /// What can be said of the descriptor: whether it takes something at once.
  private enum Kind { case pipe, socket, other }

  /// Its own; below zero once it is closed, or if there was none left.
  ///
  /// If whoever gave it closes his, what is still to be written gets into nothing that is opened under the
  /// same number.
  private var descriptor: Int32
  private let kind: Kind
  private let whenBroken: @Sendable () -> Void
  private let condition = NSCondition()
  private var entries: [Entry] = []
  private var isWriting = false
  private var isBroken = false
  private var isOver = false
  private var hasThread = false
  private var flushers = 0
  /// The bytes that wait.
  private let waiting = Atomic(0)

  /// Writes to a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write; it stays the caller's, who may close it at any time.
  ///   - whenBroken: Called once, when nobody reads any more; from any thread.
  init(_ descriptor: Int32, whenBroken: @escaping @Sendable () -> Void) {
    self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    self.whenBroken = whenBroken
    var status = stat()
    switch fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0 {
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    default: kind = .other
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The bytes that nobody has taken yet.
  var bytesWaiting: Int { waiting.load(ordering: .relaxed) }

  /// Leaves a message to be written.
  ///
  /// - Parameters:
  ///   - bytes: The message with its frame.
  ///   - whenWritten: Called when it has been handed to the system; not if that fails.
  func post(_ bytes: [UInt8], whenWritten: (@Sendable () -> Void)? = nil) {
    condition.lock()
    guard !isBroken, !isOver else { return condition.unlock() }
    guard kind != .other, !isWriting, entries.isEmpty, bytes.count <= Self.shortest else {
      append(Entry(bytes: bytes, whenWritten: whenWritten))
      return condition.unlock()
    }
    isWriting = true
    condition.unlock()
    let written = writeAtOnce(bytes)
    if written == bytes.count || written < 0 {
      finish(written >= 0)
      if written >= 0 { whenWritten?() }
      return
    }
    condition.lock()
    isWriting = false
    // What others have posted meanwhile comes behind the rest of this.
    append(Entry(bytes: Array(bytes[written...]), whenWritten: whenWritten), at: 0)
    condition.unlock()
  }

  private func append(_ entry: Entry, at index: Int? = nil) {
    entries.insert(entry, at: index ?? entries.count)
    waiting.add(entry.bytes.count, ordering: .relaxed)
    startThread()
    if !isWriting { condition.broadcast() }
  }

  /// Waits until everything has been written, or nobody reads any more.
  ///
  /// - Parameter limit: When to give up.
  func flush(until limit: Date) {
    condition.lock()
    defer { condition.unlock() }
    flushers += 1
    defer { flushers -= 1 }
    while (!entries.isEmpty || isWriting) && !isBroken {
      guard condition.wait(until: limit) else { return }
    }
  }

  /// Takes nothing more.
  ///
  /// What waits is still written; behind it the descriptor is closed.
  func end() {
    condition.lock()
    isOver = true
    closeIfDone()
    condition.broadcast()
    condition.unlock()
  }

  // MARK: Writing

  /// Writes as much of a short message as the system takes without waiting; below zero if nobody reads
  /// any more.
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

  private func startThread() {
    guard !hasThread else { return }
    hasThread = true
    let thread = Thread { [self] in writeEntries() }
    thread.name = "rpc writer"
    thread.start()
  }

  private func writeEntries() {
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
  /// They are taken together, as whoever posts would else have to wait for the lock at each of them.
  private func nextBatch() -> [Entry]? {
    condition.lock()
    defer { condition.unlock() }
    while isWriting || (entries.isEmpty && !isOver && !isBroken) { condition.wait() }
    defer { entries = [] }
    guard !isBroken, !entries.isEmpty else {
      waiting.store(0, ordering: .relaxed)
      closeIfDone()
      return nil
    }
    isWriting = true
    return entries
  }

  /// Writes all of a message; false if nobody reads any more.
  private func write(_ bytes: [UInt8]) -> Bool { writeAll(bytes, to: descriptor) == nil }
}
