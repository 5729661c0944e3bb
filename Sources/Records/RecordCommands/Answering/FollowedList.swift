import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

/// A list that goes on: it tells its rows, and then how each change of the store, by any process, changes them.
///
/// Each line is an object, `{"kind":"row","record":…,"after":ID}`, whose row comes behind another one or is the first,
/// `{"kind":"gone","id":ID}`, `{"kind":"head","revision":N}` after all lines of a change, and `{"kind":"reset"}` before all rows are told anew.
///
/// Unchecked, as the home thread alone uses what can change without a lock.
final class FollowedList<R: CommandRecord>: @unchecked Sendable {
  private let list: RequestList<R>
  private let held: AsyncTurn
  private var root: Root { held.envelope.root }
  private var live: LiveQuery<R>?
  /// Whether all rows are told after a reset.
  private var resets = false
  /// Whether rows were told.
  private var hasBegun = false
  /// It lasts until its command is cancelled, or fails.
  private var itself: FollowedList?
  /// Whether it has ended: then no minute is waited for any more.
  private let isOver = Locked(false)

  private init(_ list: RequestList<R>, _ held: AsyncTurn) { (self.list, self.held) = (list, held) }

  /// Begins to follow a list, which keeps the conversation of its command open.
  static func begin(_ list: RequestList<R>, from start: Int?, _ turn: borrowing Turn) throws {
    let query = try list.query(turn)
    let followed = FollowedList(list, turn.hold())
    followed.itself = followed
    turn.stream.on(ResponsePassedMinute.self, owner: followed) { followed, minute, turn in
      guard minute.root == followed.root else { return }
      if minute.isOver { followed.end() } else { followed.askAgain(turn) }
    }
    // What depends on the time is asked again each minute, if the time has changed what it means.
    turn.perform { [isOver = followed.isOver] held in
      while !held.isCancelled, !isOver.withLock({ $0 }) {
        let left = 60_000 - Instant.now().milliseconds % 60_000
        try? await held.cancellable { try await Task.sleep(for: .milliseconds(left)) }
        held.send(ResponsePassedMinute(root: held.envelope.root))
      }
      held.send(ResponsePassedMinute(root: held.envelope.root, isOver: true))
    }
    guard let start else { return followed.follow(query, since: nil, turn) }
    turn.request(RequestRecords(query).asOf(.revision(start))) { result, turn in
      let known = try? result.get().result.get()
      followed.resets = known == nil
      followed.follow(query, since: known, turn)
    }
  }

  private func follow(_ query: Query<R>, since known: [Kept<R>]?, _ turn: borrowing Turn) {
    live = turn.live(query, owner: self, since: known) { followed, page, turn in
      followed.tell(page, turn)
    }
  }

  private func askAgain(_ turn: borrowing Turn) {
    guard let query = try? list.query(turn) else { return }
    live?.ask(query, turn)
  }

  /// Ends it, with its conversation.
  private func end() {
    (itself, live) = (nil, nil)
    isOver.withLock { $0 = true }
    held.release()
  }

  private func tell(_ page: LivePage<R>, _ turn: borrowing Turn) {
    var lines: [String] = []
    func add(_ write: (inout JSONWriter) -> Void) {
      var json = JSONWriter()
      json.object(write)
      lines.append(String(decoding: json.takeBytes(), as: UTF8.self))
    }
    let fields = R.fields(named: list.fields?.names ?? [])
    let time = RecordView<R>.time(turn)
    func add(_ row: Kept<R>, after previous: Int?) {
      add { json in
        json.member("kind", "row")
        json.key("record")
        RecordView(row, at: time).writeItem(only: fields, to: &json)
        json.key("after")
        previous.map { json.value($0) } ?? json.null()
      }
    }
    let last: Int
    switch page {
    case .rows(let rows, let revision):
      if resets { add { $0.member("kind", "reset") } }
      var previous: Int?
      for row in rows {
        add(row, after: previous)
        previous = row.number
      }
      last = revision
    case .changes(let changes, let revision):
      for change in changes {
        switch change {
        case .row(let row, let previous): add(row, after: previous)
        case .gone(let number):
          add { json in
            json.member("kind", "gone")
            json.member("id", number)
          }
        }
      }
      last = revision
    case .failure(let failure):
      // A store that could be read says itself what is wrong with it, and all rows are told anew once that is over.
      resets = true
      guard !hasBegun || failure.kind != .store else { return }
      held.send(RequestList<R>.Reply(.failure(failure)))
      return end()
    }
    (resets, hasBegun) = (true, true)
    add { json in
      json.member("kind", "head")
      json.member("revision", last)
    }
    turn.send(ResponseFollowedLines(lines, of: root))
  }
}

/// A minute of the clock has passed for a list that goes on.
struct ResponsePassedMinute: ModelEvent, Codable {
  /// The root of the list's command.
  let root: Root
  /// Whether it was cancelled.
  var isOver = false
}
