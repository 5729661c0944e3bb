import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues

@testable import todostream_messages

/// A mailbox that calls back when the test says so, as services do in other architectures.
final class CallbackMailbox {
  private var waiting: [(Result<[Mail], Failure>) -> Void] = []

  func fetch(_ then: @escaping (Result<[Mail], Failure>) -> Void) {
    waiting.append(then)
  }

  /// Answers the oldest asking.
  func answer(_ result: Result<[Mail], Failure>) {
    waiting.removeFirst()(result)
  }
}

/// What a person sees of a list, in a line.
func line(_ titles: [String], isLoading: Bool) -> String {
  titles.joined(separator: " ") + (isLoading ? " …" : "")
}

extension MessagesHouse {
  /// What a view sees while mail is fetched and the second message is removed.
  static func story(_ way: MessageWay) throws -> [String] {
    let house = try MessagesHouse(way)
    let seen = house.watch()
    house.fetch()
    _ = try house.say(RequestRemove(index: Count(2)))
    return seen.withLock { $0 }
  }

  /// What a view sees where the mailbox fails.
  static func failure(_ way: MessageWay) throws -> [String] {
    let house = try MessagesHouse(way)
    let seen = house.watch()
    _ = house.beginFetch()
    house.mailbox.answer(.failure(noMailbox))
    house.test.skip()
    return seen.withLock { $0 }
  }

  static let noMailbox = Failure(.notFound, "No mailbox.")
}
