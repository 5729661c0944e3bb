import EventMVVM
import EventMVVMTesting
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// A long list is read a part at a time.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct LongListTests {
  private let list: List
  private let proxy: PostgresProxy
  private let engine: PostgresEngine
  private let table = RecordTable(Note.self)

  init() throws {
    list = try List()
    proxy = try PostgresProxy(list.server)
    engine = list.engine(by: proxy.address)
    try engine.write { _ in }
    _ = try list.rows(
      """
      INSERT INTO record_note (_number, _revision, title)
      SELECT number, number, 'note ' || number FROM generate_series(1, 2500) AS number
      """
    )
    _ = proxy.takeStatements()
  }

  private func open() throws -> any OpenRows {
    try #require(try engine.openRows(RecordQuery(), of: table))
  }

  /// The numbers of the next rows.
  private func read(_ count: Int, of rows: any OpenRows) throws -> [Int] {
    try rows.read { rows in
      var numbers: [Int] = []
      while numbers.count < count, let row = try rows.next() { numbers.append(row.number) }
      return numbers
    }
  }

  @Test func `all parts are of one moment, and each is asked for once`() throws {
    let rows = try open()
    #expect(try read(7, of: rows) == Array(1...7))
    _ = try list.rows("DELETE FROM record_note WHERE _number > 100")
    #expect(try read(1500, of: rows) == Array(8...1507))
    #expect(try read(.max, of: rows) == Array(1508...2500))
    #expect(try read(.max, of: rows) == [])
    #expect(proxy.takeStatements().count { $0.hasPrefix("FETCH") } == 3)
    #expect(try read(.max, of: try open()) == Array(1...100))
  }

  @Test func `a list that is not read to its end leaves its connection to the next`() throws {
    for _ in 1...3 { #expect(try read(1001, of: try open()).last == 1001) }
    // The one of the writes, and that of the lists.
    #expect(proxy.connections == 2)
  }

  @Test func `a connection that is lost between two parts is an error that can be retried`() throws
  {
    let rows = try open()
    #expect(try read(1000, of: rows).last == 1000)
    proxy.takeDown()
    let lost = try #require(throws: StoreError.self) { try read(.max, of: rows) }
    #expect(lost.isRetryable)
    proxy.bringBack()
    #expect(try read(.max, of: try open()).count == 2500)
  }
}
