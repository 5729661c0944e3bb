import EventCommands
import EventMVVM
import EventMVVMTesting
import Testing

@testable import EventServing

/// Where subscriptions go on.
@Suite(.hangLimit) struct EventPositionsTests {
  private let first = EventPositions(from: 7)

  @Test func `each goes on at its own place, and others at the first of them`() {
    let resumePoints = first.moved(
      by: [],
      [(["a"], 30), (["a", "b"], 20), (nil, 40), (["a"], 25)]
    )
    #expect(resumePoints.first(of: ["a"]) == 25)
    #expect(resumePoints.first(of: ["b", "a"]) == 20)
    #expect(resumePoints.first(of: nil) == 40)
    #expect(resumePoints.first(of: ["c"]) == 20)
  }

  @Test func `without any there is no place, and one alone is for all`() {
    #expect(first.moved(by: [], []) == first)
    #expect(first.first(of: ["a"]) == 7)
    let (feed, _) = feed()
    #expect(feed.resumePoints(after: first) == nil)
  }

  @Test func `of those that have ended each goes on at its own place, whichever ended last`() {
    let resumePoints = first.moved(by: [(["a"], 30), (["b"], 20), (["a"], 35)], [(nil, 40)])
    #expect(resumePoints.first(of: ["a"]) == 35)
    #expect(resumePoints.first(of: ["b"]) == 20)
    #expect(resumePoints.first(of: nil) == 40)
    #expect(resumePoints.first(of: ["c"]) == 20)
  }

  @Test func `what runs goes on where it is, and what is not subscribed to anew where it was`() {
    let resumePoints = first.moved(by: [(["a"], 50)], [(["b"], 20)]).moved(by: [], [(["a"], 30)])
    #expect(resumePoints.first(of: ["a"]) == 30)
    #expect(resumePoints.first(of: ["b"]) == 20)
  }

  @Test func `a subscription that has ended is not told again what another has not passed`()
    throws
  {
    let (feed, post) = feed()
    for number in 1...10 { feed.log.append(.event(UInt64(number), number < 6 ? "a" : "b")) }
    let early = try #require(feed.subscribe(["a"], from: 1))
    early.send()
    post.write()
    let late = try #require(feed.subscribe(["b"], from: 1))
    late.send()
    for subscription in [early, late] { try #require(feed.remove(subscription.number)).cancel() }
    let resumePoints = feed.resumePoints(after: first)
    #expect(resumePoints?.first(of: ["a"]) == 11)
    #expect(resumePoints?.first(of: ["b"]) == 1)
    // What was on its way when it ended arrives.
    post.write()
    #expect(feed.resumePoints(after: first)?.first(of: ["b"]) == 11)
  }

  private func feed() -> (EventFeed, HeldPost) {
    let post = HeldPost()
    let port = AppContext().port(named: "test")
    let notifier = Notifier { post.take($1) }
    let feed = EventFeed(EventSource(Catalogue(), port), notifier, maxQueuedEvents: .max)
    return (feed, post)
  }
}

/// Messages that are written when the test says so.
private final class HeldPost: Sendable {
  private let waiting = Locked<[@Sendable () -> Void]>([])

  func take(_ whenWritten: (@Sendable () -> Void)?) {
    if let whenWritten { waiting.withLock { $0.append(whenWritten) } }
  }

  func write() {
    let written = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for isWritten in written { isWritten() }
  }
}

extension EventLog.Entry {
  fileprivate static func event(_ number: UInt64, _ type: String) -> Self {
    .init(sequence: number, type: type, root: Root(session: 1, number: number), json: [0x30])
  }
}
