import EventMVVMTesting
import Foundation
import ProcessTesting
import Synchronization

/// What several clients of one store did at once, some of them killed.
///
/// The seed decides what is asked and when to kill; the schedule is the machine's.
struct RandomHistory {
  let operations: [Operation]
  let contents: StoreContents
  /// What is wrong with the history or the store.
  let problems: [String]

  init(seed: Int) throws {
    let place = try Workplace()
    let store = place.folder.appending(path: "todos.sqlite").path
    var operations = try Self.todosToBeginWith(seed, in: place)
    operations += try Self.sideBySide(Self.clients(seed, store))
    let doctor = try place.start("exec todostream doctor").outcome()
    contents = try StoreContents(place)
    self.operations = operations.sorted { $0.begin < $1.begin }
    var problems = contents.problems
    if doctor.status != 0 { problems.append("doctor: \(doctor)") }
    problems += Checker(operations, contents.log).problems()
    self.problems = problems
  }

  /// Three to six todos, by a script.
  private static func todosToBeginWith(_ seed: Int, in place: Workplace) throws -> [Operation] {
    var draw = Draw("first", seed: seed)
    let titles = (0..<draw.chance.pick(3...6)).map { _ in draw.mark() }
    let begin = now()
    let outcome = try place.start("exec todostream run -", input: titles.map { "add \($0)" })
      .outcome()
    guard outcome.status == 0 else { throw Failed(description: "no todos: \(outcome)") }
    let script = Request.script(titles.map { .add(title: $0) }, isDoomed: false)
    return [
      Operation(
        client: draw.client,
        request: script,
        begin: begin,
        end: now(),
        answer: .acknowledged
      )
    ]
  }

  private typealias Client = @Sendable () throws -> [Operation]

  /// A server, commands, and one or two more.
  private static func clients(_ seed: Int, _ store: String) -> [Client] {
    let draw: @Sendable (String) -> Draw = { Draw($0, seed: seed) }
    var clients: [Client] = [
      {
        var client = try ServerClient(draw("server"), store: store)
        return try client.requests(10)
      },
      {
        var client = try CommandClient(draw("command"), store: store)
        return try client.commands(3)
      },
    ]
    let more: [Client] = [
      {
        var client = try CommandClient(draw("script"), store: store)
        return try client.scripts(2)
      },
      {
        var client = try CommandClient(draw("stream"), store: store)
        return try client.stream(5)
      },
      {
        var client = try ServerClient(draw("second"), store: store)
        return try client.requests(8)
      },
    ]
    var chance = Chance(UInt64(seed))
    clients.append(more[chance.pick(0...2)])
    #if os(Linux)
      if chance.once(in: 4) {
        clients.append {
          var client = try TerminalClient(draw("terminal"), store: store)
          return try client.lines(4)
        }
      }
    #endif
    return clients
  }

  /// Lets all of them work at once, each on a thread of its own, as they wait for processes.
  private static func sideBySide(_ clients: [Client]) throws -> [Operation] {
    let ends = Ends()
    for client in clients {
      Thread.detachNewThread {
        let end = Result { try client() }
        ends.results.withLock { $0.append(end) }
      }
    }
    try waitUntil("\(clients.count) clients are done", within: .seconds(300 * Patience.factor)) {
      ends.results.withLock { $0.count } == clients.count
    }
    return try ends.results.withLock { try $0.flatMap { try $0.get() } }
  }

  private final class Ends: Sendable {
    let results = Mutex<[Result<[Operation], any Error>]>([])
  }

  private struct Failed: Error, CustomStringConvertible {
    let description: String
  }
}
