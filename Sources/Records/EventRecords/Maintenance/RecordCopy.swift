import EventMVVM
import EventValues
import JSONText

/// Visits all data of a store, in one snapshot: the records, then the change log, and the steps
/// where they begin.
private struct RecordTour {
  let store: any RecordReader
  let types: RecordTypes
  private(set) var count = RecordCopy(records: 0, changes: 0)

  init(_ store: any RecordReader, _ types: RecordTypes) {
    self.store = store
    self.types = types
  }

  /// Passes everything to a receiver.
  ///
  /// - Throws: An error if a record is damaged, or of an unknown kind; what the receiver throws.
  mutating func show(_ taker: inout some RecordTaker) throws {
    for table in types.tables { try showRecords(table.type, table, &taker) }
    var undone: [Int] = []
    var begun: Set<Root> = []
    // The last change of each record of an unknown kind.
    var unknown: [Int: LoggedChange] = [:]
    try store.forEachChange { change in
      let root = change.transaction.root
      if begun.insert(root).inserted, let step = try store.steps(.root(root)).first {
        try taker.begin(step)
        if step.isUndone { undone.append(step.number) }
      }
      try taker.take(change)
      if types.table(of: change.kind) == nil { unknown[change.number] = change }
      count.changes += 1
    }
    if let stray = unknown.values.filter({ $0.after != nil }).min(by: { $0.number < $1.number }) {
      throw RecordError.undeclared(stray.number, kind: stray.kind)
    }
    for step in undone { try taker.markUndone(step) }
  }

  private mutating func showRecords<R: Record>(
    _ type: R.Type,
    _ table: RecordTable,
    _ taker: inout some RecordTaker
  ) throws {
    let rows = try store.rows(RecordQuery(), of: table)
    while let row = try rows.next() {
      try taker.take(try Kept<R>(row), table)
      count.records += 1
    }
  }
}

/// Receives the data of a store, part by part.
private protocol RecordTaker {
  mutating func take<R: Record>(_ record: Kept<R>, _ table: RecordTable) throws
  mutating func take(_ change: LoggedChange) throws
  mutating func begin(_ step: Step) throws
  mutating func markUndone(_ step: Int) throws
}

/// Writes the data into another store, which is empty.
private struct RecordImporter: RecordTaker {
  let store: any RecordWriter

  /// - Throws: An error if the store is not empty.
  init(_ store: any RecordWriter, named name: String) throws {
    guard try store.end() == LogEnd() else {
      throw StoreError(path: name, "is not empty; what is copied needs a store of its own")
    }
    self.store = store
  }

  func take<R: Record>(_ record: Kept<R>, _ table: RecordTable) throws {
    try record.value.withFields {
      try store.insert(
        RecordValues(table.fields, $0),
        number: record.number,
        revision: record.revision,
        into: table
      )
    }
  }

  func take(_ change: LoggedChange) throws { try store.append(change) }
  func begin(_ step: Step) throws { try store.begin(step.asMade) }
  func markUndone(_ step: Int) throws { try store.mark(step, isUndone: true) }
}

/// The counts of what was copied.
package struct RecordCopy: Equatable, Sendable {
  /// The number of records.
  package var records: Int
  /// The number of changes of the log.
  package var changes: Int
}

extension RecordEngine {
  /// Copies all records with their history into an empty store of any engine: one snapshot becomes
  /// one transaction.
  ///
  /// Numbers, revisions and steps stay the same. By the home thread of the other store.
  ///
  /// - Parameters:
  ///   - types: The types of the records.
  ///   - other: The store to copy to, with its tables declared.
  /// - Returns: The counts of what was copied; nothing where there is no store yet.
  /// - Throws: An error if a record is damaged or of an unknown kind, or if the other store is not
  ///   empty; then nothing is copied.
  package func copy(_ types: RecordTypes, to other: any RecordEngine) throws -> RecordCopy {
    try readCommitted { store in
      try other.write {
        var keeper = try RecordImporter($0, named: other.name)
        var tour = RecordTour(store, types)
        try tour.show(&keeper)
        return tour.count
      }
    } ?? RecordCopy(records: 0, changes: 0)
  }
}

// MARK: - Images

/// All data of a store as text, with which any engine can begin: a JSON value a line.
package enum RecordImage {
  /// Whether bytes begin like an image.
  package static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: #"{"records":"#.utf8) }

  /// Returns the image of a store.
  ///
  /// - Parameters:
  ///   - engine: The store; by its home thread.
  ///   - types: The types of the records.
  /// - Returns: UTF-8; nil if there is no store yet, or nothing was ever in it.
  /// - Throws: An error if a record is damaged or of an unknown kind, or the store's failure.
  package static func of(_ engine: any RecordEngine, _ types: RecordTypes) throws -> [UInt8]? {
    let image = try engine.read(in: .committed) { store -> [UInt8]? in
      guard try store.end() != LogEnd() else { return nil }
      var writer = ImageWriter()
      var tour = RecordTour(store, types)
      try tour.show(&writer)
      writer.end(tour.count)
      return writer.bytes
    }
    return image ?? nil
  }

  /// Writes the data of an image into an empty store.
  ///
  /// - Parameters:
  ///   - image: The image from ``of(_:_:)``, by this version of the program or another one.
  ///   - store: The store, in one transaction.
  ///   - name: The name of the store in messages.
  ///   - types: The types of the records.
  /// - Throws: An error with the line that can't be read, or if the store is not empty; then
  ///   nothing is written.
  package static func restore(
    _ image: [UInt8],
    into store: any RecordWriter,
    named name: String,
    _ types: RecordTypes
  ) throws {
    var reader = ImageReader(keeper: try RecordImporter(store, named: name), types: types)
    for (index, line) in image.split(separator: UInt8(ascii: "\n")).enumerated() {
      do {
        try reader.read(JSON(parsing: line), isFirst: index == 0)
      } catch let error where !(error is StoreError) {
        let why = (error as? ValueError)?.message ?? "\(error)"
        throw StoreError(path: name, "line \(index + 1) of its image can't be read: \(why)")
      }
    }
    guard reader.isWhole else { throw StoreError(path: name, "its image is cut off") }
  }

  fileprivate static let version = 1
}

private struct ImageWriter: RecordTaker {
  private(set) var bytes = Array(#"{"records":\#(RecordImage.version)}"#.utf8)
  private let encoder = BodyEncoder()

  private mutating func line(_ body: (inout JSONWriter) throws -> Void) rethrows {
    var json = JSONWriter()
    try json.object(body)
    bytes.append(UInt8(ascii: "\n"))
    bytes += json.bytes
  }

  private mutating func line(_ name: JSONName, _ value: some Encodable) throws {
    let text = try encoder.value(value)
    line {
      $0.key(name)
      $0.value(text: text)
    }
  }

  mutating func take<R: Record>(_ record: Kept<R>, _ table: RecordTable) throws {
    try line { json in
      json.member("kind", R._table.storedKind)
      json.member("number", record.number)
      json.member("revision", record.revision)
      json.key("fields")
      try record.value.write(to: &json)
    }
  }

  mutating func take(_ change: LoggedChange) throws { try line("change", change) }
  mutating func begin(_ step: Step) throws { try line("step", step) }
  mutating func markUndone(_ step: Int) throws { try line("undone", step) }

  /// Writes the counts, so that an incomplete image is noticed.
  mutating func end(_ count: RecordCopy) { line { $0.member("end", count.changes) } }
}

private struct ImageReader {
  let keeper: RecordImporter
  let types: RecordTypes
  /// Whether the image was complete.
  private(set) var isWhole = false
  private var changes = 0
  private let decoder = BodyDecoder()

  init(keeper: RecordImporter, types: RecordTypes) {
    self.keeper = keeper
    self.types = types
  }

  mutating func read(_ json: JSON, isFirst: Bool) throws {
    guard isFirst == (json["records"] != nil), !isWhole else {
      throw ValueError("this is no image")
    }
    if let version = json["records"] {
      guard version == .integer(Int64(RecordImage.version)) else {
        throw ValueError("it is of version \(version), which this program does not know")
      }
    } else if case .string(let kind)? = json["kind"], case .integer(let number)? = json["number"],
      case .integer(let revision)? = json["revision"], let fields = json["fields"]
    {
      guard let table = types.table(of: kind) else {
        throw ValueError("this version of the program does not know what a \(kind) is")
      }
      try keep(fields, Int(number), Int(revision), table, table.type)
    } else if let change = json["change"] {
      try keeper.take(try decoder.read(LoggedChange.self, from: change))
      changes += 1
    } else if let step = json["step"] {
      try keeper.begin(try decoder.read(Step.self, from: step))
    } else if case .integer(let step)? = json["undone"] {
      try keeper.markUndone(Int(step))
    } else if json["end"] == .integer(Int64(changes)) {
      isWhole = true
    } else {
      throw ValueError("it is of an unknown kind")
    }
  }

  private func keep<R: Record>(
    _ fields: JSON,
    _ number: Int,
    _ revision: Int,
    _ table: RecordTable,
    _ type: R.Type
  ) throws {
    try keeper.take(Kept(number, try R(json: fields), revision: revision), table)
  }
}

extension Step {
  /// The step before it was undone.
  fileprivate var asMade: Step {
    Step(
      number: number,
      root: root,
      origin: origin,
      time: time,
      kind: kind,
      isUndone: false
    )
  }
}
