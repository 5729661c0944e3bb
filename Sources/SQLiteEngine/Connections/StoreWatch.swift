import EventMVVM
import EventRecords
import Foundation
import GRDB

/// Listens on a thread of its own for what other processes commit, as long as it is kept.
final class StoreWatch: StoreWatching {
  /// Reads on after a revision: the last revision that is known then, and whether that is the end.
  typealias ReadOn =
    @Sendable (Database, _ revision: Int) throws -> (revision: Int, isEnd: Bool)

  private let listener: ChangeSignalListener

  /// Begins to listen; everything that is committed from now on is heard.
  ///
  /// - Parameters:
  ///   - opener: Opens the store.
  ///   - failed: Called once each time that the store becomes unreadable, on a thread of the
  ///     watch's own; where it can't be read at the beginning, or there is no thread to spare, on
  ///     the caller's, before this returns.
  ///   - readOn: Reads what is new on that thread, a part at a time; in one snapshot.
  init(
    _ opener: StoreOpener,
    _ failed: @escaping @Sendable (StoreError) -> Void,
    _ readOn: @escaping ReadOn
  ) {
    let listener = ChangeSignalListener(store: opener.file.path)
    self.listener = listener
    var reading = Reading(opener, listener.target, readOn, failed)
    reading.begin()
    let isStarted = startThread { [reading] in
      var reading = reading
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
    guard !isStarted else { return }
    let path = opener.file.path
    failed(
      StoreError(path: path, "external changes are not noticed: the system has no thread to spare")
    )
  }

  deinit { listener.stop() }

  /// How far the change log has been read.
  private struct Reading {
    private let opener: StoreOpener
    private let target: String
    private let readNext: ReadOn
    private let failed: @Sendable (StoreError) -> Void
    private var connection: StoreConnection?
    /// The last revision that is known; nil before the store could be read.
    private var last: Int?
    private var isFailing = false
    /// How the files looked before they were read last; nil if that tells nothing.
    private var seen: StoreFingerprint?

    init(
      _ opener: StoreOpener,
      _ target: String,
      _ readOn: @escaping ReadOn,
      _ failed: @escaping @Sendable (StoreError) -> Void
    ) {
      self.opener = opener
      self.target = target
      readNext = readOn
      self.failed = failed
    }

    /// Finds the place from which to read on.
    mutating func begin() {
      attempt { reading in
        guard let connection = try reading.open() else { return reading.last = 0 }
        reading.last = try connection.queue.inDatabase(Revision.newest)
      }
    }

    /// Reports all that is new, if the files look as if there were something.
    mutating func readOnIfChanged() {
      guard seen == nil || isFailing || seen != StoreFingerprint(of: target) else { return }
      readOn()
    }

    /// Reports all that is new.
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
          // What is wrong with what is there now says more, if anything is.
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
        isFailing = false
      } catch {
        connection = nil
        let wasFailing = isFailing
        isFailing = true
        guard !wasFailing else { return }
        failed(StoreError(any: error, path: opener.file.path))
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
