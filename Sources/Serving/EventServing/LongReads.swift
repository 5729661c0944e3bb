import EventMVVM
import EventRPC

/// Admits the reads that need an open snapshot or much memory: a few at once in the whole process, and
/// half of them for one session; the rest waits.
///
/// Sessions take turns, and each has its reads in the order in which they came. Used by any thread.
final class LongReads: Sendable {
  /// Those of the process.
  static let ofProcess = LongReads()

  /// How many are admitted at once.
  private static let most = 4
  /// How many of them a session may have.
  private static let mostOfOne = 2

  fileprivate enum Phase { case waiting, begun, over }

  /// A read, from its request to its answer.
  final class Read: Sendable {
    /// How many others it takes the place of.
    fileprivate let weight: Int
    fileprivate let owner: ObjectIdentifier
    /// The connection to the client, who may have left too much unread.
    fileprivate let peer: RPCPeer
    fileprivate let start: @Sendable () -> Void
    /// Answers that it was cancelled.
    fileprivate let refuse: @Sendable () -> Void
    fileprivate let phase = Locked(Phase.waiting)

    /// Describes a read.
    ///
    /// - Parameters:
    ///   - session: The session that requests it.
    ///   - isWhole: Whether its whole result is in memory at once, so that it is admitted alone.
    ///   - start: Begins it; called on any thread.
    ///   - refuse: Answers that it was cancelled before it began.
    init(
      of session: Session,
      isWhole: Bool = false,
      start: @escaping @Sendable () -> Void,
      refuse: @escaping @Sendable () -> Void
    ) {
      owner = ObjectIdentifier(session)
      peer = session.peer
      weight = isWhole ? LongReads.most : 1
      self.start = start
      self.refuse = refuse
    }
  }

  private struct Queue {
    var running = 0
    var waiting = FIFO<Read>()

    /// Whether the session may have another one.
    func hasRoom(for read: Read) -> Bool {
      running == 0 || running + read.weight <= LongReads.mostOfOne
    }
  }

  private struct State {
    var free = LongReads.most
    var queues: [ObjectIdentifier: Queue] = [:]
    /// The sessions with waiting reads, whose turn is next first.
    var order: [ObjectIdentifier] = []

    /// Drops what was cancelled before its turn, so that nothing waits for room for it.
    private mutating func skipCancelled() {
      var kept: [ObjectIdentifier] = []
      for owner in order {
        while let read = queues[owner]?.waiting.first, read.phase.withLock({ $0 == .over }) {
          _ = queues[owner]?.waiting.popFirst()
        }
        if queues[owner]?.waiting.isEmpty == false {
          kept.append(owner)
        } else if queues[owner]?.running == 0 {
          queues[owner] = nil
        }
      }
      order = kept
    }

    /// Admits and returns the next read.
    mutating func next() -> Read? {
      skipCancelled()
      for (index, owner) in order.enumerated() {
        guard let read = queues[owner]?.waiting.first, queues[owner]?.hasRoom(for: read) == true
        else { continue }
        // Smaller ones of others wait, too, or a large one would never have its turn.
        guard read.weight <= free else { return nil }
        order.remove(at: index)
        _ = queues[owner]?.waiting.popFirst()
        queues[owner]?.running += read.weight
        free -= read.weight
        if queues[owner]?.waiting.isEmpty == false { order.append(owner) }
        return read
      }
      return nil
    }
  }

  private let state = Locked(State())

  /// Begins a read as soon as there is room for it; on this thread, or on the one that ends another.
  func begin(_ read: Read) {
    state.withLock { state in
      if state.queues[read.owner, default: Queue()].waiting.isEmpty {
        state.order.append(read.owner)
      }
      state.queues[read.owner, default: Queue()].waiting.append(read)
    }
    admit()
  }

  /// Notes that a read is over; does nothing if it was not begun.
  func end(_ read: Read) {
    guard read.move(from: .begun, to: .over) else { return }
    release(read)
    admit()
  }

  /// Refuses a read, unless it was begun.
  func cancel(_ read: Read) {
    guard read.move(from: .waiting, to: .over) else { return }
    read.refuse()
    admit()
  }

  private func release(_ read: Read) {
    state.withLock { state in
      state.free += read.weight
      state.queues[read.owner]?.running -= read.weight
      guard let queue = state.queues[read.owner], queue.running == 0, queue.waiting.isEmpty
      else { return }
      state.queues[read.owner] = nil
    }
  }

  private func admit() {
    while let read = state.withLock({ $0.next() }) {
      guard read.peer.hasRoom else {
        // Others have its place until its client has read.
        release(read)
        read.peer.whenRead { [self] in begin(read) }
        continue
      }
      if read.move(from: .waiting, to: .begun) { read.start() } else { release(read) }
    }
  }
}

extension LongReads.Read {
  /// Enters a phase after another one; false if it is in none of which it is the next.
  fileprivate func move(from old: LongReads.Phase, to new: LongReads.Phase) -> Bool {
    phase.withLock { phase in
      guard phase == old else { return false }
      phase = new
      return true
    }
  }
}
