import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Foundation
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

@testable import EventRecords

// A domain in its versions: what each declares is what a program of its day declared.

/// The first version of a book.
private struct Book: Record {
  enum Status: String, RankedValue { case here, reserved, lent }

  var title = ""
  var author = ""
  var status = Status.here
  var topics: [String] = []

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("author", \.author, [.searched, .indexed])
    .field("status", \.status, .indexed)
    .set("topics", \.topics)
}

/// The version that renamed two fields.
private struct RenamedBook: Record {
  var title = ""
  var writer = ""
  var status = Book.Status.here
  var subjects: [String] = []

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("writer", \.writer, [.searched, .indexed]).renamed(from: "author")
    .field("status", \.status, .indexed)
    .set("subjects", \.subjects).renamed(from: "topics")
}

/// A version that renamed them and did not say so.
private struct ForgetfulBook: Record {
  var title = ""
  var writer = ""
  var status = Book.Status.here
  var subjects: [String] = []

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("writer", \.writer, [.searched, .indexed])
    .field("status", \.status, .indexed)
    .set("subjects", \.subjects)
}

/// The version that has its fields renamed again, and is itself a volume.
private struct Volume: Record {
  var title = ""
  var poet = ""
  var status = Book.Status.here
  var subjects: [String] = []

  static let fields = Fields<Self>("volume", several: "volumes", formerly: "book")
    .field("title", \.title, .searched)
    .field("poet", \.poet, [.searched, .indexed]).renamed(from: "author", "writer")
    .field("status", \.status, .indexed)
    .set("subjects", \.subjects).renamed(from: "topics")
}

/// The version whose statuses are in another order, with one more, and one under another name.
private struct ReorderedBook: Record {
  enum Status: String, RankedValue {
    case lent, lost, promised, here
    static let formerNames: [String: Status] = ["reserved": .promised]
  }

  var title = ""
  var status = Status.here

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("status", \.status, .indexed)
    .removed("author", "topics")
}

/// The version that has no reservations.
private struct PlainBook: Record {
  enum Status: String, RankedValue { case here, lent }

  var title = ""
  var status = Status.here

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("status", \.status, .indexed)
}

/// The version that has the name of its kind changed and did not say so.
private struct ForgottenVolume: Record {
  var title = ""
  var poet = ""
  var subjects: [String] = []

  static let fields = Fields<Self>("volume", several: "volumes")
    .field("title", \.title, .searched)
    .field("poet", \.poet, [.searched, .indexed]).renamed(from: "author")
    .set("subjects", \.subjects).renamed(from: "topics")
}

/// The version that has said neither that its kind was renamed nor that its fields were.
private struct HeedlessVolume: Record {
  var title = ""
  var poet = ""
  var status = Book.Status.here
  var subjects: [String] = []
  var pages = 0

  static let fields = Fields<Self>("volume", several: "volumes")
    .field("title", \.title, .searched)
    .field("poet", \.poet, [.searched, .indexed])
    .field("status", \.status, .indexed)
    .set("subjects", \.subjects)
    .field("pages", \.pages)
}

/// A version that declares the rename late, and has changed the default since, and that a writer is needed.
private struct LateBook: Record {
  var title = ""
  var writer: String?
  var pages = 0

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("writer", \.writer, .indexed).renamed(from: "author")
    .field("pages", \.pages)
    .removed("status", "topics", "subjects")
}

/// A version that forgot the rename, and then converts the field.
private struct InitialBook: Record {
  var title = ""
  var writer: [String] = []

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched)
    .field("writer", \.writer).renamed(from: "author")
    .converted(\.writer, from: String.self) { $0.split(separator: " ").map(String.init) }
    .removed("status", "topics", "subjects")
}

/// A record with a property that no field names.
private struct Loose: Record {
  struct Place { var (shelf, row) = (0, 0) }
  var title = ""
  var place = Place()
  static let fields = Fields<Self>("loose").field("title", \.title).field("shelf", \.place.shelf)
}

/// What becomes of stored records where the declaration of a record changes.
@Suite(.hangLimit) struct ShapeTests {
  /// A store, and the programs of several versions that use it.
  private final class Shop {
    let files: FreshRecords
    private let rig: EngineRig
    private let kind: EngineKind

    init(_ kind: EngineKind) throws {
      self.kind = kind
      rig = try EngineRig(kind)
      files = try FreshRecords()
    }

    func process<R: Record>(
      of type: R.Type,
      _ report: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) throws -> AppContext {
      let context = AppContext()
      let engine: any RecordEngine
      if kind == .file {
        var store = StoreConfiguration(of: "test", path: files.path)
        store.reportsUnread = report
        engine = RecordDatabase(store)
      } else {
        engine = try rig.engine(report)
      }
      context.add(RecordServer(engine, [type], watchesExternalChanges: false))
      return context
    }
  }

  private static let kinds = EngineKind.here.filter { $0 == .file || $0 == .postgres }

  private static let books = [
    Book(title: "Emma", author: "Austen", topics: ["novel", "england"]),
    Book(title: "Faust", author: "Goethe", status: .reserved),
    Book(title: "Walden", author: "Thoreau", status: .lent, topics: ["woods"]),
  ]

  private func filled(_ kind: EngineKind) throws -> (Shop, AppContext) {
    let shop = try Shop(kind)
    let first = try shop.process(of: Book.self)
    _ = try first.ask(RequestWriteRecords(Self.books.map { .add($0) }))
    return (shop, first)
  }

  private func texts(_ report: StoreReport) -> String {
    report.findings.map { "\($0.level.rawValue): \($0.text)" }.joined(separator: "\n")
  }

  // MARK: Names

  @Test(arguments: kinds)
  func `a renamed field has its values, and both versions go on`(_ kind: EngineKind) throws {
    let (shop, first) = try filled(kind)
    let second = try shop.process(of: RenamedBook.self)
    let read = try second.ask(RequestRecords<RenamedBook>())
    #expect(read.map(\.value.writer) == ["Austen", "Goethe", "Thoreau"])
    #expect(read.map(\.value.subjects) == [["novel", "england"], [], ["woods"]])
    for (condition, numbers) in [
      (.equals(\.writer, "Goethe"), [2]), (.has(\.subjects, "woods"), [3]),
      (.contains("AUSTEN"), [1]),
    ] as [(Condition<RenamedBook>, [Int])] {
      let found = try second.ask(RequestRecords(Query().where(condition)))
      #expect(found.map(\.number) == numbers)
    }
    let sorted = Query<RenamedBook>().sorted(by: \.writer, descending: true)
    #expect(try second.ask(RequestRecords(sorted)).map(\.number) == [3, 2, 1])

    var faust = read[1].value
    (faust.writer, faust.subjects) = ("J. W. v. Goethe", ["play"])
    _ = try second.ask(RequestWriteRecords<RenamedBook>([.put(2, faust, seen: 2)]))
    let seen = try first.ask(RequestRecords<Book>())[1].value
    #expect(seen.author == "J. W. v. Goethe" && seen.topics == ["play"])
    // Each undoes what the other did, and tells it in its own words.
    let told = try second.ask(RequestSubjectJournal(of: "2", limit: 1))[0]
    #expect(told.changes[0].fields.map(\.name) == ["writer", "subjects"])
    let toldFirst = try first.ask(RequestSubjectJournal(of: "2", limit: 1))[0]
    #expect(toldFirst.changes[0].fields.map(\.name) == ["author", "topics"])
    _ = try first.revert(4, force: false)
    #expect(try second.ask(RequestRecords<RenamedBook>())[1].value == read[1].value)
    // They merge, and a conflict has the name of today.
    var emma = Self.books[0]
    emma.author = "Jane Austen"
    _ = try first.ask(RequestWriteRecords<Book>([.put(1, emma, seen: 1)]))
    var other = read[0].value
    other.writer = "A Lady"
    let conflict = #expect(throws: Failure.self) {
      try second.ask(RequestWriteRecords<RenamedBook>([.put(1, other, seen: 1)]))
    }
    #expect(conflict?.field == "writer")
    #expect(conflict?.message.contains("Jane Austen") == true)
    #expect(try second.ask(RequestDoctor()).exitStatus == .success)
    #expect(try first.ask(RequestDoctor()).exitStatus == .success)
    #expect(!FileManager.default.fileExists(atPath: shop.files.path + ".schema-3"))
  }

  @Test(arguments: kinds)
  func `views have the name of today, and what was recorded under an earlier one is read`(
    _ kind: EngineKind
  ) throws {
    let (shop, _) = try filled(kind)
    let second = try shop.process(of: RenamedBook.self)
    let book = try second.ask(RequestRecords<RenamedBook>())[0]
    var json = JSONWriter()
    try RecordView(book).write(to: &json)
    let view = try JSON(parsing: json.bytes)
    #expect(view["writer"] == "Austen" && view["author"] == nil)
    #expect(view["subjects"] == ["novel", "england"])
    let recorded = try BodyEncoder().value(book.value)
    for name in ["author", "writer"] {
      let text = try JSON(parsing: recorded).description.replacing("author", with: name)
      #expect(try BodyDecoder().read(RenamedBook.self, from: JSON(parsing: text)) == book.value)
    }
    let request = RequestRecords(Query<RenamedBook>().where(.equals(\.writer, "Austen")))
    let text = try JSON(parsing: BodyEncoder().value(request)).description
    let earlier = text.replacing("writer", with: "author")
    #expect(earlier != text)
    let asked = try BodyDecoder()
      .read(RequestRecords<RenamedBook>.self, from: JSON(parsing: earlier))
    #expect(try second.ask(asked).map(\.number) == [1])
  }

  @Test(arguments: kinds)
  func `a rename that is declared late brings the values together`(_ kind: EngineKind) throws {
    let (shop, _) = try filled(kind)
    let told = Locked<[String]>([])
    let forgetful = try shop.process(of: ForgetfulBook.self) { error in
      told.withLock { $0.append(error.message) }
    }
    let read = try forgetful.ask(RequestRecords<ForgetfulBook>()).map(\.value)
    #expect(read.map(\.writer) == ["", "", ""])
    let sentences = told.withLock { $0 }
    #expect(sentences.count == 2)
    #expect(
      sentences[0]
        .hasSuffix(
          "keeps 'author' of 3 books, which this version of the program does not read: it stays there. "
            + "If it has another name now, declare `.renamed(from: \"author\")`"
        )
    )
    #expect(sentences[1].contains("keeps 'topics' of 2 books"))
    let report = texts(try forgetful.ask(RequestDoctor()).report)
    #expect(report.contains("warning: the "))
    #expect(report.contains("keeps 'author' of 3 books"))
    var emma = read[0]
    (emma.writer, emma.subjects) = ("Jane", ["love"])
    _ = try forgetful.ask(RequestWriteRecords<ForgetfulBook>([.put(1, emma, seen: 1)]))

    // What is cleared there is cleared, though a new record has the same.
    var faust = read[1]
    faust.writer = "X"
    _ = try forgetful.ask(RequestWriteRecords<ForgetfulBook>([.put(2, faust, seen: 2)]))
    faust.writer = ""
    _ = try forgetful.ask(RequestWriteRecords<ForgetfulBook>([.put(2, faust, seen: nil)]))

    let third = try shop.process(of: RenamedBook.self)
    let books = try third.ask(RequestRecords<RenamedBook>()).map(\.value)
    #expect(books.map(\.writer) == ["Jane", "", "Thoreau"])
    #expect(books.map(\.subjects) == [["love"], [], ["woods"]])
    for (condition, numbers) in [
      (.contains("jane"), [1]), (.contains("thoreau"), [3]), (.has(\.subjects, "love"), [1]),
      (.has(\.subjects, "novel"), []),
    ] as [(Condition<RenamedBook>, [Int])] {
      let found = try third.ask(RequestRecords(Query().where(condition)))
      #expect(found.map(\.number) == numbers)
    }
    #expect(try third.ask(RequestDoctor()).exitStatus == .success)
    let journal = try third.ask(RequestSubjectJournal(of: "1", limit: 9))
    #expect(journal[0].changes[0].fields.map(\.name) == ["writer", "subjects"])
    if kind == .file {
      #expect(FileManager.default.fileExists(atPath: shop.files.path + ".schema-3"))
      #expect(!FileManager.default.fileExists(atPath: shop.files.path + ".schema-3-2"))
    }
    // The version that did not say so would go on in a column of its own.
    let refused = #expect(throws: Failure.self) {
      try forgetful.ask(RequestRecords<ForgetfulBook>())
    }
    #expect(refused?.kind == .store)
    // Nothing is taken over again, whatever changes.
    let late = try shop.process(of: LateBook.self)
    #expect(
      try late.ask(RequestRecords<LateBook>()).map(\.value.writer) == ["Jane", "", "Thoreau"]
    )
    let converted = try shop.process(of: InitialBook.self)
    #expect(
      try converted.ask(RequestRecords<InitialBook>()).map(\.value.writer)
        == [["Jane"], [], ["Thoreau"]]
    )
  }

  @Test(arguments: kinds)
  func `a rename that was forgotten and a conversion come together`(_ kind: EngineKind) throws {
    let (shop, _) = try filled(kind)
    let forgetful = try shop.process(of: ForgetfulBook.self)
    var emma = try forgetful.ask(RequestRecords<ForgetfulBook>())[0].value
    emma.writer = "Jane Austen"
    _ = try forgetful.ask(
      RequestWriteRecords<ForgetfulBook>([
        .put(1, emma, seen: 1), .add(ForgetfulBook(title: "Ulysses", writer: "J Joyce")),
      ])
    )
    let later = try shop.process(of: InitialBook.self)
    #expect(
      try later.ask(RequestRecords<InitialBook>()).map(\.value.writer)
        == [["Jane", "Austen"], ["Goethe"], ["Thoreau"], ["J", "Joyce"]]
    )
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
    // Before its change the forgetful version had no writer.
    _ = try later.revert(4, force: false)
    #expect(
      try later.ask(RequestRecords<InitialBook>()).map(\.value.writer)
        == [[], ["Goethe"], ["Thoreau"]]
    )
  }

  @Test(arguments: kinds)
  func `a kind whose rename was forgotten is brought together`(_ kind: EngineKind) throws {
    let (shop, _) = try filled(kind)
    let told = Locked<[String]>([])
    let forgetful = try shop.process(of: ForgottenVolume.self) { error in
      told.withLock { $0.append(error.message) }
    }
    #expect(try forgetful.ask(RequestRecords<ForgottenVolume>()) == [])
    #expect(
      told.withLock { $0 }.first?
        .hasSuffix(
          "keeps 3 records of the kind 'book', which this version of the program does not know: they stay there. "
            + "If the kind has another name now, declare `formerly: \"book\"`"
        ) == true
    )
    let leaves = ForgottenVolume(title: "Leaves", poet: "Whitman", subjects: ["grass"])
    _ = try forgetful.ask(RequestWriteRecords<ForgottenVolume>([.add(leaves)]))
    let later = try shop.process(of: Volume.self)
    let all = try later.ask(RequestRecords<Volume>()).map(\.value.poet)
    #expect(all == ["Austen", "Goethe", "Thoreau", "Whitman"])
    let grass = Query<Volume>().where(.has(\.subjects, "grass"))
    #expect(try later.ask(RequestRecords(grass)).map(\.number) == [4])
    #expect(
      try later.ask(RequestRecords(Query<Volume>().where(.contains("whitman")))).map(\.number) == [
        4
      ]
    )
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
    _ = try later.revert(4, force: false)
    #expect(try later.ask(RequestRecords<Volume>()).map(\.number) == [1, 2, 3])
  }

  @Test(arguments: kinds)
  func `a kind and its fields whose renames were forgotten are brought together`(
    _ kind: EngineKind
  ) throws {
    for hasBooks in [true, false] {
      let shop = try hasBooks ? filled(kind).0 : Shop(kind)
      let heedless = try shop.process(of: HeedlessVolume.self)
      let leaves = HeedlessVolume(
        title: "Leaves",
        poet: "Whitman",
        status: .lent,
        subjects: ["grass"],
        pages: 9
      )
      _ = try heedless.ask(RequestWriteRecords<HeedlessVolume>([.add(leaves)]))
      let later = try shop.process(of: Volume.self)
      let found = try later.ask(RequestRecords(Query<Volume>().where(.contains("whitman"))))
      #expect(found.map(\.value.poet) == ["Whitman"])
      #expect(found.map(\.value.status) == [.lent])
      #expect(found.map(\.value.subjects) == [["grass"]])
      let grass = Query<Volume>().where(.has(\.subjects, "grass"))
      #expect(try later.ask(RequestRecords(grass)).count == 1)
      #expect(try later.ask(RequestRecords<Volume>()).count == (hasBooks ? 4 : 1))
      let report = texts(try later.ask(RequestDoctor()).report)
      #expect(report.contains("keeps 'pages' of 1 volume"))
      #expect(!report.contains("error"))
    }
  }

  @Test(arguments: kinds)
  func `a store that began with a later name is converted`(_ kind: EngineKind) throws {
    let shop = try Shop(kind)
    let forgetful = try shop.process(of: ForgetfulBook.self)
    let emma = ForgetfulBook(title: "Emma", writer: "Jane Austen", subjects: ["love"])
    _ = try forgetful.ask(RequestWriteRecords<ForgetfulBook>([.add(emma)]))
    let later = try shop.process(of: InitialBook.self)
    #expect(
      try later.ask(RequestRecords<InitialBook>()).map(\.value.writer) == [["Jane", "Austen"]]
    )
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
  }

  @Test(arguments: kinds)
  func `a version that forgot a rename and comes later is taken over, too`(
    _ kind: EngineKind
  ) throws {
    let (shop, _) = try filled(kind)
    let third = try shop.process(of: RenamedBook.self)
    #expect(try third.ask(RequestRecords<RenamedBook>())[0].value.writer == "Austen")
    let forgetful = try shop.process(of: ForgetfulBook.self)
    var emma = try forgetful.ask(RequestRecords<ForgetfulBook>())[0].value
    emma.writer = "Jane"
    _ = try forgetful.ask(RequestWriteRecords<ForgetfulBook>([.put(1, emma, seen: 1)]))
    let again = try shop.process(of: RenamedBook.self)
    let writers = try again.ask(RequestRecords<RenamedBook>()).map(\.value.writer)
    #expect(writers == ["Jane", "Goethe", "Thoreau"])
  }

  @Test(arguments: kinds)
  func `what a version does not read it does not undo`(_ kind: EngineKind) throws {
    let (shop, first) = try filled(kind)
    let later = try shop.process(of: ReorderedBook.self)
    var emma = Self.books[0]
    emma.topics = ["love"]
    _ = try first.ask(RequestWriteRecords<Book>([.put(1, emma, seen: 1)]))
    let refused = #expect(throws: Failure.self) { try later.revert(4, force: false) }
    #expect(
      refused?.message
        == "The book #1 was changed in 'topics', which this version of the program does not read; "
        + "undo it with the version that does."
    )
    _ = try first.revert(4, force: false)
    #expect(try first.ask(RequestRecords<Book>())[0].value == Self.books[0])
  }

  @Test(arguments: kinds)
  func `a kind that is renamed has its records, its history and its undo`(_ kind: EngineKind) throws
  {
    let (shop, first) = try filled(kind)
    let later = try shop.process(of: Volume.self)
    var faust = try later.ask(RequestRecords<Volume>())[1].value
    #expect(faust.poet == "Goethe")
    faust.poet = "Johann"
    _ = try later.ask(
      RequestWriteRecords<Volume>([.put(2, faust, seen: 2), .add(Volume(title: "Leaves"))])
    )
    #expect(try first.ask(RequestRecords<Book>()).map(\.value.author)[1] == "Johann")
    #expect(try first.ask(RequestRecords<Book>()).map(\.number) == [1, 2, 3, 4])
    let fields = try later.ask(RequestSubjectJournal(of: "2", limit: 1))[0].changes[0].fields
    #expect(fields == [FieldChange("poet", from: "Goethe", to: "Johann")])
    _ = try first.revert(4, force: false)
    #expect(
      try later.ask(RequestRecords<Volume>()).map(\.value.poet) == ["Austen", "Goethe", "Thoreau"]
    )
    let missing = #expect(throws: Failure.self) {
      try later.ask(RequestWriteRecords<Volume>([.put(9, faust, seen: nil)]))
    }
    #expect(missing?.message == "There is no volume #9.")
    let report = texts(try later.ask(RequestDoctor()).report)
    #expect(report.contains("ok: 3 volumes"))
    #expect(!report.contains("warning") && !report.contains("error"))
  }

  // MARK: Values

  @Test(arguments: kinds)
  func `an enumeration is reordered, and each record has its value`(_ kind: EngineKind) throws {
    let (shop, first) = try filled(kind)
    let later = try shop.process(of: ReorderedBook.self)
    let read = try later.ask(RequestRecords<ReorderedBook>()).map(\.value.status)
    #expect(read == [.here, .promised, .lent])
    let sorted = Query<ReorderedBook>().sorted(by: \.status)
    #expect(try later.ask(RequestRecords(sorted)).map(\.number) == [3, 2, 1])
    #expect(try later.ask(RequestRecords(sorted.first(1))).map(\.number) == [3])
    let rest = sorted.after(try later.ask(RequestRecords(sorted))[0])
    #expect(try later.ask(RequestRecords(rest)).map(\.number) == [2, 1])
    for (condition, numbers) in [
      (.equals(\.status, .promised), [2]), (.atLeast(\.status, .promised), [1, 2]),
      (.less(\.status, than: .promised), [3]), (.isOne(of: [.lent, .here], \.status), [1, 3]),
      (.not(.equals(\.status, .lent)), [1, 2]),
    ] as [(Condition<ReorderedBook>, [Int])] {
      let found = try later.ask(RequestRecords(Query().where(condition)))
      #expect(found.map(\.number) == numbers)
    }
    let told = try later.ask(RequestSubjectJournal(of: "2", limit: 1))[0].changes[0]
    #expect(told.fields.contains(FieldChange("status", from: "here", to: "promised")))
    // What an earlier version goes on to write is found by the name of today.
    var walden = Self.books[2]
    walden.status = .reserved
    _ = try first.ask(RequestWriteRecords<Book>([.put(3, walden, seen: 3)]))
    let promised = Query<ReorderedBook>().where(.equals(\.status, .promised))
    #expect(try later.ask(RequestRecords(promised)).map(\.number) == [2, 3])
    #expect(try later.ask(RequestRecords(sorted)).map(\.number) == [2, 3, 1])
    let after = sorted.after(try later.ask(RequestRecords(sorted))[0])
    #expect(try later.ask(RequestRecords(after)).map(\.number) == [3, 1])
    _ = try first.revert(4, force: false)
    // The earlier version sorts by its own order, and says what it can't read.
    #expect(
      try first.ask(RequestRecords(Query<Book>().sorted(by: \.status))).map(\.number) == [1, 3]
    )
    #expect(try later.ask(RequestDoctor()).exitStatus == .success)
    let report = texts(try later.ask(RequestDoctor()).report)
    #expect(!report.contains("keeps"))
  }

  @Test(arguments: kinds)
  func `a value that a version does not know is left out with a warning, and stays`(
    _ kind: EngineKind
  ) throws {
    let (shop, first) = try filled(kind)
    let later = try shop.process(of: PlainBook.self)
    let warnings = Locked<[String]>([])
    later.stream.on(ResponseUnreadableRecords.self) { event, _ in
      warnings.withLock { $0.append(event.failure.message) }
    }
    #expect(try later.ask(RequestRecords<PlainBook>()).map(\.number) == [1, 3])
    #expect(
      warnings.withLock { $0 }.first?.contains("Of #2: 'status': 'reserved' is no value of it")
        == true
    )
    #expect(try first.ask(RequestRecords<Book>()).map(\.value) == Self.books)
  }

  @Test func `ranks that an earlier version stored are converted after a copy`() throws {
    let (shop, _) = try filled(.file)
    // As a version had them whose cases were in another order: the log has the names.
    try shop.files.execute(
      """
      DROP INDEX "record_book:\(RecordTable(Book.self).column(2).indexName)";
      ALTER TABLE record_book DROP COLUMN status;
      ALTER TABLE record_book ADD COLUMN status INTEGER DEFAULT 0;
      UPDATE record_book SET status = 2 - (_number - 1);
      CREATE INDEX "record_book:status" ON record_book (status);
      DELETE FROM declaration;
      PRAGMA user_version = 2;
      """
    )
    let process = try shop.process(of: Book.self)
    #expect(try process.ask(RequestRecords<Book>()).map(\.value) == Self.books)
    #expect(FileManager.default.fileExists(atPath: shop.files.path + ".schema-2"))
    _ = try process.ask(RequestWriteRecords<Book>([.add(Book(title: "New"))]))
    #expect(try process.ask(RequestRecords<Book>()).last?.value.status == .here)
    #expect(try process.ask(RequestDoctor()).exitStatus == .success)
  }

  // MARK: Declarations

  @Test func `a property that no field names is found`() {
    #expect(Book.unnamedProperty == nil)
    #expect(Loose.unnamedProperty == "place.row")
    #expect(Reading.unnamedProperty == nil)
  }
}
