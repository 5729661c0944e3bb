import EventMVVM
import EventRecords
import Foundation
import GRDB
import Seams

/// Listens for commits of other processes on a thread of its own, until it is released.
///
/// Releasing it waits until that thread has closed its connection: the store that is closed
/// afterwards then has the last connection that may write, with which SQLite removes the log.
final class StoreWatch: StoreWatching {
  /// Reads the changes after a revision; returns the last revision, and whether the log ends there.
  typealias ReadOn =
    @Sendable (Database, _ revision: Int) throws -> (revision: Int, isEnd: Bool)

  private let listener: ChangeSignalListener
  private let end = End()

  /// Begins to listen; all later commits are reported.
  ///
  /// - Parameters:
  ///   - opener: Opens the store.
  ///   - report: Called once each time that the store becomes unreadable, and with nil once it can
  ///     be read again, on the thread of the watch; if the store can't be read at the beginning, or
  ///     there is no spare thread, on the caller's, before this returns.
  ///   - readOn: Reads new changes on that thread, one part at a time; in one snapshot.
  init(
    _ opener: StoreOpener,
    _ report: @escaping @Sendable (StoreError?) -> Void,
    _ readOn: @escaping ReadOn
  ) {
    let listener = ChangeSignalListener(store: opener.file.path)
    self.listener = listener
    // The thread takes it, and is then the only owner of its connection.
    let handover = Locked<Reading?>(Reading(opener, listener.target, readOn, report))
    handover.withLock { $0?.begin() }
    let isStarted = startThread { [end] in
      end.begin()
      Self.follow(listener, handover)
      end.signal()
    }
    guard !isStarted else { return }
    end.signal()
    let path = opener.file.path
    report(
      StoreError(path: path, "external changes are not noticed: the system has no thread to spare")
    )
  }

  deinit {
    listener.stop()
    end.wait()
  }

  /// Reads on at each signal until the listener is stopped; then the connection is closed.
  private static func follow(_ listener: ChangeSignalListener, _ handover: Locked<Reading?>) {
    guard var reading = handover.withLock({ $0.take() }) else { return }
    while true {
      let reason = listener.wait()
      Seam.pass(.watch)
      switch reason {
      case .stopped: return
      case .signalled: reading.readOn()
      case .time: reading.readOnIfChanged()
      }
    }
  }

  /// The end of the watch's thread.
  private final class End: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let thread = Locked<pthread_t?>(nil)

    /// To be called by the thread at its beginning.
    func begin() { thread.withLock { $0 = pthread_self() } }

    /// To be called once, at its end.
    func signal() { ended.signal() }

    /// Waits for the end; returns at once on that thread itself, where a callback released the watch.
    func wait() {
      let isOwn = thread.withLock { thread in
        thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
      }
      if !isOwn { ended.wait() }
    }
  }

  /// The position in the change log.
  private struct Reading {
    private let opener: StoreOpener
    private let target: String
    private let readNext: ReadOn
    private let report: @Sendable (StoreError?) -> Void
    private var connection: StoreConnection?
    /// The last revision that is known; nil before the store could be read.
    private var last: Int?
    private var isFailing = false
    /// The stamps of the files before the last reading; nil if they prove nothing.
    private var seen: StoreFingerprint?

    init(
      _ opener: StoreOpener,
      _ target: String,
      _ readOn: @escaping ReadOn,
      _ report: @escaping @Sendable (StoreError?) -> Void
    ) {
      self.opener = opener
      self.target = target
      readNext = readOn
      self.report = report
    }

    /// Finds the revision after which to read.
    mutating func begin() {
      attempt { reading in
        guard let connection = try reading.open() else { return reading.last = 0 }
        reading.last = try connection.queue.inDatabase(Revision.newest)
      }
    }

    /// Reports all new changes, if the files have changed.
    mutating func readOnIfChanged() {
      guard seen == nil || isFailing || seen != StoreFingerprint(of: target) else { return }
      readOn()
    }

    /// Reports all new changes.
    mutating func readOn() {
      let fingerprint = StoreFingerprint(of: target)
      seen = fingerprint.isSettled ? fingerprint : nil
      guard let last else { return begin() }
      attempt { reading in
        guard let connection = try reading.open() else { return }
        while true {
          let known = reading.last ?? last
          let part = try connection.queue.inDatabase { database in
            try database.inSnapshot { try reading.readNext(database, known) }
          }
          reading.last = part.revision
          if part.isEnd { return }
        }
      }
    }

    private mutating func open() throws -> StoreConnection? {
      if let connection, !connection.isClosed, !connection.files.lacksLog {
        do {
          try connection.files.check()
          return connection
        } catch let stale as StaleFiles {
          OpenConnections.close(target: stale.target)
          // An error of the present files is more useful.
          _ = try opener.openToRead()
          throw stale
        }
      }
      connection = try opener.openToRead()
      return connection
    }

    /// Reports a failure once, and opens the store anew at the next attempt.
    private mutating func attempt(_ body: (inout Reading) throws -> Void) {
      do {
        try body(&self)
        let wasFailing = isFailing
        isFailing = false
        if wasFailing { report(nil) }
      } catch {
        connection = nil
        let wasFailing = isFailing
        isFailing = true
        guard !wasFailing else { return }
        report(StoreError(any: error, path: opener.file.path))
      }
    }
  }
}

extension StoreError {
  /// Any error that reading a store can throw.
  init(any error: any Error, path: String) {
    switch error {
    case let error as StoreError: self = error
    case let stale as StaleFiles: self = stale.error
    case let error as DatabaseError: self.init(error, path: path)
    default: self.init(path: path, String(describing: error))
    }
  }
}
