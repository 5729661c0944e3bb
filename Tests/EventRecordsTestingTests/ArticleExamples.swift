import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import Testing

/// What the article on domains shows of records that no command writes.
@Suite(.hangLimit) struct ArticleExamples {
  @Test func `what is delivered is stored as one step`() throws {
    let test = TestContext.withRecords(Crate.self)
    test.add(Porter())
    test.stream.send(ResponseDelivery(titles: ["Books", "Lamps"]))
    test.skip()
    let crates = try test.value(of: RequestRecords<Crate>())
    #expect(crates.map(\.value.title) == ["Books", "Lamps"])
    #expect(try test.value(of: RequestJournal(.newest(5))).map(\.count) == [2])
  }
}

private struct Crate: Record {
  var title = ""
  static let fields = Fields<Self>("crate").field("title", \.title)
}

/// Says what has come.
private struct ResponseDelivery: ModelEvent {
  let titles: [String]
}

/// Says what was stored.
private struct ResponseStored: ModelEvent {
  let numbers: [Int]
}

/// Stores what comes.
private struct Porter: Plugin {
  let name = "porter"

  func join(_ stream: EventStream) {
    stream.on(ResponseDelivery.self) { delivery, turn in
      let parcels = delivery.titles.map { RecordWrite.add(Crate(title: $0)) }
      turn.request(RequestWriteRecords(parcels)) { result, turn in
        let stored = (try? result.get().result.get()) ?? []
        turn.send(ResponseStored(numbers: stored.map(\.number)))
      }
    }
  }
}
