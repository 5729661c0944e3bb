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
    let refused = Locked<[String]>([])
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
              refused.withLock { $0.append(failure.message) }
            } catch {
              return acknowledged.add("\(title): \(error)")
            }
          }
        }
      }
    }
    let all = Self.writers * Self.notes
    for outage in 1...8 {
      _ = try acknowledged.wait(for: all * outage / 10, "some are stored")
      if outage == 4 {
        try server.stop()
        try server.start()
      } else {
        _ = try list.rows(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
          """
        )
      }
    }
    let titles = try acknowledged.wait(for: all, "all are stored")
    #expect(Set(titles).count == all)
    #expect(try list.process().titles().sorted() == titles.sorted())
    #expect(try list.rows("SELECT revision, number FROM counter") == ["\(all)|\(all)"])
    #expect(refused.withLock { !$0.isEmpty }, "nobody was disturbed")
    try waitUntil("all are heard") { heard.withLock { $0.count } >= all }
    #expect(heard.withLock { $0 } == Array(1...all))
    withExtendedLifetime(watch) {}
  }
}
