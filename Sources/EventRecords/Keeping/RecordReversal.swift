import EventMVVM
import EventPatterns
import JSONText

/// Takes a step back: field by field, and only what nobody has changed since.
///
/// It is a merge as any other: what the step has left is the state that was seen, and what was there before it is what
/// somebody wants.
struct RecordReversal {
  /// What somebody else has changed since.
  private(set) var conflicts: [JournalConflict] = []
  private let history: RecordHistory
  private let force: Bool

  /// Takes it back.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - force: Whether what others have changed is taken back with it.
  ///   - transaction: Writes.
  /// - Throws: What is damaged, or the store's failure.
  init(_ step: Step, force: Bool, _ transaction: inout RecordTransaction) throws {
    self.force = force
    history = RecordHistory(transaction.store, transaction.types)
    for changes in try transaction.store.changes(.ofRoot(step.root), limit: .max).byRecord {
      guard let table = transaction.types.table(of: changes[0].kind) else {
        throw RecordError.damaged(
          changes[0].number,
          kind: changes[0].kind,
          "this version of the program does not know what that is"
        )
      }
      try revert(changes, table, table.type, &transaction)
    }
  }

  /// Takes back what the step has made of one record.
  private mutating func revert<R: Record>(
    _ changes: [LoggedChange],
    _ table: RecordTable,
    _ type: R.Type,
    _ transaction: inout RecordTransaction
  ) throws {
    let (first, last) = (changes[0], changes[changes.count - 1])
    let number = first.number
    let known = try transaction.store.row(number, of: table).map { try Kept<R>($0) }
    switch (first.before != nil, last.after != nil, known) {
    case (false, true, let known?):
      var added = R()
      for change in changes { added.takeReadable(change.later) }
      let others = known.value.differences(from: added)
      conflict(others, of: number, .added, table, from: nil, to: added, now: known.value)
      guard others.isEmpty || force else { return }
      let _: RecordTransition<R> = try transaction.remove(number, table)
    case (true, false, nil):
      guard let before = try earlier(type, table, first) else { return }
      try insert(before, number, .removed, table, &transaction)
    case (true, true, let known?):
      try revert(changes, table, known, &transaction)
    case (true, true, nil):
      // Somebody has taken it away, and with it all that the step has changed.
      guard let before = try earlier(type, table, first) else { return }
      var after = before
      for change in changes { after.takeReadable(change.later) }
      let touched = after.differences(from: before)
      guard !touched.isEmpty else { return }
      conflict(touched, of: number, .changed, table, from: before, to: after, now: nil)
      if force { try insert(before, number, .changed, table, &transaction) }
    default: break  // It is as it was already.
    }
  }

  /// Takes back what the step has changed in a record that is there.
  private mutating func revert<R: Record>(
    _ changes: [LoggedChange],
    _ table: RecordTable,
    _ known: Kept<R>,
    _ transaction: inout RecordTransaction
  ) throws {
    let number = known.number
    var (before, after, now) = (known.value, known.value, known.value)
    for change in changes { after.takeReadable(change.later) }
    for change in changes.reversed() { before.takeReadable(change.earlier) }
    let others = now.merge(before, since: after)
    conflict(others, of: number, .changed, table, from: before, to: after, now: known.value)
    if force { now.keep(others, of: before) }
    // What somebody else has taken since can't be had again; who insists hears who has it.
    while !force,
      let (index, _) = try transaction.taken(
        now,
        now.differences(from: known.value),
        besides: number,
        table
      )
    {
      let field = FieldSet(field: index)
      conflict(field, of: number, .changed, table, from: before, to: after, now: known.value)
      now.keep(field, of: known.value)
    }
    _ = try transaction.change(known, to: now, FieldSet(), table)
  }

  /// Brings a record back, unless another one has since what no two may have; who insists hears who.
  private mutating func insert<R: Record>(
    _ record: R,
    _ number: Int,
    _ kind: SubjectChange.Kind,
    _ table: RecordTable,
    _ transaction: inout RecordTransaction
  ) throws {
    let unique = table.fields.all(.unique)
    guard !force, let (index, _) = try transaction.taken(record, unique, besides: number, table)
    else {
      _ = try transaction.insert(record, number, table)
      return
    }
    let field = FieldSet(field: index)
    conflict(field, of: number, kind, table, from: record, to: record, now: record)
  }

  /// A record as it was before the first change of the step.
  private func earlier<R: Record>(
    _ type: R.Type,
    _ table: RecordTable,
    _ first: LoggedChange
  ) throws -> R? {
    try history.fields(of: first.number, table, at: first.revision - 1)
      .map { fields in
        var record = R()
        record.takeReadable(fields)
        return record
      }
  }

  private mutating func conflict<R: Record>(
    _ set: FieldSet,
    of number: Int,
    _ kind: SubjectChange.Kind,
    _ table: RecordTable,
    from before: R?,
    to after: R,
    now: R?
  ) {
    func json(_ record: R?, _ index: Int) -> JSON {
      guard let text = try? record?.text(FieldSet(field: index)),
        let fields = try? RecordFields(text, number, R.kind)
      else { return .null }
      return fields[table.column(index).name]
    }
    for index in set {
      conflicts.append(
        JournalConflict(
          id: number,
          title: after.title,
          kind: kind,
          field: FieldChange(
            table.column(index).name,
            from: json(before, index),
            to: json(after, index)
          ),
          current: json(now, index)
        )
      )
    }
  }
}

extension LoggedChange {
  /// The fields that it changed, as they were; none where they can't be read.
  var earlier: RecordFields { (try? RecordFields(before, number, kind)) ?? RecordFields() }
  /// The fields that it changed, as they are then; none where they can't be read.
  var later: RecordFields { (try? RecordFields(after, number, kind)) ?? RecordFields() }
}

extension [LoggedChange] {
  /// The changes of each record, in the order in which each was changed first.
  var byRecord: [[LoggedChange]] {
    var places: [Int: Int] = [:]
    var groups: [[LoggedChange]] = []
    for change in self {
      if let place = places[change.number] {
        groups[place].append(change)
      } else {
        places[change.number] = groups.count
        groups.append([change])
      }
    }
    return groups
  }
}
