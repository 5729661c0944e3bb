import EventMVVM
import JSONText

/// The types of stored records, by kind.
package struct RecordTypes: Sendable {
  let all: [any Record.Type]
  /// Their tables, in the same order.
  package let tables: [RecordTable]
  /// The fields that refer to records of each kind; empty where none refers to any.
  let incoming: [String: [IncomingReference]]

  init(_ types: [any Record.Type]) {
    all = types
    tables = types.map { RecordTable($0) }
    // Databases treat names that differ in case alone as the same.
    var kinds: Set<String> = []
    for name in types.flatMap({ $0._table.kinds }) {
      precondition(kinds.insert(name.lowercased()).inserted, "two records are or were a '\(name)'")
    }
    incoming = Self.incoming(tables)
    for target in incoming.keys {
      precondition(table(of: target) != nil, "a field refers to a '\(target)', which is not stored")
    }
    for type in types { type.checkDeclaration() }
  }

  /// Creates the types from an engine's tables.
  package init(of tables: [RecordTable]) {
    self.tables = tables
    all = tables.map(\.type)
    incoming = Self.incoming(tables)
  }

  /// Returns the type of a kind; nil if it is unknown.
  func type(of kind: String) -> (any Record.Type)? { all.first { $0._table.isKind(kind) } }
  /// Returns the table of a kind; nil if it is unknown.
  func table(of kind: String) -> RecordTable? { tables.first { $0.fields.isKind(kind) } }

  /// Returns changes of the log as this version would write them: with the names of today and converted values.
  func today(_ changes: [LoggedChange]) -> [LoggedChange] {
    guard tables.contains(where: \.hasFormerNames) else { return changes }
    return changes.map { change in
      guard let table = table(of: change.kind), table.hasFormerNames else { return change }
      func today(_ text: String?) -> String? {
        guard let text else { return nil }
        let fields = try? RecordFields(text, change.number, change.kind)
        return fields?.today(in: table).text ?? text
      }
      return LoggedChange(
        revision: change.revision,
        number: change.number,
        kind: change.kind,
        before: today(change.before),
        after: today(change.after),
        transaction: change.transaction,
        origin: change.origin,
        time: change.time
      )
    }
  }

  /// Returns a number of records in words: `1 todo`, `2 todos`.
  func count(_ count: Int) -> String {
    guard all.count == 1 else { return "\(count) record\(count == 1 ? "" : "s")" }
    let names = all[0]._table
    return "\(count) \(count == 1 ? names.kind : names.several)"
  }

  /// Returns the title of a record, which may be that of others that it refers to.
  func title(_ kind: String, _ fields: RecordFields?, in store: any RecordReader) -> String {
    func title<R: Record>(_ type: R.Type) -> String? {
      guard let value = fields.flatMap({ try? R(json: $0.json) }) else { return nil }
      let record = Kept(0, value, revision: 0)
      return ((try? store.filled(record)) ?? record).value.title
    }
    guard let type = type(of: kind) else { return kind }
    let known = title(type) ?? ""
    return known.isEmpty ? type.kind : known
  }

  /// Returns the measures of a change.
  func measures(_ change: StoredChange, at time: Instant) -> [Measure] {
    func measures<R: Record>(_ type: R.Type) -> [Measure] {
      guard let transition = try? RecordTransition<R>(change) else { return [] }
      return R.measures(from: transition.before, to: transition.after, at: time)
    }
    return type(of: change.kind).map { measures($0) } ?? []
  }
}

extension Record {
  /// Calls `body` with the address of its fields.
  @inlinable
  package func withFields<T>(_ body: (UnsafeRawPointer) throws -> T) rethrows -> T {
    try withUnsafeBytes(of: self) { try body($0.baseAddress ?? FieldTable.nothing) }
  }

  /// Calls `body` with the address of its fields, to change them.
  @inlinable
  package mutating func withMutableFields<T>(
    _ body: (UnsafeMutableRawPointer) throws -> T
  ) rethrows -> T {
    try withUnsafeMutableBytes(of: &self) {
      try body($0.baseAddress ?? UnsafeMutableRawPointer(mutating: FieldTable.nothing))
    }
  }

  /// Whether the field that marks the deleted is set; false where it declares none.
  public var isMarkedDeleted: Bool {
    guard let field = Self._table.deletionField else { return false }
    return withFields { ($0 + field.offset).assumingMemoryBound(to: Bool.self).pointee }
  }

  /// Sets the field that marks the deleted, if it declares one.
  public mutating func markDeleted(_ isDeleted: Bool) {
    guard let field = Self._table.deletionField else { return }
    withMutableFields {
      ($0 + field.offset).assumingMemoryBound(to: Bool.self).pointee = isDeleted
    }
  }

  /// Returns its fields as a JSON object: the present ones or, if some are given, these, null for
  /// absent ones.
  func text(_ set: FieldSet? = nil) throws -> String {
    var json = JSONWriter()
    try withFields {
      try Self._table.write($0, set, writesNull: set != nil, to: &json)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Sets the fields in an object, and leaves the others unchanged.
  ///
  /// - Returns: The fields that were present.
  mutating func take(_ fields: RecordFields, _ number: Int) throws -> FieldSet {
    do {
      return try withMutableFields { try Self._table.read(fields.json, into: $0) }
    } catch {
      throw RecordError.damaged(number, kind: Self.kind, "\(error)")
    }
  }

  /// Sets the readable fields in an object, and leaves the others unchanged.
  mutating func takeReadable(_ fields: RecordFields) {
    for field in fields.each { _ = try? take(field, 0) }
  }

  /// Returns the fields in which it differs from another.
  func differences(from other: Self, comparesStampTimes: Bool = true) -> FieldSet {
    withFields { record in
      other.withFields {
        Self._table.differences(record, $0, comparesStampTimes: comparesStampTimes)
      }
    }
  }

  /// Copies the stamps that both states have from another state of it.
  mutating func copyStamps(from other: Self) {
    let stamps = Self._table.all(.stamp)
    guard !stamps.isEmpty else { return }
    let changed = differences(from: other)
    let same = changed.subtracting(differences(from: other, comparesStampTimes: false))
    copy(same, from: other)
  }

  /// Reads fields.
  package init(_ fields: RecordFields, _ number: Int) throws {
    self.init()
    _ = try take(fields, number)
  }

  /// Runs a body that stores its fields, and converts its errors to failures for people.
  static func storing<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch is StoredNUL {
      throw Failure(.validation, "A \(kind) can't contain the character NUL (U+0000).")
    } catch let problem as FieldProblem {
      throw Failure(.validation, "A \(kind) can't be stored: \(problem).")
    }
  }
}

extension Kept {
  /// Reads a row.
  init(_ row: any RecordRow) throws {
    var value = R()
    try value.withMutableFields { try R._table.loadRecord(row, into: $0) }
    self.init(row.number, value, revision: row.revision)
  }
}

extension RecordTransition {
  init(_ change: StoredChange) throws {
    let (number, kind) = (change.number, change.kind)
    self.init(
      number,
      // An unreadable earlier state must not prevent the new one.
      from: change.before.flatMap { try? R(RecordFields($0, number, kind), number) },
      to: try change.after.map { try R(RecordFields($0, number, kind), number) },
      revision: change.revision
    )
  }
}
