import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// Several write at once, directly and through a pooler, while their connections are ended and the
/// server is stopped.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct OutageTests {
  private static let writers = 4
  private static let notes = 40

  @Test func `what is acknowledged is there once, and each revision is heard once`() throws {
    let server = try PostgresServer()
    let list = List(on: server)
    try list.engine().write { _ in }
    let heard = Locked<[Int]>([])
    let watch = list.engine()
      .watch { store, known in
        let news = try store.changes(.after(known), limit: 7)
        heard.withLock { $0 += news.map(\.revision) }
        return (news.last?.revision ?? known, news.count < 7)
      } report: { _ in
      }
    let acknowledged = Arrivals<String>()
    for writer in 1...Self.writers {
      Thread.detachNewThread {
        let process = list.process(by: writer.isMultiple(of: 2) ? server.pooled : nil)
        for number in 1...Self.notes {
          let title = "\(writer).\(number)"
          while true {
            do {
              try process.add(title)
              acknowledged.add(title)
              break
            } catch let failure as Failure where failure.isRetryable {
              continue
            } catch {
              return acknowledged.add("\(title): \(error)")
            }
          }
        }
      }
    }
    let all = Self.writers * Self.notes
    var ended = 0
    for outage in 1...8 {
      _ = try acknowledged.wait(for: all * outage / 10, "some are stored")
      if outage == 4 {
        try server.stop()
        try server.start()
      } else {
        let count = try list.rows(
          """
          SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
          """
        )
        ended += try #require(Int(count[0]))
      }
    }
    let titles = try acknowledged.wait(for: all, "all are stored")
    #expect(Set(titles).count == all)
    #expect(try list.process().titles().sorted() == titles.sorted())
    #expect(try list.rows("SELECT revision, number FROM counter") == ["\(all)|\(all)"])
    // A write whose connection was lost is rarely refused: the engine finds out whether it happened, and repeats it.
    #expect(ended > 0, "no connection was ended")
    try waitUntil("all are heard") { heard.withLock { $0.count } >= all }
    #expect(heard.withLock { $0 } == Array(1...all))
    withExtendedLifetime(watch) {}
  }
}
