import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// What others commit is heard, whatever the connection leads through.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct WatchTests {
  /// What a watch has read.
  private final class Ear: Sendable {
    let revisions = Arrivals<Int>()
    let failures = Arrivals<String>()

    func listen(to engine: PostgresEngine) -> any StoreWatching {
      engine.watch { [revisions] store, known in
        let news = try store.changes(.after(known), limit: 2)
        for change in news { revisions.add(change.revision) }
        return (news.last?.revision ?? known, news.count < 2)
      } report: { [failures] in
        failures.add($0?.cause ?? "back")
      }
    }
  }

  @Test(arguments: [false, true])
  func `each revision is heard once and in order, through a pooler too`(_ isPooled: Bool) throws {
    let list = try List()
    let way = isPooled ? list.server.pooled : list.server.address
    let process = list.process()
    try process.add("known before")
    let ear = Ear()
    let watch = ear.listen(to: list.engine(by: way))
    for number in 2...20 { try process.add("note \(number)") }
    #expect(try ear.revisions.wait(for: 19, "all are heard") == Array(2...20))
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: [false, true])
  func `it listens only where it will be told of commits`(_ isPooled: Bool) throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server, port: isPooled ? 6432 : 5432)
    let ear = Ear()
    let watch = ear.listen(to: list.engine(by: proxy.address))
    let process = list.process()
    try process.add("one")
    _ = try ear.revisions.wait(for: 1, "the first is heard")
    let words = Set(proxy.takeStatements().map { $0.prefix { $0 != " " } })
    #expect(words.contains("LISTEN") == !isPooled)
    #expect(!words.contains("UNLISTEN"))
    withExtendedLifetime(watch) {}
  }

  @Test func `what is committed while it reads is told at once, and nothing is read in vain`()
    throws
  {
    let list = try List()
    let process = list.process()
    try process.add("known before")
    let reads = Arrivals<[Int]>()
    let watch = list.engine()
      .watch { store, known in
        let news = try store.changes(.after(known), limit: 9).map(\.revision)
        // This is not in the snapshot of this read, and is announced when the snapshot ends.
        if news == [2] { try list.process().add("meanwhile") }
        reads.add(news)
        return (news.last ?? known, true)
      } report: {
        _ = $0
      }
    _ = try reads.wait(for: 1, "it listens")
    try process.add("heard")
    let start = ContinuousClock.now
    #expect(try reads.wait(for: 3, "both are told") == [[], [2], [3]])
    // A watch that is told of nothing looks by itself after ten seconds.
    #expect(start.duration(to: .now) < .seconds(9))
    for number in 4...8 {
      try process.add("note \(number)")
      _ = try reads.wait(for: number, "it is told")
    }
    #expect(reads.all == [[], [2], [3], [4], [5], [6], [7], [8]])
    withExtendedLifetime(watch) {}
  }

  @Test func `what was committed while it was cut off is read after it`() throws {
    let list = try List()
    let proxy = try PostgresProxy(list.server)
    let process = list.process()
    try process.add("known before")
    let ear = Ear()
    let watch = ear.listen(to: list.engine(by: proxy.address))
    try process.add("heard")
    _ = try ear.revisions.wait(for: 1, "the first is heard")
    proxy.takeDown()
    #expect(try ear.failures.wait(for: 1, "the loss is told").count == 1)
    for number in 3...9 { try process.add("note \(number)") }
    proxy.bringBack()
    #expect(try ear.revisions.wait(for: 8, "all are heard") == Array(2...9))
    #expect(try ear.failures.wait(for: 2, "the return is told")[1...] == ["back"])
    withExtendedLifetime(watch) {}
  }

  @Test func `what can't be understood is told once, however often it is tried`() throws {
    let list = try List()
    let process = list.process()
    try process.add("known before")
    let engine = list.engine()
    let failures = Arrivals<String>()
    let attempts = Arrivals<Int>()
    let watch = engine.watch { store, known in
      attempts.add(known)
      guard try store.changes(.after(known), limit: 9).isEmpty || attempts.all.count > 5 else {
        throw StoreError(path: "", "damaged")
      }
      return (2, true)
    } report: {
      failures.add($0?.cause ?? "back")
    }
    try process.add("damaged")
    #expect(try failures.wait(for: 2, "it is read at last") == ["damaged", "back"])
    #expect(attempts.all.count > 5)
    withExtendedLifetime(watch) {}
  }
}
