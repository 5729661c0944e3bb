import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import EventValues
import Foundation
import Testing

/// What the author of a domain tests records with.
@Suite(.hangLimit) struct RecordsTestingTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("laws-\(UUID().uuidString)")

  @Test func `a context keeps records on the real engine`() throws {
    let test = TestContext.withRecords(Shelf.self)
    let written = try test.value(of: RequestWriteRecords([.add(Shelf(title: "A", width: 1.5))]))
    #expect(written.map(\.number) == [1])
    let found = try test.value(of: RequestRecords(Query<Shelf>().first(1)))
    #expect(found.map(\.value) == [Shelf(title: "A", width: 1.5)])
    #expect(throws: Failure.self) { try test.value(of: RequestRecords<Shelf>(7)) }
    test.done()
  }

  @Test func `the store of each version is added once, and read for ever`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let examples = [Shelf(title: "A", width: 1.5), Shelf(title: "B", width: nil)]
    let added = try RecordLaws.violations(in: folder, examples)
    #expect(added.count == 2 && added.allSatisfy { $0.hasPrefix("Law 3: shelf-") }, "\(added)")
    #expect(try RecordLaws.violations(in: folder, examples) == [])

    // A version later: a further field, and the stores of both versions are read.
    let later = [WiderShelf(title: "A", width: 1.5, depth: 3)]
    #expect(
      try RecordLaws.violations(in: folder, later).map { $0.prefix(6) } == ["Law 3:", "Law 3:"]
    )
    #expect(try RecordLaws.violations(in: folder, later) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 4)
  }

  @Test func `a field that was renamed loses what was stored, for ever`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try RecordLaws.violations(in: folder, [Shelf(title: "A", width: 1.5)])
    for _ in 1...3 {
      let broken = try RecordLaws.violations(in: folder, [RenamedShelf(title: "A", width: 1.5)])
      let law = try #require(broken.first { $0.hasPrefix("Law 2: ") })
      #expect(law.contains(#"example 1 has {"name":"A"}; after shelf-"#), "\(law)")
      #expect(law.contains(#"it has {"name":null}. What was stored under another name"#), "\(law)")
    }
  }

  @Test func `a value that another type reads as another one is found`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try RecordLaws.violations(in: folder, [Price(cost: try Amount(word: "12.50"))])
    for _ in 1...2 {
      let broken = try RecordLaws.violations(in: folder, [PlainPrice(cost: 12)])
      #expect(broken.contains { $0.hasPrefix("Law 2: ") && $0.contains(#"{"cost":"#) }, "\(broken)")
    }
  }

  @Test func `a field that no example has is named`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let broken = try RecordLaws.violations(in: folder, [WiderShelf(title: "A", width: 1.5)])
    #expect(
      broken.first == "Law 1: no example has a 'depth' that a new shelf has not; "
        + "give one of them a value."
    )
  }

  @Test func `a field that means something else now is found`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try RecordLaws.violations(in: folder, [Shelf(title: "A", width: 1.5)])
    let broken = try RecordLaws.violations(in: folder, [CountedShelf(name: 3)])
    #expect(broken.contains { $0.hasPrefix("Law 2: shelf-") && $0.contains("'name'") })
  }

  @Test func `a property that is not stored is found`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let broken = try RecordLaws.violations(in: folder, [Forgetful(title: "A", secret: "B")])
    #expect(
      broken == ["Law 1: the property 'secret' of a forgetful is no field, and would be lost."]
    )
  }
}

private struct Shelf: Record {
  var title = ""
  var width: Double?
  static let fields = Fields<Self>("shelf").field("name", \.title).field("width", \.width)
}

/// The same, a version later.
private struct WiderShelf: Record {
  var title = ""
  var width: Double?
  var depth = 0
  static let fields = Fields<Self>("shelf").field("name", \.title).field("width", \.width)
    .field("depth", \.depth)
}

/// The same, under another name.
private struct RenamedShelf: Record {
  var title = ""
  var width: Double?
  static let fields = Fields<Self>("shelf").field("title", \.title).field("width", \.width)
}

/// Of which only the type of the property changes: both are stored as integers.
private struct Price: Record {
  var cost: Amount?
  var title: String { "" }
  static let fields = Fields<Self>("price").field("cost", \.cost)
}

private struct PlainPrice: Record {
  var cost: Int?
  var title: String { "" }
  static let fields = Fields<Self>("price").field("cost", \.cost)
}

/// The same, by somebody who took a name for a number.
private struct CountedShelf: Record {
  var title: String { "\(name)" }
  var name = 0
  static let fields = Fields<Self>("shelf").field("name", \.name)
}

/// One of whose properties is no field.
private struct Forgetful: Record {
  var title = ""
  var secret = ""
  static let fields = Fields<Self>("forgetful").field("name", \.title)
}
