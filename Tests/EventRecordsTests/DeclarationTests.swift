import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import Foundation
import JSONText
import SQLiteEngine
import Testing

enum Status: String, FieldValue { case received, running, done }

/// A value of somebody's own, with a part of its own.
struct Origin: FieldValue {
  var city = "Bern"
  var codes: [Int] = []
}

/// A record with fewer fields than properties, and one of them a part of a part.
struct Sample: Record {
  var title = ""
  var status = Status.received
  var origin = Origin()
  var tags: [String] = []
  /// What is in no store.
  var guess = 0
  static let fields = Fields<Self>("sample")
    .field("title", \.title, .searched)
    .field("status", \.status, .indexed)
    .field("city", \.origin.city)
    .set("tags", \.tags)
}

/// A record with a field of each sort.
struct Assay: Record {
  var title = ""
  var count = 1
  var isOpen = true
  var share = 0.5
  var note: String?
  var tags: [String] = []
  var made = Instant(milliseconds: 0)
  var due: CivilTime?
  var identity = UniqueID(high: 1, low: 2)
  var price = Amount(hundredths: 0)
  var origin = Origin()

  static let fields = Fields<Self>("assay")
    .field("title", \.title)
    .field("count", \.count)
    .field("isOpen", \.isOpen)
    .field("share", \.share)
    .field("note", \.note)
    .field("tags", \.tags)
    .field("made", \.made)
    .field("due", \.due)
    .field("identity", \.identity)
    .field("price", \.price)
    .field("origin", \.origin)
}

/// A record that names what it can't.
private struct Wrong: Record {
  var title = ""
  var shout: String {
    get { title.uppercased() }
    set { title = newValue }
  }
  static let fields = Fields<Self>("wrong").field("shout", \.shout)
}

private struct Twice: Record {
  var title = ""
  static let fields = Fields<Self>("twice").field("title", \.title).field("title", \.title)
}

private struct Cased: Record {
  var title = ""
  var other = ""
  static let fields = Fields<Self>("cased").field("title", \.title).field("Title", \.other)
}

private struct Overlapping: Record {
  var title = ""
  var origin = Origin()
  static let fields = Fields<Self>("overlapping").field("origin", \.origin)
    .field("city", \.origin.city)
}

private struct Spaced: Record {
  var title = ""
  static let fields = Fields<Self>("a record").field("title", \.title)
}

/// A record in which nil would come back as something else.
private struct Stubborn: Record {
  var title: String { "stubborn" }
  var note: String? = "x"
  static let fields = Fields<Self>("stubborn").field("note", \.note)
}

/// A record with nothing to store.
private struct Bare: Record {
  var title: String { "bare" }
  static let fields = Fields<Self>("bare")
}

/// What follows from the declaration of a record's fields.
@Suite(.hangLimit) struct DeclarationTests {
  private func text(_ record: some Record) throws -> String {
    String(decoding: try BodyEncoder().value(record), as: UTF8.self)
  }

  private func read<R: Record>(_ type: R.Type, _ text: String) throws -> R {
    try BodyDecoder().read(R.self, from: try JSON(parsing: text))
  }

  @Test func `a field of each sort is written under its name, in order, and read again`() throws {
    var assay = Assay()
    assay.title = "Ä \"1\""
    assay.count = .max
    assay.isOpen = false
    assay.share = -0.25
    assay.note = "n"
    assay.tags = ["a", "b"]
    assay.made = Instant(milliseconds: -1)
    assay.due = CivilTime("2026-12-01T08:30")
    assay.price = Amount(hundredths: -420)
    assay.origin = Origin(city: "Basel", codes: [1, 2])
    let text = try text(assay)
    #expect(
      text == #"{"title":"Ä \"1\"","count":9223372036854775807,"isOpen":false,"share":-0.25,"#
        + #""note":"n","tags":["a","b"],"made":"1969-12-31T23:59:59.999Z","due":"2026-12-01T08:30","#
        + #""identity":"00000000-0000-0001-0000-000000000002","price":"-4.20","#
        + #""origin":{"city":"Basel","codes":[1,2]}}"#
    )
    #expect(try read(Assay.self, text) == assay)
  }

  @Test func `what is absent is left out, and null is absent`() throws {
    #expect(try !text(Assay()).contains(#""note""#))
    var noted = Assay()
    noted.note = "n"
    #expect(try read(Assay.self, #"{"note":null}"#) == Assay())
    #expect(try read(Assay.self, #"{"note":"n"}"#) == noted)
  }

  @Test func `what was never written has the value of a new record`() throws {
    #expect(try read(Assay.self, "{}") == Assay())
    #expect(try read(Sample.self, #"{"status":"done"}"#) == Sample(status: .done))
  }

  @Test func `members may come in any order, and what is no field is passed over`() throws {
    let text = #"{"later":[1],"city":"Chur","title":"A","guess":7}"#
    #expect(try read(Sample.self, text) == Sample(title: "A", origin: Origin(city: "Chur")))
    #expect(try read(Sample.self, text).guess == 0)
  }

  @Test func `a part of a part is a field`() throws {
    let sample = Sample(title: "A", origin: Origin(city: "Chur", codes: [1]))
    #expect(try text(sample) == #"{"title":"A","status":"received","city":"Chur","tags":[]}"#)
  }

  @Test(
    arguments: [
      (#"{"title":7}"#, "'title': expected a string, found an integer"),
      (#"{"status":"lost"}"#, #"'status': "lost" is no value of it"#),
      (#"{"status":null}"#, "'status': expected a string, found null"),
      (#"{"city":[]}"#, "'city': expected a string, found an array"),
      ("[]", "expected an object, found an array"),
    ]
  )
  func `what can't be read is named`(_ text: String, _ words: String) {
    #expect {
      try read(Sample.self, text)
    } throws: {
      "\($0)" == words
    }
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan])
  func `a number that JSON does not have is not written`(_ share: Double) {
    #expect {
      try text(Assay(share: share))
    } throws: {
      "\($0)" == "'share': \(share) can't be stored"
    }
  }

  @Test func `records are equal byte for byte, by their fields alone`() {
    #expect("\u{E9}" == "e\u{301}")
    #expect(Sample(title: "\u{E9}") != Sample(title: "e\u{301}"))
    #expect(Sample(title: "\u{E9}", guess: 1) == Sample(title: "\u{E9}", guess: 2))
    #expect(Assay(note: "\u{E9}") != Assay(note: "e\u{301}"))
    #expect(Assay(tags: ["\u{E9}"]) != Assay(tags: ["e\u{301}"]))
    #expect(Assay(tags: ["a"]) != Assay(tags: ["a", "a"]))
    // Databases have one zero.
    #expect(Assay(share: 0) == Assay(share: -0.0))
    #expect(Sample(origin: Origin(city: "A")) != Sample(origin: Origin(city: "B")))
  }

  @Test func `a record without fields is written, read and compared`() throws {
    #expect(try text(Bare()) == "{}")
    #expect(try read(Bare.self, "{}") == Bare())
  }

  @Test func `any encoder can write a record, and its decoder read it`() throws {
    let sample = Sample(title: "A", status: .running)
    let data = try JSONEncoder().encode([sample])
    #expect(try JSONDecoder().decode([Sample].self, from: data) == [sample])
  }

  @Test func `what is no stored property, or nil that is a value, stops the program at its start`()
    async
  {
    await #expect(processExitsWith: .failure) { _ = Wrong.fields }
    await #expect(processExitsWith: .failure) {
      _ = RecordServer(
        RecordDatabase(of: "test", path: "nowhere"),
        [Stubborn.self],
        watchesExternalChanges: false
      )
    }
  }

  @Test func `what no database could keep stops the program before it makes a table`() async {
    await #expect(processExitsWith: .failure) { try write(Twice()) }
    await #expect(processExitsWith: .failure) { try write(Cased()) }
    await #expect(processExitsWith: .failure) { try write(Overlapping()) }
    await #expect(processExitsWith: .failure) { try write(Spaced()) }
  }
}

/// Stores a record in a file of its own.
private func write<R: Record>(_ record: R) throws {
  let store = try FreshRecords()
  let process = AppContext()
  process.add(RecordServer(store.database(), [R.self], watchesExternalChanges: false))
  _ = try process.ask(RequestWriteRecords<R>([.add(record)]))
}
