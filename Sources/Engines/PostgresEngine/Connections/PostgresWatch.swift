import EventMVVM
import EventRecords
import Foundation
import Seams

/// Listens for commits of other processes on a thread of its own, until it is released.
///
/// Commits are announced by NOTIFY. Where notifications do not arrive, as behind a pooler that
/// lends servers by the transaction, it reads twice a second. New changes are read by revision, so
/// that a missed notification loses none.
final class PostgresWatch: StoreWatching {
  /// Reads the changes after a revision; returns the last revision, and whether the log ends there.
  typealias ReadOn =
    @Sendable (any RecordReader, Int) throws -> (revision: Int, isEnd: Bool)

  /// A pipe; closing its other end stops the thread.
  private let stopping: (wake: Int32, close: Int32)
  private let reach: PostgresReach

  /// Begins to listen; all later commits are reported.
  ///
  /// - Parameters:
  ///   - session: Connects, for this watch alone.
  ///   - readOn: Reads new changes, in one snapshot, on the thread of the watch.
  ///   - report: Called once each time that the store becomes unreadable, and with nil once it can
  ///     be read again.
  init(
    _ session: PostgresSession,
    _ readOn: @escaping ReadOn,
    report: @escaping @Sendable ((any Error)?) -> Void
  ) {
    reach = session.reach
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let wake = ends[0]
    stopping = (wake, ends[1])
    let listener = PostgresListener(session, readOn, report)
    reach.watch(true)
    listener.begin()
    let isStarted = startThread {
      while !listener.wait(orUntil: wake) {
        Seam.pass(.watch)
        listener.readOn()
      }
      close(wake)
    }
    guard !isStarted else { return }
    close(wake)
    reach.watch(false)
    report(
      StoreError(
        path: session.address.name,
        "external changes are not noticed: the system has no thread to spare"
      )
    )
  }

  deinit {
    reach.watch(false)
    close(stopping.close)
  }
}

/// The position in the change log, and the connection on which notifications arrive.
private final class PostgresListener: @unchecked Sendable {
  // Unchecked: the thread of the watch alone uses it, and before that the one that creates it.
  private let session: PostgresSession
  private let readNext: PostgresWatch.ReadOn
  private let report: @Sendable ((any Error)?) -> Void
  private let names: PostgresNames
  /// The last revision that is known; nil before the store could be read.
  private var last: Int?
  /// The connection on which notifications arrive; nil before it is made, and after a failure.
  private var connection: PostgresConnection?
  private var isHearing = false
  /// How long to wait before the next attempt, in milliseconds; nil if the last one succeeded.
  private var pause: Int32?
  /// How many attempts have failed since one succeeded.
  private var failures = 0
  /// Whether the last failure was that of a connection.
  private var wasLost = false

  init(
    _ session: PostgresSession,
    _ readOn: @escaping PostgresWatch.ReadOn,
    _ report: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.session = session
    readNext = readOn
    self.report = report
    names = PostgresNames(schema: session.address.schema)
  }

  /// Finds the revision after which to read.
  func begin() { attempt { try findEnd() } }

  private func findEnd() throws { last = try inSnapshot { try $0.end().revision } }

  /// Sleeps until there may be new changes, or it is time to look for them.
  ///
  /// - Returns: Whether the other end of a pipe was closed meanwhile.
  func wait(orUntil stop: Int32) -> Bool {
    var sources = [pollfd(fd: stop, events: Int16(POLLIN), revents: 0)]
    if isHearing, let connection {
      sources.append(pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0))
    }
    // Without a connection it does not wait, except after a failure: the attempt makes one.
    var time: Int32 = pause ?? (connection == nil ? 0 : isHearing ? 10_000 : 500)
    // Another session may find out first that the server can't be reached.
    while session.reach.problem == nil || pause != nil {
      let part = min(time, 500)
      guard poll(&sources, nfds_t(sources.count), part) == 0, time > part else { break }
      time -= part
    }
    return sources[0].revents != 0
  }

  /// Reports all new changes.
  func readOn() {
    if session.reach.problem != nil { connection = nil }
    attempt {
      if connection == nil { try listen() }
      // What can be read, but not understood, fails each time.
      if wasLost {
        _ = try inSnapshot { try $0.end() }
        recover()
      }
      // The next snapshot has all commits that were announced until here.
      _ = try connection?.notifications()
      var isEnd = false
      repeat {
        guard let known = last else {
          try findEnd()
          continue
        }
        let part = try inSnapshot { try readNext($0, known) }
        (last, isEnd) = (part.revision, part.isEnd)
        Seam.pass(.watch)
      } while try !isEnd || isMoreAnnounced()
    }
  }

  /// Whether a commit was announced since the last snapshot began, which may not have it.
  ///
  /// The answer to the end of that snapshot is awaited: the server announces with it what was committed
  /// meanwhile, and the socket does not show what libpq has already read. All that arrives later does
  /// end the wait.
  private func isMoreAnnounced() throws -> Bool {
    guard let connection else { return false }
    try connection.finish()
    return try connection.notifications() > 0
  }

  /// Reports that the store can be read again; after a lost connection before what has changed.
  private func recover() {
    session.reach.regain()
    let wasFailing = pause != nil
    (pause, failures, wasLost) = (nil, 0, false)
    if wasFailing { report(nil) }
  }

  private func inSnapshot<T>(_ body: (PostgresReader) throws -> T) throws -> T {
    let snapshot = session.snapshot()
    defer { snapshot.end() }
    return try body(PostgresReader(names, snapshot.ask))
  }

  /// Listens, unless through a pooler, and checks that notifications arrive: with another
  /// connection, since a connection is always told of its own.
  ///
  /// Behind a pooler that test is not enough: while others write, one notification can arrive by
  /// chance, and none after it. A standby neither lets listen nor announces.
  private func listen() throws {
    let connection = try session.connect()
    isHearing = false
    // Outside a transaction each name has its schema.
    let process = try connection.ask("SELECT pg_catalog.pg_backend_pid()").integer(0, 0)
    if process == connection.backend {
      do {
        try listen(on: connection)
      } catch let problem as PostgresConnection.Problem
        where problem.code == PostgresConnection.Problem.isReadOnly && !problem.isLost
      {
        // It is a standby, whose log is read twice a second.
      }
    }
    self.connection = connection
  }

  private func listen(on connection: PostgresConnection) throws {
    let channel = PostgresNames.quoted(session.address.channel)
    _ = try connection.ask("LISTEN \(channel)")
    let other = try PostgresConnection(session.address.database, timeout: session.reach.timeout)
    _ = try other.ask("SELECT pg_catalog.pg_notify($1, '')", [.text(session.address.channel)])
    var source = [pollfd(fd: connection.socket, events: Int16(POLLIN), revents: 0)]
    _ = poll(&source, 1, 1000)
    isHearing = try connection.notifications() > 0
    if !isHearing { _ = try connection.ask("UNLISTEN \(channel)") }
  }

  /// Reports a failure once, and connects anew at the next attempt: less than half a second after the
  /// beginning of the one that failed, or at its end.
  private func attempt(_ body: () throws -> Void) {
    let start = ContinuousClock.now
    do {
      try body()
      recover()
    } catch {
      connection = nil
      session.close()
      failures += 1
      wasLost = (error as? PostgresConnection.Problem)?.isLost == true
      let interval = Duration.milliseconds(50 << min(failures, 3))
      pause = Int32(max(0, (interval - start.duration(to: .now)) / .milliseconds(1)))
      if failures == 1 { report(error) }
    }
  }
}
