import EventMVVM
import EventMVVMTesting
import Foundation
import PostgresEngine
import ProcessTesting
import Testing

@testable import EventRecords

/// The server is away after a commit was sent, so that nobody can say at once whether it happened.
@Suite(.hangLimit, .enabled(if: PostgresServer.isHere)) struct DoubtTests {
  private let list: List
  private let proxy: PostgresProxy
  private let doubts = Arrivals<String>()

  init() throws {
    list = try List()
    proxy = try PostgresProxy(list.server)
  }

  private func engine() -> PostgresEngine {
    var store = StoreConfiguration(of: "test", path: list.address(by: proxy.address))
    store.makesSchema = true
    store.reportsDoubt = { [doubts] in doubts.add($0.message) }
    return PostgresEngine(store)
  }

  @Test(arguments: PostgresProxy.Cut.allCases)
  func `the server is asked until it answers, however long it is away`(
    _ cut: PostgresProxy.Cut
  ) throws {
    let written = Arrivals<String>()
    let process = list.process()
    try process.add("before")
    proxy.cut(cut, refusingOthers: true)
    Thread.detachNewThread {
      let process = AppContext()
      process.add(RecordServer(engine(), [Note.self], watchesExternalChanges: false))
      do {
        try process.add("doubtful")
        written.add("stored")
      } catch let failure as Failure {
        written.add(failure.isRetryable ? "try again" : failure.message)
      } catch {
        written.add("\(error)")
      }
    }
    let said = try doubts.wait(for: 1, "the doubt is reported")
    let name = list.address(by: proxy.address)
    #expect(
      said[0].hasPrefix("\(name): the connection was lost while something was being stored (")
    )
    #expect(
      said[0]
        .contains(
          "): the server is asked whether it was, until it answers. "
            + "If it was, it is in test --store '\(name)' history, in JSON as root "
        )
    )
    #expect(written.all == [])
    proxy.bringBack()
    let isThere = cut == .afterCommit
    #expect(try written.wait(for: 1, "it is known") == [isThere ? "stored" : "try again"])
    #expect(doubts.all.count == 1)
    #expect(
      try list.rows("SELECT title FROM record_note ORDER BY 1")
        == (isThere ? ["before", "doubtful"] : ["before"])
    )
    if !isThere { try process.add("doubtful") }
    #expect(try process.titles() == ["before", "doubtful"])
    #expect(try list.rows("SELECT revision, number FROM counter") == ["2|2"])
  }

  @Test func `who does not wait for the answer is told how to see it`() throws {
    try list.engine().write { _ in }
    let context = AppContext(home: .ownThread)
    context.add(
      RecordServer(engine(), [Note.self], watchesExternalChanges: false, readsInBackground: true)
    )
    let answers = Arrivals<String>()
    proxy.cut(.afterCommit, refusingOthers: true)
    let conversation = context.stream.request(
      RequestWriteRecords<Note>([.add(Note(title: "doubtful"))])
    ) { result, _ in
      guard case .success(let reply) = result, case .failure(let failure) = reply.result else {
        return answers.add("\(result)")
      }
      answers.add("\(failure.kind == .store) \(failure.isRetryable) \(failure.message)")
    }
    _ = try doubts.wait(for: 1, "it is asked for")
    context.stream.cancel(conversation)
    let name = list.address(by: proxy.address)
    let answer = try answers.wait(for: 1, "it is answered")[0]
    #expect(
      answer.hasPrefix(
        "true false \(name): it is not known whether this was stored, since the connection was lost "
          + "meanwhile ("
      )
    )
    proxy.bringBack()
    context.leave()
    #expect(try list.rows("SELECT title FROM record_note") == ["doubtful"])
    let number = try list.rows("SELECT root FROM change").first.flatMap { UInt64($0) }
    let root = Root(session: context.stream.session, number: try #require(number))
    #expect(
      answer.hasSuffix(
        "). If it was, it is in test --store '\(name)' history, in JSON as root \(root)."
      )
    )
  }

  // MARK: The program

  /// Starts a command whose commit gets no answer, and returns it with its folder once it says so.
  private func doubtful(_ command: String, input: [String] = []) throws -> (Workplace, Job) {
    let place = try Workplace(store: list.address(by: proxy.address))
    let made = try place.start(
      #"exec todostream --quiet store init "$1""#,
      [list.address()]
    )
    #expect(try made.outcome() == Job.Outcome())
    proxy.cut(.afterCommit, refusingOthers: true)
    let job = try place.start("exec \(command) 2>&1", input: input)
    let name = list.address(by: proxy.address)
    try job.wait(untilPrinted: "warning: \(name): the connection was lost ")
    return (place, job)
  }

  @Test func `a command warns, and ends with the answer`() throws {
    let (place, job) = try doubtful("todostream add Doubtful")
    proxy.bringBack()
    let outcome = try job.outcome()
    #expect(outcome.output.count == 2)
    #expect(outcome.output.last == "Added #1 Doubtful")
    #expect(outcome.status == 0)
    #expect(
      try place.start("exec todostream list").outcome()
        == Job.Outcome(output: ["#1 [ ] Doubtful"])
    )
  }

  @Test(arguments: ["todostream add Doubtful", "todostream run -"])
  func `a command that is ended before has said where its change is seen`(
    _ command: String
  ) throws {
    let (place, job) = try doubtful(command, input: ["add Doubtful"])
    let warning = try job.printed()
    // A script rolls back at the first signal, where it still can.
    try waitUntil("it is ended") {
      job.send(SIGINT)
      return !job.isRunning
    }
    #expect(try job.outcome().status == 130)
    proxy.bringBack()
    let history = try place.start("exec todostream --json history").outcome().output.joined()
    let root = try #require(history.firstMatch(of: /"root":"([^"]+)"/)?.output.1)
    #expect(warning.hasSuffix("history, in JSON as root \(root).\n"))
    #expect(history.contains(#""title":"Doubtful","change":"added""#))
  }
}
