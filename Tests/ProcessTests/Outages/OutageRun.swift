#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Synchronization

  /// Several processes that write into one list at once, each driven by a thread, until they are
  /// told to end.
  final class OutageRun: Sendable {
    private struct State {
      var history = WriteHistory()
      var refused = 0
      /// What no writer may be told.
      var failures: [String] = []
      var ready = 0
      /// Writers that write no more.
      var written = 0
      var ended = 0
      /// All processes are there.
      var hasBegun = false
      var isOver = false
    }

    private let state = Mutex(State())
    private let ways: [String]
    private let writers: Int
    private let watchers: Int
    /// The title of the last todo, after which nobody writes.
    private static let last = "end"

    /// Starts the processes, every second one through the pooler.
    ///
    /// - Parameters:
    ///   - writers: The number of writers; on each way every second one is a server, and the others
    ///     are commands.
    ///   - watchers: The number of servers that only watch.
    ///   - server: The server of the list.
    ///   - list: The name of the list.
    init(_ writers: Int, _ watchers: Int, on server: PostgresServer, list: String) {
      (self.writers, self.watchers) = (writers, watchers)
      ways = [server.address, server.pooled].map { "\($0)#\(list)" }
      for index in 0..<writers + watchers {
        Thread.detachNewThread { [self] in
          do {
            try perform(index, ways[index % 2])
          } catch {
            state.withLock { $0.failures.append("process \(index): \(error)") }
          }
          state.withLock { $0.ended += 1 }
        }
      }
    }

    // MARK: What the test does

    /// Waits until all are there, and lets them write.
    func begin() throws {
      try wait("all are there") { $0.ready == writers + watchers }
      state.withLock { $0.hasBegun = true }
    }

    /// Waits until so many writes are acknowledged.
    func waitUntilAcknowledged(_ count: Int) throws {
      try wait("\(count) are acknowledged") { $0.history.acknowledged.count >= count }
    }

    var acknowledged: Int { state.withLock { $0.history.acknowledged.count } }
    var refused: Int { state.withLock { $0.refused } }
    var failures: [String] { state.withLock { $0.failures } }

    /// Lets each writer finish its last write, writes once more, and waits until all servers were
    /// told of that.
    ///
    /// - Returns: The history, without the log.
    func finish() throws -> WriteHistory {
      state.withLock { $0.isOver = true }
      try wait("nobody writes") { $0.written == writers }
      _ = try store(.add(mark: Self.last), Self.last, CommandWriter(ways[0]))
      try wait("all were told of the end") { $0.ended == writers + watchers }
      return state.withLock { $0.history }
    }

    private func wait(_ what: String, _ isSo: (State) -> Bool) throws {
      try waitUntil(what, within: .seconds(120 * Patience.factor)) {
        try state.withLock { state in
          if let failure = state.failures.first { throw Indefinite(description: failure) }
          return isSo(state)
        }
      }
    }

    // MARK: What a process does

    private func perform(_ index: Int, _ address: String) throws {
      let isWriter = index < writers
      guard !isWriter || index / 2 % 2 == 0 else { return try write(index, CommandWriter(address)) }
      let server = try ServerWriter(
        isWriter ? "writer \(index)" : "watcher \(index)",
        address,
        ownMarks: isWriter ? Self.marks(of: index) : nil
      )
      if isWriter {
        try write(index, server)
      } else {
        state.withLock { $0.ready += 1 }
      }
      try server.watch(until: Self.last)
      state.withLock { $0.history.watchers.append(server.told) }
      let status = try server.end()
      guard status == 0 else { throw Indefinite(description: "exit status \(status)") }
    }

    private static func marks(of writer: Int) -> String { "\(writer)-" }

    /// Adds todos and edits them, each with a mark of its own, until all is over.
    private func write(_ index: Int, _ writer: some OutageWriter) throws {
      state.withLock { $0.ready += 1 }
      while !state.withLock({ $0.hasBegun }) { usleep(5_000) }
      var (count, number): (Int, Int?) = (0, nil)
      while !state.withLock({ $0.isOver }) {
        count += 1
        let mark = "\(Self.marks(of: index))\(count)"
        let edited = count.isMultiple(of: 3) ? number : nil
        number = try store(
          edited.map { .edit($0, mark: mark) } ?? .add(mark: mark),
          mark,
          writer
        )
      }
      state.withLock { $0.written += 1 }
    }

    /// Asks for a write until it is stored; returns the number of the todo.
    private func store(
      _ request: OutageRequest,
      _ mark: String,
      _ writer: some OutageWriter
    ) throws -> Int {
      while true {
        let begin = now()
        if case .stored(let number, let revision) = try writer.ask(request) {
          let write = WriteHistory.Write(mark: mark, revision: revision, begin: begin, end: now())
          state.withLock { $0.history.acknowledged.append(write) }
          return number
        }
        state.withLock { $0.refused += 1 }
        // Without a server it is refused at once.
        usleep(20_000)
      }
    }
  }

  /// Nanoseconds of a clock that never goes back.
  private func now() -> Int { Int(origin.duration(to: .now) / .nanoseconds(1)) }
  private let origin = ContinuousClock.now
#endif
