#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  extension Processes {
    /// Processes write into one list, half of them through a pooler, while connections are ended by
    /// chance and the server is stopped; the history of that has to be the one of a sound list.
    ///
    /// Eight writers unless `OUTAGE_WRITERS` says how many, and eight outages; for longer by
    /// `OUTAGE_SECONDS`. `OUTAGE_SEED` chooses whom they hit.
    @Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct PostgresOutageTests {
      private static let writers = number("OUTAGE_WRITERS") ?? 8
      private static let seconds = number("OUTAGE_SECONDS") ?? 0
      private static let outages = 8

      @Test func `nothing acknowledged is lost or doubled, and all who watch see each change once`()
        throws
      {
        let server = try PostgresServer()
        let store = try SharedStore(on: server)
        let run = OutageRun(Self.writers, 2, on: server, list: String(store.list))
        try run.begin()
        let outages = try disturb(run, server, store)
        var history = try run.finish()
        history.log = try Self.log(of: store)
        print(
          "\(Self.writers) writers, \(outages) outages: \(history.acknowledged.count) acknowledged, "
            + "\(run.refused) refused, \(history.watchers.count) watchers"
        )
        #expect(run.failures == [])
        #expect(Array(history.problems().prefix(20)) == [])
        #expect(history.watchers.count == Self.writers / 2 + 2)
        // Undisturbed writers prove nothing.
        #expect(run.refused > 0)
        #expect(try store.run("doctor").status == 0)
      }

      /// Ends connections, and now and then the server, while others write; returns how often.
      ///
      /// The server is stopped at once first, and later at once or in order, as chance has it.
      private func disturb(
        _ run: OutageRun,
        _ server: PostgresServer,
        _ store: SharedStore
      ) throws -> Int {
        var chance = Chance(UInt64(Self.number("OUTAGE_SEED") ?? 1))
        let end = ContinuousClock.now + .seconds(Self.seconds)
        var outages = 0
        while outages < Self.outages || ContinuousClock.now < end {
          // Some are stored between two outages, so that each meets writes.
          try run.waitUntilAcknowledged(run.acknowledged + chance.pick(1...Self.writers))
          outages += 1
          if outages % Self.outages == Self.outages / 2 {
            try server.stop(isAtOnce: outages < Self.outages || chance.once(in: 2))
            try server.start()
          } else {
            let answer = try store.postgres(Self.ending(chance.pick(1...Self.writers)))
            #expect(answer.allSatisfy { Int($0) != nil }, "\(answer)")
          }
        }
        return outages
      }

      /// Ends so many connections of programs, chosen by chance.
      private static func ending(_ count: Int) -> String {
        """
        SET client_min_messages = error;
        SELECT count(pg_terminate_backend(pid)) FROM (
          SELECT pid FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
          ORDER BY random() LIMIT \(count)
        ) chosen
        """
      }

      private static func log(of store: SharedStore) throws -> [WriteHistory.Logged] {
        try store.postgres(
          """
          SELECT revision, coalesce(nullif(after::json ->> 'subtitle', ''), after::json ->> 'title')
          FROM change ORDER BY revision
          """
        )
        .map { line in
          let columns = line.split(separator: "|", maxSplits: 1).map(String.init)
          let revision = try #require(columns.first.flatMap { Int($0) }, "\(line)")
          return WriteHistory.Logged(revision: revision, mark: columns.last ?? "")
        }
      }

      private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
      }
    }
  }
#endif
