import EventMVVM
import JSONText

/// Reverts a step: field by field, and only fields that were not changed since.
///
/// It is an ordinary merge: the state after the step is the base, and the state before it is the
/// edited one. It decides which values the fields get; the caller, such as the plugin UndoHistory,
/// decides which step is reverted.
struct RecordReversal {
  /// The fields that were changed since.
  private(set) var conflicts: [JournalConflict] = []
  private let store: any RecordReader
  private let history: RecordHistory
  private let force: Bool
  private let kept: Set<Int>

  /// Reverts the step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - force: Whether later changes are reverted with it.
  ///   - kept: The numbers of records that stay as they are.
  ///   - transaction: The transaction that writes, and has not written before.
  /// - Throws: An error for damaged data, or the store's failure.
  init(
    _ step: Step,
    force: Bool,
    without kept: Set<Int> = [],
    _ transaction: inout RecordTransaction
  ) throws {
    (self.force, self.kept) = (force, kept)
    transaction.undone = step
    store = transaction.store
    history = RecordHistory(store, transaction.types)
    let changes = try transaction.store.changes(.ofRoot(step.root), limit: .max)
    let all = transaction.types.today(changes).byRecord
    for kind in all.map({ $0[0].kind }).unique {
      let records = all.filter { $0[0].kind == kind }
      guard let table = transaction.types.table(of: kind) else {
        throw RecordError.undeclared(records[0][0].number, kind: kind)
      }
      try revert(records, table, table.type, &transaction)
    }
    // A step with nothing left to change counts as undone.
    if transaction.updates.isEmpty { try transaction.markUndone() }
  }

  /// The planned state of a record after the undo.
  private struct Plan<R: Record> {
    let number: Int
    /// The kind of the step's change.
    let kind: SubjectChange.Kind
    /// Its current state; nil if it does not exist.
    let known: Kept<R>?
    /// Its state after the undo; nil if it is removed.
    var wanted: R?
    /// Its states before and after the step.
    var (before, after): (R?, R)

    /// Whether the undo removes it, or changes what a rule compares from these values.
    func givesUp(_ rule: UniqueRule, _ values: [StoredValue], _ table: RecordTable) throws -> Bool {
      try wanted?.withFields { try table.fields.key(rule, of: $0) != values } ?? true
    }
  }

  /// Reverts the step's changes of the records of a kind.
  private mutating func revert<R: Record>(
    _ records: [[LoggedChange]],
    _ table: RecordTable,
    _ type: R.Type,
    _ transaction: inout RecordTransaction
  ) throws {
    var plans: [Plan<R>] = []
    for changes in records where !kept.contains(changes[0].number) {
      if let plan: Plan<R> = try plan(changes, table, transaction) { plans.append(plan) }
    }
    for (number, columns) in try dropTakenValues(from: &plans, table, transaction) {
      try transaction.store.release(columns, of: number, in: table)
    }
    for plan in plans {
      if table.fields.hasReferences {
        transaction.links.back.append(.init(number: plan.number, table: table))
      }
      switch (plan.known, plan.wanted) {
      case (let known?, let wanted?):
        let change = try transaction.change(known, to: wanted, FieldSet(), table)
        try transaction.noteMark(of: change, table)
      case (nil, let wanted?): _ = try transaction.insert(wanted, plan.number, table)
      case (.some, nil):
        try transaction.note(plan.number, table, releases: false)
        let _: RecordTransition<R> = try transaction.remove(plan.number, table)
      case (nil, nil): break
      }
    }
  }

  /// Returns the plan for one record; nil if it is left alone: it exists or not, as before the
  /// step, or its removal or its restoration is in conflict with later changes.
  private mutating func plan<R: Record>(
    _ changes: [LoggedChange],
    _ table: RecordTable,
    _ transaction: borrowing RecordTransaction
  ) throws -> Plan<R>? {
    let (first, last) = (changes[0], changes[changes.count - 1])
    let number = first.number
    let known = try transaction.store.row(number, of: table).map { try Kept<R>($0) }
    func plan(
      _ kind: SubjectChange.Kind,
      _ wanted: R?,
      _ before: R?,
      _ after: R
    ) -> Plan<R> {
      Plan(
        number: number,
        kind: kind,
        known: known,
        wanted: wanted,
        before: before,
        after: after
      )
    }
    switch (first.before != nil, last.after != nil, known) {
    case (false, true, let known?):
      var added = R()
      for change in changes { added.takeReadable(change.later) }
      let others = known.value.differences(from: added)
      let plan = plan(.added, nil, nil, added)
      conflict(others, plan, table)
      return others.isEmpty || force ? plan : nil
    case (true, false, nil):
      guard let before: R = try earlier(table, first) else { return nil }
      return plan(.removed, before, before, before)
    case (true, true, let known?):
      if !force,
        let unread = changes.lazy.flatMap({ $0.later.names })
          .first(where: {
            table.index(of: $0) == nil
          })
      {
        throw RecordError.unread(number, kind: table.kind, field: unread)
      }
      var (before, after, now) = (known.value, known.value, known.value)
      for change in changes { after.takeReadable(change.later) }
      for change in changes.reversed() { before.takeReadable(change.earlier) }
      let others = now.merge(before, since: after, comparesStampTimes: true)
      if force { now.copy(others, from: before) }
      let plan = plan(.changed, now, before, after)
      conflict(others, plan, table)
      return plan
    case (true, true, nil):
      // It was removed, and with it all changes of the step; an addition that was undone stays
      // undone.
      let isWithdrawn = try force && isWithdrawn(number, in: transaction.store)
      guard !isWithdrawn, let before: R = try earlier(table, first) else { return nil }
      var after = before
      for change in changes { after.takeReadable(change.later) }
      let touched = after.differences(from: before)
      let plan = plan(.changed, before, before, after)
      conflict(touched, plan, table)
      return force && !touched.isEmpty ? plan : nil
    default: return nil
    }
  }

  /// Drops from the plans each unique value that another record has and retains; a forced undo
  /// throws an error with that record.
  ///
  /// All plans are considered together, as the records of a step may have exchanged their values.
  ///
  /// - Returns: The records whose values another one is to have first, with these fields.
  private mutating func dropTakenValues<R: Record>(
    from plans: inout [Plan<R>],
    _ table: RecordTable,
    _ transaction: borrowing RecordTransaction
  ) throws -> [Int: FieldSet] {
    var given: [Int: FieldSet] = [:]
    guard !table.fields.rules.isEmpty else { return given }
    let places = Dictionary(uniqueKeysWithValues: plans.indices.map { (plans[$0].number, $0) })
    var isFinal = false
    while !isFinal {
      (isFinal, given) = (true, [:])
      for place in plans.indices {
        while let wanted = plans[place].wanted,
          let (rule, other) = try transaction.taken(
            wanted,
            by: plans[place].number,
            knownAs: plans[place].known?.value,
            table,
            unless: { other, rule, values in
              guard let plan = places[other].map({ plans[$0] }),
                try plan.givesUp(rule, values, table), let known = plan.known?.value
              else { return false }
              let all = table.fields.fields(of: rule)
              given[other, default: FieldSet()]
                .formUnion(plan.wanted.map { all.intersection($0.differences(from: known)) } ?? all)
              return true
            }
          )
        {
          guard !force else { throw try wanted.taken(rule, by: other) }
          isFinal = false
          let fields = table.fields.fields(of: rule)
          if let known = plans[place].known {
            let changed = fields.intersection(wanted.differences(from: known.value))
            conflict(changed, plans[place], table)
            plans[place].wanted?.copy(changed, from: known.value)
          } else {
            conflict(FieldSet(field: rule.fields[0]), plans[place], table)
            plans[place].wanted = nil
          }
        }
      }
    }
    return given
  }

  /// Whether a missing record was removed by the undo of its addition.
  private func isWithdrawn(_ number: Int, in store: any RecordReader) throws -> Bool {
    guard let removal = try store.changes(.ofRecord(number, after: 0), limit: 1).first,
      let step = try store.steps(.root(removal.transaction.root)).first,
      case .undo = step.kind
    else { return false }
    return true
  }

  /// Returns a record before the first change of the step.
  private func earlier<R: Record>(
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
    _ plan: Plan<R>,
    _ table: RecordTable
  ) {
    func json(_ record: R?, _ index: Int) -> JSON {
      guard let record,
        let filled = try? store.filled(Kept(plan.number, record, revision: 0)).value
      else { return .null }
      return (try? filled.withFields { try table.fields.fields[index].shown($0) }) ?? .null
    }
    for index in set {
      conflicts.append(
        JournalConflict(
          id: plan.number,
          title: plan.after.title,
          kind: plan.kind,
          field: table.fields.change(
            of: table.column(index).shownName,
            from: json(plan.before, index),
            to: json(plan.after, index)
          ),
          current: json(plan.known?.value, index)
        )
      )
    }
  }
}

extension LoggedChange {
  /// The changed fields before; none where they can't be read.
  var earlier: RecordFields { (try? RecordFields(before, number, kind)) ?? RecordFields() }
  /// The changed fields after; none where they can't be read.
  var later: RecordFields { (try? RecordFields(after, number, kind)) ?? RecordFields() }
}

extension [LoggedChange] {
  /// The changes of each record, in the order of their first changes.
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
