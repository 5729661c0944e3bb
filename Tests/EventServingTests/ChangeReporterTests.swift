import EventCommands
import EventMVVM
import EventMVVMTesting
import JSONText
import Testing

@testable import EventServing

/// What a client is told of changes, by a post that the test empties.
@Suite(.hangLimit) struct ChangeReporterTests {
  @Test func `revisions never fall, though an own write is told before an earlier one of others`() {
    let context = AppContext()
    let told = Locked<[String]>([])
    let notifier = Notifier { message, _ in
      told.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
    }
    // It has not begun, and sends nothing by itself.
    let reporter = ChangeReporter(notifier) {}
    let port = context.port(named: "test")
    reporter.listen(to: Change.self, port)
    reporter.listen(to: OtherChange.self, port)
    // In one message to come: the own write first, and what came before it in the store second.
    context.stream.send(Change(revision: 12, changedIDs: [2], externalOrigin: "me"))
    context.stream.send(Change(revision: 11, changedIDs: [1], externalOrigin: "other"))
    reporter.send()
    // Behind it: what is older still, and another kind of change.
    context.stream.send(Change(revision: 10, changedIDs: [3], externalOrigin: "other"))
    context.stream.send(OtherChange(revision: 4, changedIDs: [4], externalOrigin: "other"))
    reporter.send()
    context.stream.send(Change(revision: 13, changedIDs: [2], externalOrigin: "me"))
    reporter.send()
    #expect(
      told.withLock { $0 } == [
        Self.message("thing", 12, 2, "me"), Self.message("thing", 12, 1, "other"),
        Self.message("thing", 12, 3, "other"), Self.message("other", 4, 4, "other"),
        Self.message("thing", 13, 2, "me"),
      ]
    )
  }

  private static func message(
    _ kind: String,
    _ revision: Int,
    _ id: Int,
    _ origin: String
  )
    -> String
  {
    #"{"jsonrpc":"2.0","method":"\#(kind)/changed","params":{"revision":\#(revision),"#
      + #""ids":[\#(id)],"origin":"\#(origin)"}}"#
  }
}

private struct Change: ChangeNotice {
  static let notification = "thing/changed"
  let revision: Int
  let changedIDs: [Int]
  let externalOrigin: String?
}

private struct OtherChange: ChangeNotice {
  static let notification = "other/changed"
  let revision: Int
  let changedIDs: [Int]
  let externalOrigin: String?
}
