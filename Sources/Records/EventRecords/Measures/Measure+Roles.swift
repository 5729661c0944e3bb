package import EventMVVM
public import EventValues

// The measures that follow from roles.

extension Record {
  /// Returns the condition of what is open at a minute: neither done nor over by the role `until`.
  public static func isOpen(_ now: CivilMinute) -> Condition<Self> {
    let isOpen = field(with: .completion)?.isOpen ?? .all()
    return lasts(now).map { .all(isOpen, $0) } ?? isOpen
  }

  /// Returns the condition of what is not over at a minute by the role `until`; nil without it.
  ///
  /// What comes again never is: it goes on with its next date.
  public static func lasts(_ now: CivilMinute) -> Condition<Self>? {
    guard let lasts = field(with: .until)?.lasts(at: now) else { return nil }
    return field(with: .recurrence).map { .any(lasts, .not($0.isNil)) } ?? lasts
  }

  /// Returns the conditions of what is open, neither done nor deleted, and of what of that was due before today;
  /// nothing meets them without the role `completion`.
  package static func openAndOverdue(
    _ turn: borrowing Turn
  ) -> (open: Condition<Self>, overdue: Condition<Self>) {
    guard let completion = field(with: .completion) else { return (.any(), .any()) }
    var open = completion.isOpen
    if turn.stream.environment.rules > 0 {
      // As a list is without what waits, and what is over.
      let now = turn.zone.civil(at: turn.time)
      open = isOpen(now)
      if let wait = field(with: .wait) { open = .all(open, wait.hasBegun(at: now)) }
    }
    if let deletion = _table.deletionField {
      open = .all(Condition(stored: .anyOf("\(deletion.name)", [.integer(0)])), open)
    }
    let today = turn.zone.day(at: turn.time)
    return (open, field(with: .due).map { .all(open, $0.less(than: .day(today))) } ?? .any())
  }

  /// Returns what happened, and the effect on the number of open ones.
  static func measuresByRoles(from before: Self?, to after: Self?, at time: Instant) -> [Measure] {
    guard let completion = field(with: .completion) else { return [] }
    let (labels, project) = (field(with: .labels), field(with: .project))
    func dimensions(_ record: Self) -> [Measure.Dimension] {
      var all: [Measure.Dimension] = []
      if let labels {
        let one = labels.field.one
        let name = one.utf8CodeUnitCount > 0 ? "\(one)" : labels.name
        for label in labels.value(of: record) ?? [] { all.append(.init(name, label)) }
      }
      if let project, let name = project.value(of: record) { all.append(.init(project.name, name)) }
      return all
    }
    var measures: [Measure] = []
    func count(_ name: String) {
      let by = (after ?? before).map(dimensions) ?? []
      measures.append(Measure(.count(name), 1, at: time, by: by))
    }
    let wasThere = before.map { !$0.isMarkedDeleted } ?? false
    let isThere = after.map { !$0.isMarkedDeleted } ?? false
    if !wasThere, isThere { count(before == nil ? "added" : "restored") }
    if wasThere, !isThere { count("deleted") }
    let wasDone = before.map(completion.isDone) ?? false
    let isDone = after.map(completion.isDone) ?? wasDone
    if !wasDone, isDone { count("completed") }
    if wasDone, !isDone { count("reopened") }
    let was = before.flatMap { wasThere && !completion.isDone($0) ? dimensions($0) : nil }
    let isNow = after.flatMap { isThere && !completion.isDone($0) ? dimensions($0) : nil }
    guard was != isNow else { return measures }
    if let was { measures.append(Measure(.level("open"), -1, at: time, by: was)) }
    if let isNow { measures.append(Measure(.level("open"), 1, at: time, by: isNow)) }
    return measures
  }
}

extension RecordServer {
  /// Answers the gauges of records that can be completed, of all kinds together.
  func joinGauges(_ stream: EventStream) {
    var kinds: [any Record.Type] = []
    for kind in types.all where kind._table.role(Role.completion.name) != nil { kinds.append(kind) }
    guard !kinds.isEmpty else { return }
    stream.declareAnswerer(of: RequestGauges.self)
    stream.on(RequestGauges.self, owner: self) { [kinds] _, _, turn in
      Self.gauge(kinds[...], (0, 0), turn)
    }
  }

  private static func gauge(
    _ kinds: ArraySlice<any Record.Type>,
    _ sum: (open: Int, overdue: Int),
    _ turn: borrowing Turn
  ) {
    func count<R: Record>(_ kind: R.Type, _ turn: borrowing Turn) {
      let (open, overdue) = R.openAndOverdue(turn)
      turn.request(RequestRecordCounts<R>([open, overdue])) { result, turn in
        switch result.mapError({ Failure($0) }).flatMap({ $0.result }) {
        case .success(let counts):
          gauge(kinds.dropFirst(), (sum.open + counts[0], sum.overdue + counts[1]), turn)
        case .failure(let failure): turn.send(ResponseGauges(.failure(failure)))
        }
      }
    }
    if let kind = kinds.first { return count(kind, turn) }
    turn.send(ResponseGauges(.success([Gauge("open", sum.open), Gauge("overdue", sum.overdue)])))
  }
}
