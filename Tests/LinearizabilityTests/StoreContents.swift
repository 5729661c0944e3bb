import JSONText
import ProcessTesting

/// What a store without users holds, read through SQLite alone.
struct StoreContents {
  let log: SerialLog
  /// What of the other tables does not agree with the log.
  let problems: [String]

  private struct Unreadable: Error {
    let outcome: Job.Outcome
  }

  init(_ place: Workplace) throws {
    let outcome =
      try place.start(
        #"exec sqlite3 "$TODOSTREAM_STORE" "$1""#,
        [
          """
          SELECT json_array(
            (SELECT json_group_array(json_array(number, kind, undoes, isTakenBack, session, root))
              FROM step),
            (SELECT json_group_array(json_array(session, root, revision, record, before, after))
              FROM change),
            (SELECT json_group_array(json_array(_number, _revision, json_object('title', title,
              'subtitle', subtitle, 'tags', json(tags), 'completedAt', completedAt,
              'deleted', json(iif(deleted, 'true', 'false'))))) FROM record_todo))
          """
        ]
      )
      .outcome()
    guard outcome.status == 0, let json = try? JSON(parsing: outcome.output.joined()) else {
      throw Unreadable(outcome: outcome)
    }
    let tables = json.elements.map(\.elements)
    let changes = tables[1].map(\.elements)
    let steps = tables[0].map(\.elements).sorted { ($0[0].number ?? 0) < ($1[0].number ?? 0) }
    let firsts = Dictionary(grouping: changes) { $0[3].number ?? 0 }.values
      .compactMap { $0.min { ($0[2].number ?? 0) < ($1[2].number ?? 0) }?[2] }
    log = SerialLog(
      try steps.map { step in
        SerialLog.Step(
          number: step[0].number ?? -1,
          kind: SerialLog.Kind(step[1].number, step[2].number),
          isReverted: step[3] != .integer(0),
          changes: try changes.filter { $0[0] == step[4] && $0[1] == step[5] }
            .map { try SerialLog.Change($0, isFirst: firsts.contains($0[2])) }
            .sorted { $0.revision < $1.revision }
        )
      }
    )
    problems = Self.problems(of: log, changes: changes.count, todos: tables[2].map(\.elements))
  }

  private static func problems(of log: SerialLog, changes: Int, todos: [[JSON]]) -> [String] {
    var problems: [String] = []
    let last = log.states[log.states.count - 1]
    if log.steps.reduce(0, { $0 + $1.changes.count }) != changes {
      problems.append("there are changes of no step")
    }
    for step in log.steps where step.isReverted != last.reverted.contains(step.number) {
      problems.append("step \(step.number) is \(step.isReverted ? "" : "not ")marked as reverted")
    }
    for todo in todos {
      let (number, revision) = (todo[0].number ?? -1, todo[1].number ?? -1)
      let stored = Todo(number: number, revision: revision, todo[2].members)
      if stored != last.stored(number) {
        problems.append("#\(number) is not as the log leaves it: \(stored)")
      }
    }
    if todos.count != last.count { problems.append("the log has \(last.count) todos") }
    return problems
  }
}

extension SerialLog.Kind {
  fileprivate init(_ kind: Int?, _ reverted: Int?) {
    switch (kind, reverted) {
    case (1, let reverted?): self = .undo(of: reverted)
    case (2, let reverted?): self = .redo(of: reverted)
    default: self = .change
    }
  }
}

extension SerialLog.Change {
  /// A row of the log: a todo whose addition is undone is not there, and is withdrawn here.
  fileprivate init(_ row: [JSON], isFirst: Bool) throws {
    var before = try row[4].text.map { try JSON(parsing: $0).members }
    var after = try row[5].text.map { try JSON(parsing: $0).members }
    if after == nil {
      before = ["withdrawn": .bool(false)]
      after = ["withdrawn": .bool(true)]
    } else if before == nil, !isFirst {
      before = ["withdrawn": .bool(true)]
      after = ["withdrawn": .bool(false)]
    } else if before == nil {
      // What was said of it, without what any new one has.
      let fresh: SerialLog.Fields = [
        "subtitle": "", "priority": "normal", "deleted": .bool(false), "tags": .array([]),
      ]
      after = after?
        .filter { !["uuid", "createdAt"].contains($0.key) && fresh[$0.key] != $0.value }
    }
    self.init(
      revision: row[2].number ?? -1,
      todo: row[3].number ?? -1,
      before: before,
      after: after ?? [:]
    )
  }
}

extension JSON {
  fileprivate var elements: [JSON] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  fileprivate var members: [String: JSON] {
    guard case .object(let members) = self else { return [:] }
    return Dictionary(members.map { ($0.name, $0.value) }) { $1 }
  }
}
