import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

/// The series of a kind of records: which fields it is about, and what follows what.
struct Series<R: CommandRecord>: Sendable {
  let recurrence: RoleField<R, Recurrence>
  let completion: RoleField<R, any CompletionValue>
  /// The fields of the date of a record: that of the first that has a value.
  private let dates: [RoleField<R, CivilTime>]
  /// These, and the field of when a record is over.
  private let times: [RoleField<R, CivilTime>]

  init() throws(RoleProblem) {
    recurrence = try R.field(for: .recurrence)
    completion = try R.field(for: .completion)
    var dates: [RoleField<R, CivilTime>] = []
    for role in [Role<CivilTime>.due, .scheduled, .wait] {
      if let field = R.field(with: role) { dates.append(field) }
    }
    guard !dates.isEmpty else {
      throw RoleProblem("no field of '\(R.kind)' has the role 'due', 'scheduled' or 'wait'")
    }
    guard R.hasIdentity else { throw RoleProblem("'\(R.kind)' declares no identity") }
    guard !R.hasUniqueFields else {
      throw RoleProblem(
        "the next '\(R.kind)' would have what only one can have: it has unique fields"
      )
    }
    self.dates = dates
    if let until = R.field(with: .until) { dates.append(until) }
    times = dates
  }

  /// Whether a record is no longer the open one of a series.
  func isOver(_ record: R) -> Bool { completion.isDone(record) || record.isMarkedDeleted }

  /// The field of the date of a record.
  private func date(of record: R) -> RoleField<R, CivilTime> {
    for date in dates where date.hasValue(in: record) { return date }
    return dates[0]
  }

  /// The condition of the open ones.
  var open: Condition<R> { .all(.not(recurrence.isNil), completion.isOpen) }

  // MARK: Dates

  /// Begins the series of a record whose recurrence was given.
  ///
  /// - Throws: That it never comes.
  func begin(_ record: inout R, before: R?, _ now: CivilMinute) throws(Failure) {
    guard let given = recurrence.value(of: record), case .every(let rule) = given.way else {
      return
    }
    let date = date(of: record)
    let time = date.value(of: record)
    if given.from != nil {
      guard let time, time != given.from else { return }
      if let before, recurrence.value(of: before)?.from == given.from {
        // A stored one whose date is moved is on another day alone; with another field for its date it goes on from that.
        guard date.name != self.date(of: before).name else { return }
        var moved = given.bound
        moved.from = time
        return recurrence.set(moved, in: &record)
      }
      // A draft, which has got its date after its rule.
    }
    var (start, first) = (now, time)
    if let time, date.name != dates[0].name, rule.days(from: time.day, 1).first != time.day {
      // It waits for a day of the rule, and is no day of that itself.
      (start, first) = (max(now, CivilMinute(startOf: time.day)), nil)
    }
    guard let (begun, begin) = given.begun(at: first, start) else {
      throw Failure(
        .validation,
        "It would never come: \(given.words) has no day from \((time?.day ?? now.day).text) on.",
        field: recurrence.name
      )
    }
    recurrence.set(begun, in: &record)
    (first == nil ? dates[0] : date).set(begin, in: &record)
  }

  /// Moves a record on to the next date of its series.
  ///
  /// - Returns: False where the series ends with it.
  private func advance(_ record: inout R, _ now: CivilMinute) -> Bool {
    guard let known = recurrence.value(of: record) else { return false }
    let date = date(of: record)
    let present = date.value(of: record)
    guard let next = known.next(after: present, at: now) else { return false }
    let from = known.from ?? present ?? .day(now.day)
    for other in times where other.name != date.name {
      guard let time = other.value(of: record) else { continue }
      other.set(time.moved(as: from, to: next.time), in: &record)
    }
    date.set(next.time, in: &record)
    recurrence.set(next.recurrence, in: &record)
    return true
  }

  /// Goes on without completing.
  ///
  /// - Throws: Why it can't.
  func skip(_ record: inout R, _ now: CivilMinute) throws(Failure) {
    guard recurrence.hasValue(in: record) else {
      throw Failure(
        .validation,
        "It does not come again; only what does can be skipped.",
        field: "id"
      )
    }
    guard !completion.isDone(record) else {
      throw Failure(.validation, "It is done; only what is open can be skipped.", field: "id")
    }
    guard advance(&record, now) else {
      throw Failure(
        .validation,
        "This is the last one of its series; complete or delete it.",
        field: "id"
      )
    }
  }

  // MARK: What is to come

  /// The condition of what can come before a day.
  func canCome(before end: CivilDay) -> Condition<R> {
    var condition: Condition<R> = .not(recurrence.isNil)
    for date in dates { condition = .any(condition, date.less(than: .day(end))) }
    return .all(completion.isOpen, condition)
  }

  /// Returns the dates of a record before a day, and the record as it is then; of those that have passed the present one
  /// alone.
  func dates(
    of record: R,
    before end: CivilDay,
    _ now: CivilMinute
  ) -> [(time: CivilTime, record: R)] {
    var found: [(time: CivilTime, record: R)] = []
    var (record, now) = (record, now)
    guard !record.isMarkedDeleted else { return [] }
    while let time = date(of: record).value(of: record), time.day < end, found.count < Self.most {
      found.append((time, record))
      // As if it were done on its day.
      if case .minute(let minute) = time { now = max(now, minute) }
      now = max(now, CivilMinute(startOf: time.day))
      guard advance(&record, now) else { break }
    }
    return found
  }

  /// The most dates of a record that are listed.
  private static var most: Int { 1000 }

  // MARK: What belongs to a write

  /// Adds the next one, removes it again, or says what a change means for the series.
  func follow(_ change: RecordTransition<R>, _ store: inout RecordTransaction) throws {
    guard let after = change.after else {
      if let before = change.before { tellEnd(of: before, change.number, &store) }
      return
    }
    guard let before = change.before else {
      return tell(after, change.number, &store)
    }
    let (wasDone, isDone) = (completion.isDone(before), completion.isDone(after))
    if isDone, !wasDone {
      try addNext(after: after, change.number, &store)
    } else if wasDone, !isDone {
      try removeNext(from: before, change.number, &store)
    } else if after.isMarkedDeleted, !before.isMarkedDeleted {
      tellEnd(of: before, change.number, &store)
    } else {
      tell(after, change.number, since: before, &store)
    }
  }

  /// Returns the record that follows one which is completed; nil where the series ends.
  private func next(
    after record: R,
    as identity: UniqueID,
    _ time: Instant,
    _ now: CivilMinute
  ) -> R? {
    guard var next = record.following(as: identity, at: time) else { return nil }
    completion.complete(&next, false, at: time, on: now.day)
    return advance(&next, now) ? next : nil
  }

  private func addNext(
    after record: R,
    _ number: Int,
    _ store: inout RecordTransaction
  ) throws {
    guard recurrence.hasValue(in: record), !record.isMarkedDeleted,
      let identity = record.followingIdentity(in: Recurring.namespace)
    else { return }
    guard var next = next(after: record, as: identity, store.time, store.now) else {
      return store.tell("#\(number) does not come again: it was the last one of its series.")
    }
    let added: Kept<R>
    if let known = try store.record(identifiedBy: identity, of: R.self) {
      // One that was removed again keeps its number; one that is there was added by a copy of the store.
      next.copyKept(from: known.value)
      completion.complete(&next, false, at: store.time, on: store.now.day)
      next.markDeleted(false)
      added = known.value.isMarkedDeleted ? try store.change(known) { $0 = next } : known
    } else {
      added = try store.add(next)
    }
    guard !isOver(added.value), let time = date(of: added.value).value(of: added.value) else {
      return
    }
    store.tell(
      "#\(number) comes again as #\(added.number) on \(time.said(at: store.now, isWhole: true))"
    )
  }

  private func removeNext(
    from record: R,
    _ number: Int,
    _ store: inout RecordTransaction
  ) throws {
    guard recurrence.hasValue(in: record),
      let identity = record.followingIdentity(in: Recurring.namespace),
      let known = try store.record(identifiedBy: identity, of: R.self),
      !known.value.isMarkedDeleted
    else { return }
    let isUntouched =
      try store.wasAddedAlong(known, with: number)
      || isSame(known.value, as: record, identity, store)
    guard isUntouched else {
      throw Failure(
        .conflict,
        "#\(number) can't be opened again: #\(known.number) follows it and was changed since; delete that first.",
        field: "id",
        id: number
      )
    }
    if R.marksDeletion {
      try store.change(known) { $0.markDeleted(true) }
    } else {
      try store.remove(known)
    }
    store.tell("#\(known.number), which followed it, was deleted again.")
  }

  /// Whether a record is as it would be if another one were completed as that was.
  private func isSame(
    _ next: R,
    as record: R,
    _ identity: UniqueID,
    _ store: borrowing RecordTransaction
  ) -> Bool {
    var next = next
    // When it was completed; where that is not known, its dates are not compared.
    let time = completion.time(of: record)
    guard !completion.isDone(next),
      var made = record.following(as: identity, at: store.time)
    else { return false }
    completion.complete(&made, false, at: store.time, on: store.now.day)
    made.copyKept(from: next)
    if let time {
      guard advance(&made, store.localTime(at: time)) else { return false }
    } else {
      for date in times {
        date.set(nil, in: &made)
        date.set(nil, in: &next)
      }
      recurrence.set(nil, in: &made)
      recurrence.set(nil, in: &next)
    }
    return made == next
  }

  // MARK: What people are told

  /// Says what the recurrence of a record means, or to which date it has gone on.
  private func tell(
    _ record: R,
    _ number: Int,
    since before: R? = nil,
    _ store: inout RecordTransaction
  ) {
    guard !store.isFollowing, recurrence.hasValue(in: record), !isOver(record),
      let known = recurrence.value(of: record)
    else { return }
    let earlier = before.flatMap { recurrence.value(of: $0) }
    guard known != earlier else { return }
    let present = date(of: record).value(of: record)
    if let earlier, earlier.from != known.from, earlier.hasRule(of: known), let present {
      return store.tell("#\(number) is on \(present.said(at: store.now, isWhole: true)) now.")
    }
    var line = "#\(number) comes \(known.words)"
    if case .every = known.way {
      let now = store.now
      let next = known.next(after: present, at: now)?.time.said(at: now, isWhole: true)
      if let present { line += ": \(present.said(at: now, isWhole: true))" }
      line += next.map { ", then \($0)" } ?? ", for the last time"
    }
    store.tell(line)
  }

  private func tellEnd(of record: R, _ number: Int, _ store: inout RecordTransaction) {
    guard !store.isFollowing, recurrence.hasValue(in: record), !isOver(record) else { return }
    store.tell("#\(number) does not come again; 'skip' leaves out one date alone.")
  }
}

extension Recurrence {
  /// Whether both have begun by the same rule, however often it comes.
  fileprivate func hasRule(of other: Recurrence) -> Bool {
    guard case .every(var rule) = way, case .every(let known) = other.way, from != nil else {
      return false
    }
    rule.count = known.count
    return rule == known
  }
}

extension CivilTime {
  /// The time as far from another one as it was from an earlier one; nil after the year 9999.
  fileprivate func moved(as from: CivilTime, to other: CivilTime) -> CivilTime? {
    var span = TimeSpan(days: other.day.daysSinceEpoch - from.day.daysSinceEpoch)
    if case .minute(let start) = from, case .minute(let end) = other, case .minute = self {
      span.minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    }
    return adding(span)
  }
}
