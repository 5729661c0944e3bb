import EventMVVM
import EventRecords
import EventValues
import Foundation
import GRDB
import SQLiteEngine

// Rows that follow the changes of a store: a window of 100 out of 100 000, sorted by an indexed field, beside a database that asks again
// after each change of the table. One write is part of each piece of work.

/// What is followed.
private struct Item: EventRecords.Record {
  var title = ""
  var due = 0
  var group = 0

  static let fields = Fields<Self>("item")
    .field("title", \.title)
    .field("due", \.due, .indexed)
    .field("group", \.group)

  /// How many there are.
  static let count = 100_000
  /// How many are shown.
  static let shown = 100
}

private final class Follower: Sendable {
  let told = Locked(0)
}

/// Returns a process with the items, and what changes one of them: in turns to the first place and back.
private func items() -> (process: AppContext, change: (Int) -> Void) {
  let process = AppContext()
  process.add(RecordServer(MemoryDatabase(), [Item.self], watchesExternalChanges: false))
  for start in stride(from: 1, through: Item.count, by: 10_000) {
    let writes = (start..<start + 10_000)
      .map { RecordWrite.add(Item(title: "Item \($0)", due: $0)) }
    process.stream.request(RequestWriteRecords<Item>(writes)) { _, _ in }
    process.stream.deliver()
  }
  return (
    process,
    { round in
      let number = 1 + round % 50
      let item = Item(title: "Item \(round)", due: round % 2 == 0 ? -round : number)
      process.stream.request(RequestWriteRecords<Item>([.put(number, item, seen: nil)])) {
        reply,
        _ in
        guard case .success(let reply) = reply, case .success = reply.result else {
          fail("the item was not changed")
        }
      }
      process.stream.deliver()
    }
  )
}

/// What is compared with both.
private let theWriteAlone = Contender("the write alone", isSynchronous: true) {
  let (_, change) = items()
  let round = Locked(0)
  return { count in
    for _ in 0..<count {
      change(
        round.withLock {
          $0 += 1; return $0
        }
      )
    }
  }
}

/// A change of a row that is shown is told.
let followingRows = Scenario(
  name: "live: a change of a row that is shown",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (process, change) = items()
      let follower = Follower()
      process.stream.live(Query<Item>().sorted(by: \.due).first(Item.shown), owner: follower) {
        follower,
        page,
        _ in follower.told.withLock { $0 += 1 }
      }
      process.stream.deliver()
      let round = Locked(0)
      return { count in
        let before = follower.told.withLock { $0 }
        for _ in 0..<count {
          change(
            round.withLock {
              $0 += 1; return $0
            }
          )
        }
        guard follower.told.withLock({ $0 }) == before + count else {
          fail("a change was not told")
        }
      }
    },
    theWriteAlone,
    Contender("GRDB's ValueObservation") {
      do {
        let database = try DatabaseQueue()
        try database.write { database in
          try database.execute(
            sql: """
              CREATE TABLE item (number INTEGER PRIMARY KEY, title TEXT, due INTEGER, "group" INTEGER);
              CREATE INDEX itemDue ON item(due);
              """
          )
          let insert = try database.makeStatement(sql: "INSERT INTO item VALUES (?, ?, ?, 0)")
          for number in 1...Item.count {
            try insert.execute(arguments: [number, "Item \(number)", number])
          }
        }
        let told = DispatchSemaphore(value: 0)
        let observation = ValueObservation.tracking { database in
          try ObservedItem.fetchAll(
            database,
            sql: "SELECT * FROM item ORDER BY due, number LIMIT \(Item.shown)"
          )
        }
        let queue = DispatchQueue(label: "observed")
        let ending = observation.start(in: database, scheduling: .async(onQueue: queue)) { error in
          fail("\(error)")
        } onChange: { _ in
          told.signal()
        }
        told.wait()
        let round = Locked(0)
        return { count in
          withExtendedLifetime(ending) {
            for _ in 0..<count {
              let round = round.withLock {
                $0 += 1; return $0
              }
              let number = 1 + round % 50
              do {
                try database.write { database in
                  try database.execute(
                    sql: "UPDATE item SET title = ?, due = ? WHERE number = ?",
                    arguments: ["Item \(round)", round % 2 == 0 ? -round : number, number]
                  )
                }
              } catch { fail("\(error)") }
              told.wait()
            }
          }
        }
      } catch { fail("\(error)") }
    },
  ]
)

private struct ObservedItem: FetchableRecord, Codable, Sendable {
  let number: Int
  let title: String
  let due: Int
  let group: Int
}

/// A change that concerns none of a thousand live queries.
let concerningNone = Scenario(
  name: "live: a change that concerns none of 1000",
  contenders: [
    Contender(Contender.ours, isSynchronous: true) {
      let (process, change) = items()
      let followers = (1...1000)
        .map { number in
          let follower = Follower()
          let query = Query<Item>().where(.equals(\.group, number)).sorted(by: \.due)
            .first(Item.shown)
          process.stream.live(query, owner: follower) { _, _, _ in }
          return follower
        }
      process.stream.deliver()
      let round = Locked(0)
      return { count in
        withExtendedLifetime(followers) {
          for _ in 0..<count {
            change(
              round.withLock {
                $0 += 1; return $0
              }
            )
          }
        }
      }
    },
    theWriteAlone,
  ]
)
