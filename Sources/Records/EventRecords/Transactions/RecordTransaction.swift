import EventMVVM
import EventValues
import JSONText

/// The records of a store in one transaction: what is read stays true until its end, and what is written
/// is stored as a whole or not at all.
///
/// It assigns numbers and revisions, merges concurrent edits of one record, skips unchanged records, and
/// writes the change log. A body gets it from ``EventMVVM/EventStream/transaction(_:_:)`` on the thread that
/// uses the store, and can't retain it.
public struct RecordTransaction: ~Copyable {
  /// What is read; nil where there is no store yet.
  let reader: (any RecordReader)?
  private let writer: (any RecordWriter)?
  let types: RecordTypes
  let context: WriteContext?
  /// The end of the change log.
  private(set) var end: LogEnd
  /// The changes, in order.
  var updates: [AnyRecordTransition] = []
  /// The step that is undone by it, if any.
  var undone: Step?
  let author: Author
  /// The records that the request has named, and with what.
  var aliases: [ResponseTransaction.Item] = []
  /// What the body has sent.
  var facts: [any Fact] = []
  /// What concerns references.
  var links = Links()
  /// What its rules tell a person.
  var lines: [String] = []
  /// The place among the updates of each removal, by the number of the record.
  private var removals: [Int: Int] = [:]
  /// The revisions of the changes whose rules have run, and of those that have none to run.
  private var followed: Set<Int> = []
  /// Why the transaction can't be committed: a write that failed after a part of it.
  var broken: (any Error)?
  private let id: TransactionID
  /// How many writes the present one belongs to.
  private(set) var depth = 0

  /// Creates a transaction.
  ///
  /// - Parameters:
  ///   - store: The writer of the engine.
  ///   - types: The types of the records.
  ///   - end: The end of the change log; nil if unknown.
  ///   - author: The author of the writes.
  ///   - ordinal: The ordinal of this transaction in the session.
  ///   - context: The request that it is for, and what belongs to its writes; nil for changes that are
  ///     reverted or taken over.
  /// - Throws: The store's failure.
  init(
    _ store: any RecordWriter,
    _ types: RecordTypes,
    end: LogEnd? = nil,
    by author: Author,
    ordinal: Int,
    in context: WriteContext?
  ) throws {
    (reader, writer) = (store, store)
    self.types = types
    self.context = context
    self.end = try end ?? store.end()
    self.author = author
    id = TransactionID(author.root, ordinal)
  }

  /// Creates a transaction for changes that are reverted or taken over.
  package init(
    _ store: any RecordWriter,
    _ types: RecordTypes,
    by author: Author,
    ordinal: Int
  ) throws {
    try self.init(store, types, by: author, ordinal: ordinal, in: nil)
  }

  /// Creates a transaction that only reads.
  init(
    reading store: (any RecordReader)?,
    _ types: RecordTypes,
    by author: Author,
    in context: WriteContext
  ) {
    reader = store
    writer = nil
    self.types = types
    self.context = context
    self.author = author
    end = LogEnd(revision: 0, number: 0, root: nil)
    id = TransactionID(author.root, 0)
  }

  /// The writer of the engine; a transaction that only reads is lent to its body without the means to write.
  var store: any RecordWriter {
    guard let writer else { preconditionFailure("a transaction that only reads has no writer") }
    return writer
  }

  // MARK: Writing

  /// Carries out writes in order, each with the writes that belong to it; a record that is removed twice is
  /// removed once.
  ///
  /// - Returns: The transition of each, as all of them left it; see ``ResponseWriteRecords/result``.
  /// - Throws: Why nothing may be written, a ``RecordError`` or a `Failure`: a missing record, a conflict, a rule that
  ///   a record breaks; or the store's failure.
  public mutating func write<R: Record>(
    _ writes: [RecordWrite<R>]
  ) throws -> [RecordTransition<R>] {
    let known = updates.count
    do {
      guard let environment = context?.environment else { return try carryOut(writes) }
      return current(try carryOut(writes.identified { environment.makeID() }), since: known)
    } catch {
      // A body that catches it may not store a half of it.
      if updates.count > known { broken = broken ?? error }
      throw error
    }
  }

  private mutating func carryOut<R: Record>(
    _ writes: [RecordWrite<R>]
  ) throws -> [RecordTransition<R>] {
    let table = RecordTable(R.self)
    let rules = context?.rules.of(R.self) ?? []
    var removed = try removed(writes, table)
    var transitions: [RecordTransition<R>] = []
    for write in writes {
      let first = transitions.count
      switch write {
      case .add(let value): transitions.append(try add(value, table))
      case .addOnce(let value, let field): transitions.append(try addOnce(value, field, table))
      case .upsert(let value): transitions.append(try upsert(value, table))
      case .put(let number, let value, let seen):
        transitions.append(try put(number, value, seen, table))
      case .overwrite(let number, let value, let seen):
        transitions.append(try put(number, value, seen, overwrites: true, table))
      case .remove(let reference):
        for number in removed.removeValue(forKey: reference) ?? [] {
          // It may have gone with another one.
          let known = removals[number].flatMap { updates[$0].transition(of: R.self) }
          transitions.append(try known ?? removeWhole(number, table))
        }
      case .move(let reference, let side, let other, let field, let seen):
        transitions += try move(reference, side, other, by: field, seen, table)
      }
      guard !rules.isEmpty else { continue }
      for index in first..<transitions.count { try belong(to: transitions[index], rules) }
    }
    return transitions
  }

  /// Carries out what belongs to a write, once.
  private mutating func belong<R: Record>(
    to transition: RecordTransition<R>,
    _ rules: [WriteRules.Rule<R>]
  ) throws {
    guard transition.isChange, followed.insert(transition.revision).inserted else { return }
    guard depth < WriteRules.mostDepth else {
      throw Failure(
        .validation,
        "Nothing was changed: what belongs to the change of \(R.kind) #\(transition.number) leads "
          + "to more and more changes."
      )
    }
    depth += 1
    defer { depth -= 1 }
    for rule in rules where rule.isFor(transition) { try rule.run(transition, &self) }
  }

  /// Returns transitions with what later writes have made of the records.
  private func current<R: Record>(
    _ transitions: [RecordTransition<R>],
    since known: Int
  ) -> [RecordTransition<R>] {
    // Nothing else could change them.
    guard !types.incoming.isEmpty || context.map({ !$0.rules.isEmpty }) ?? false else {
      return transitions
    }
    var latest: [Int: RecordTransition<R>] = [:]
    for update in updates.dropFirst(known) {
      if let transition = update.transition(of: R.self) { latest[update.number] = transition }
    }
    return transitions.map { transition in
      guard let latest = latest[transition.number], latest.revision > transition.revision else {
        return transition
      }
      return RecordTransition(
        transition.number,
        from: transition.before,
        to: latest.after,
        revision: latest.revision
      )
    }
  }

  /// Returns the numbers of the records to remove, each by the first reference to it.
  private func removed<R: Record>(
    _ writes: [RecordWrite<R>],
    _ table: RecordTable
  ) throws -> [RecordReference: [Int]] {
    var known: Set<Int> = []
    var removed: [RecordReference: [Int]] = [:]
    for case .remove(let reference) in writes where removed[reference] == nil {
      removed[reference] = try store.numbers(reference, of: table)
        .filter { known.insert($0).inserted }
    }
    return removed
  }

  private mutating func add<R: Record>(
    _ value: R,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard end.number < Int.max else { throw damaged("it has a record #\(end.number)") }
    let value = try resolved(value, since: nil, now: nil, table)
    try R.check(RecordTransition(end.number + 1, from: nil, to: value, revision: end.revision))
    try refuseTaken(value, by: end.number + 1, knownAs: nil, table)
    return try insert(value, end.number + 1, table)
  }

  /// Stores a record under an unused number.
  mutating func insert<R: Record>(
    _ value: R,
    _ number: Int,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    let revision = try nextRevision()
    let text = try R.storing {
      try value.withFields { record in
        try store.insert(
          RecordValues(table.fields, record),
          number: number,
          revision: revision,
          into: table
        )
      }
      return try value.text()
    }
    let transition = RecordTransition(number, from: nil, to: value, revision: revision)
    try log(transition, from: nil, to: text)
    return transition
  }

  private mutating func addOnce<R: Record>(
    _ value: R,
    _ field: String,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard let column = table.index(of: field) else {
      preconditionFailure("'\(table.kind)' has no field '\(field)'")
    }
    let name = try R.storing { try value.withFields { try table.fields.stored(column, of: $0) } }
    guard let row = try first(field, name, table) else { return try add(value, table) }
    let known = try? Kept<R>(row).value
    return RecordTransition(row.number, from: known, to: known, revision: row.revision)
  }

  private mutating func upsert<R: Record>(
    _ value: R,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard let column = table.fields.identity else {
      preconditionFailure("'\(table.kind)' has no identity")
    }
    let identity = try value.withFields { try table.fields.stored(column, of: $0) }
    guard let row = try first(table.column(column).name, identity, table) else {
      return try add(value, table)
    }
    return try put(row.number, value, nil, table)
  }

  /// Returns the first record with a value in a field.
  private func first(
    _ field: String,
    _ value: StoredValue,
    _ table: RecordTable
  ) throws -> (any RecordRow)? {
    var query = RecordQuery()
    let ranks = table.index(of: field).map { table.column($0).ranks } ?? []
    query.condition = .anyOf(field, [value.compared(by: ranks)])
    query.limit = 1
    return try store.rows(query, of: table).next()
  }

  private mutating func put<R: Record>(
    _ number: Int,
    _ value: R,
    _ seen: Int?,
    overwrites: Bool = false,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    let (known, unreadable) = try known(number, R.self, table)
    var base = known.value
    if let seen, seen != known.revision { base = try self.base(of: known, at: seen, table) }
    var wanted = try resolved(value, since: base, now: known.value, table)
    wanted.copy(R._table.all(.fixed).subtracting(unreadable), from: known.value)
    if let seen, seen < known.revision {
      wanted = try merged(wanted, with: known, since: base, overwrites)
    }
    wanted.copyStamps(from: known.value)
    try R.check(RecordTransition(number, from: known.value, to: wanted, revision: known.revision))
    // An unreadable field has no value that could be taken.
    try refuseTaken(wanted, by: number, knownAs: unreadable.isEmpty ? known.value : nil, table)
    let transition = try change(known, to: wanted, unreadable, table)
    try noteMark(of: transition, table, releases: true)
    if !links.waiting.isEmpty { try release() }
    return transition
  }

  /// Moves a record; records that share the place below it make room.
  private mutating func move<R: Record>(
    _ reference: RecordReference,
    _ side: ManualSide,
    _ other: RecordReference,
    by field: String,
    _ seen: Int?,
    _ table: RecordTable
  ) throws -> [RecordTransition<R>] {
    let number = try store.number(reference, of: table)
    let (known, _) = try known(number, R.self, table)
    let order = ManualOrder(store, table, by: field)
    let neighbour: Int
    do {
      neighbour = try store.number(other, of: table)
      guard try store.row(neighbour, of: table) != nil else {
        throw RecordError.notFound(neighbour, kind: R.kind)
      }
    } catch let error as RecordError {
      throw RecordError.beside(error)
    }
    let places = try order.places(of: number, side, of: neighbour)
    var wanted = known.value
    if let place = places.first?.place { try wanted.put(place, in: field) }
    var transitions: [RecordTransition<R>] = [try put(number, wanted, seen, table)]
    for (number, place) in places.dropFirst() {
      let (known, unreadable) = try self.known(number, R.self, table)
      var wanted = known.value
      try wanted.put(place, in: field)
      transitions.append(try change(known, to: wanted, unreadable, table))
    }
    return transitions
  }

  /// Updates the fields of a record that differ, and the unreadable ones.
  mutating func change<R: Record>(
    _ known: Kept<R>,
    to wanted: R,
    _ unreadable: FieldSet,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    var changed = wanted.differences(from: known.value)
    changed.formUnion(unreadable)
    let number = known.number
    guard !changed.isEmpty else {
      return RecordTransition(number, from: known.value, to: known.value, revision: known.revision)
    }
    let revision = try nextRevision()
    let before = try unreadable.isEmpty ? known.value.text(changed) : raw(number, changed, table)
    let after = try R.storing {
      try wanted.withFields { record in
        try store.update(
          RecordValues(table.fields, record),
          changed,
          number: number,
          revision: revision,
          in: table
        )
      }
      return try wanted.text(changed)
    }
    let transition = RecordTransition(
      number,
      from: unreadable.isEmpty ? known.value : nil,
      to: wanted,
      revision: revision
    )
    // What can't be read is no addition.
    if !unreadable.isEmpty { followed.insert(revision) }
    try log(transition, from: before, to: after)
    return transition
  }

  /// Removes a record, even an unreadable one.
  mutating func remove<R: Record>(
    _ number: Int,
    _ table: RecordTable
  ) throws -> RecordTransition<R> {
    guard let row = try store.row(number, of: table) else {
      throw try types.missing(number, R.kind, in: store)
    }
    let known: R? = try? filled(Kept(row)).value
    let before = try known?.text() ?? RecordFields(row, of: table).text
    try store.remove(number, from: table)
    let transition = RecordTransition(number, from: known, to: nil, revision: try nextRevision())
    removals[number] = updates.count
    try log(transition, from: before, to: nil)
    return transition
  }

  // MARK: Unique fields

  /// Returns the first rule that a record would break, and the other record.
  ///
  /// - Parameters:
  ///   - value: The record.
  ///   - number: Its number.
  ///   - known: Its current value; nil if it does not exist.
  ///   - table: The table of the kind.
  ///   - givesUp: Whether another record is about to change what a rule compares.
  /// - Returns: The rule and the other record; nil if it would break none.
  /// - Throws: The store's failure.
  func taken<R: Record>(
    _ value: R,
    by number: Int,
    knownAs known: R?,
    _ table: RecordTable,
    unless givesUp: (_ other: Int, UniqueRule, [StoredValue]) throws -> Bool = { _, _, _ in false }
  ) throws -> (rule: UniqueRule, number: Int)? {
    guard !table.fields.rules.isEmpty else { return nil }
    let changed = known.map { value.differences(from: $0) } ?? table.fields.all
    for rule in table.fields.rules {
      guard !changed.intersection(table.fields.fields(of: rule)).isEmpty else { continue }
      func key(_ record: R) throws -> [StoredValue]? {
        try R.storing { try record.withFields { try table.fields.key(rule, of: $0) } }
      }
      guard let wanted = try key(value), try known.flatMap(key) != wanted else { continue }
      var conditions: [RecordCondition] = []
      for (field, value) in zip(rule.fields, wanted) {
        conditions.append(.anyOf(table.column(field).name, [value]))
      }
      let counted = table.fields.condition(of: rule)
      if counted != .all { conditions.append(counted) }
      var query = RecordQuery()
      query.condition = conditions.count == 1 ? conditions[0] : .and(conditions)
      // Nearly always there is none, and counting none is cheaper than finding none. A new identity
      // is unused: an engine may check that later.
      let isFree =
        try rule.isIdentity
        ? store.isFree(query.condition, of: table)
        : store.count(query.condition, of: table) == 0
      guard !isFree else { continue }
      let rows = try store.rows(query, of: table)
      while let row = try rows.next() {
        guard row.number != number, try !givesUp(row.number, rule, wanted) else { continue }
        return (rule, row.number)
      }
    }
    return nil
  }

  private func refuseTaken<R: Record>(
    _ value: R,
    by number: Int,
    knownAs known: R?,
    _ table: RecordTable
  ) throws {
    if let (rule, other) = try taken(value, by: number, knownAs: known, table) {
      throw try value.taken(rule, by: other)
    }
  }

  // MARK: Merging

  /// Returns a record, with new values in its unreadable fields.
  private func known<R: Record>(
    _ number: Int,
    _ type: R.Type,
    _ table: RecordTable
  ) throws -> (Kept<R>, unreadable: FieldSet) {
    guard let row = try store.row(number, of: table) else {
      throw try types.missing(number, R.kind, in: store)
    }
    var value = R()
    let unreadable = value.withMutableFields {
      table.fields.loadReadable(row, into: $0).fields
    }
    return (try filled(Kept(number, value, revision: row.revision)), unreadable)
  }

  private func filled<R: Record>(_ record: Kept<R>) throws -> Kept<R> {
    try store.filled(record, gone: links.referents)
  }

  private func raw(_ number: Int, _ set: FieldSet, _ table: RecordTable) throws -> String {
    guard let row = try store.row(number, of: table) else { return "{}" }
    return try RecordFields(row, of: table).text(of: set.map { table.column($0).name })
  }

  /// Returns a record as the caller had read it.
  private func base<R: Record>(
    of known: Kept<R>,
    at seen: Int,
    _ table: RecordTable
  ) throws -> R {
    let history = RecordHistory(store, types)
    guard seen <= end.revision,
      let fields = try history.fields(of: known.number, table, at: seen)
    else { throw RecordError.unseen(known.number, revision: seen) }
    return try filled(Kept(known.number, R(fields, known.number), revision: seen)).value
  }

  /// Returns the merged record, where it was changed since the caller had read it.
  private func merged<R: Record>(
    _ value: R,
    with known: Kept<R>,
    since base: R,
    _ overwrites: Bool
  ) throws -> R {
    var now = known.value
    guard !overwrites else {
      now.take(value, since: base)
      return now
    }
    let conflicts = now.merge(value, since: base)
    if let conflict = try known.conflict(conflicts, since: base) { throw conflict }
    return now
  }

  // MARK: The change log

  private func nextRevision() throws -> Int {
    guard end.revision < Int.max else { throw damaged("it ends with revision \(end.revision)") }
    return end.revision + 1
  }

  private func damaged(_ why: String) -> StoreError {
    StoreError(path: "", "the change log is damaged: \(why)")
  }

  private mutating func log<R: Record>(
    _ transition: RecordTransition<R>,
    from before: String?,
    to after: String?
  ) throws {
    try log(transition.number, R._table.storedKind, transition.revision, from: before, to: after)
    updates.append(AnyRecordTransition(transition, wasThere: before != nil, isThere: after != nil))
  }

  private mutating func log(
    _ number: Int,
    _ kind: String,
    _ revision: Int,
    from before: String?,
    to after: String?
  ) throws {
    // A script has many changes, so the step has usually begun.
    if end.root != author.root {
      try store.begin(
        Step(
          number: revision,
          root: author.root,
          origin: author.origin,
          time: author.time,
          kind: undone?.reversal ?? .change,
          isUndone: false
        )
      )
      try markUndone()
    }
    try store.append(
      LoggedChange(
        revision: revision,
        number: number,
        kind: kind,
        before: before,
        after: after,
        transaction: id,
        origin: author.origin,
        time: author.time
      )
    )
    end = LogEnd(revision: revision, number: Swift.max(end.number, number), root: author.root)
  }

  /// Marks the step as undone; where it undid another one itself, that one is no longer undone.
  func markUndone() throws {
    guard let undone else { return }
    try store.mark(undone.number, isUndone: true)
    if case .undo(let other) = undone.kind { try store.mark(other, isUndone: false) }
  }

  // MARK: Recordings

  /// Stores an external change: under its numbers and its revisions.
  ///
  /// Changes that are in the log already are skipped.
  ///
  /// - Throws: An error if it is no change of the recorded store, or the store's failure.
  package mutating func adopt(_ changes: [StoredChange]) throws {
    for change in changes where change.revision > end.revision {
      guard change.revision == end.revision + 1 else {
        throw StoreError(
          path: "",
          "a change has revision \(change.revision) after \(end.revision)"
        )
      }
      guard let table = types.table(of: change.kind) else {
        try logUnseen(change)
        continue
      }
      func adopt<R: Record>(_ type: R.Type) throws {
        guard let text = change.after else {
          let _: RecordTransition<R> = try remove(change.number, table)
          return
        }
        let value = try R(RecordFields(text, change.number, change.kind), change.number)
        if try store.row(change.number, of: table) == nil {
          _ = try insert(value, change.number, table)
        } else {
          let (known, unreadable) = try known(change.number, type, table)
          _ = try self.change(known, to: value, unreadable, table)
        }
      }
      try adopt(table.type)
      // It changed a kind that is unknown to this version of the program.
      if end.revision < change.revision { try logUnseen(change) }
    }
  }

  /// Writes a change to the log alone.
  private mutating func logUnseen(_ change: StoredChange) throws {
    try log(change.number, change.kind, change.revision, from: change.before, to: change.after)
  }
}

extension Kept {
  /// Returns the conflict of setting the record to this value, where the caller had read another
  /// state: the first field that it would change, and that was changed since.
  ///
  /// - Parameters:
  ///   - wanted: The current record, edited.
  ///   - base: The record that the caller had read.
  /// - Returns: The conflict; nil if there is none. A set has none: it merges.
  /// - Throws: An error if a field can't be written.
  func conflict(giving wanted: R, since base: R) throws -> RecordError? {
    try conflict(
      wanted.differences(from: value)
        .intersection(value.differences(from: base, comparesStampTimes: false))
        .subtracting(R._table.all(.set)),
      since: base
    )
  }

  /// Returns the conflict in the first of some fields; nil if there are none.
  fileprivate func conflict(_ fields: FieldSet, since base: R) throws -> RecordError? {
    guard let index = fields.first(where: { _ in true }) else { return nil }
    let field = R._table.fields[index]
    let name = "\(field.name)"
    return .conflict(
      number,
      field: name,
      expected: try base.withFields { try field.shown($0) },
      actual: try value.withFields { try field.shown($0) },
      isPlace: field.type == ManualPlace?.self
    )
  }
}

extension Record {
  /// Returns the error that another record has what a rule compares.
  func taken(_ rule: UniqueRule, by other: Int) throws -> RecordError {
    let names = rule.fields.map { "\(Self._table.fields[$0].name)" }
    let field = Self._table.fields[rule.fields[0]]
    return .taken(
      other,
      kind: Self.kind,
      field: names[0],
      value: try withFields { try field.json($0).description },
      sentence: withFields { rule.sentence?($0) }
        ?? (names.count < 2
          ? nil
          : "The \(Self.kind) #\(other) has the same \(names.joined(separator: " and ")) already.")
    )
  }

  /// Sets its place.
  fileprivate mutating func put(_ place: ManualPlace, in field: String) throws {
    let table = Self._table
    guard let index = table.index(of: field) else { return }
    withMutableFields {
      ($0 + table.fields[index].offset).assumingMemoryBound(to: ManualPlace?.self).pointee = place
    }
  }
}

extension Step {
  /// The kind of the step that undoes it.
  fileprivate var reversal: Kind { kind == .change ? .undo(of: number) : .redo(of: number) }
}
