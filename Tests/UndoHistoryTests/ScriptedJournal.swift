import EventMVVM
import EventRecords
import JSONText

/// A domain with a journal, and no todos: it says what it is told to say, and notes what it is
/// asked.
final class ScriptedJournal: Plugin {
  let name = "journal"
  struct Script {
    var steps: [JournalEntry] = []
    /// What a reversal comes to.
    var reversal: Result<ReversedStep?, Failure> = .success(nil)
    var log: [String] = []
  }

  let script: Locked<Script>

  init(_ steps: [JournalEntry] = [], _ reversal: Result<ReversedStep?, Failure> = .success(nil)) {
    script = Locked(Script(steps: steps, reversal: reversal))
  }

  var log: [String] { script.withLock { $0.log } }

  func join(_ stream: EventStream) {
    stream.answer(RequestJournal.self, owner: self) { journal, request, _ in
      journal.script.withLock {
        $0.log.append("\(request.query)")
        return $0.steps
      }
    }
    stream.answer(RequestSubjectJournal.self, owner: self) { journal, request, _ in
      journal.script.withLock {
        $0.log.append("\(request.reference) \(request.limit)")
        return $0.steps
      }
    }
    stream.answer(RequestReversal.self, owner: self) { journal, request, _ in
      try journal.script.withLock {
        $0.log.append("revert \(request.query) \(request.conflicts)")
        return try $0.reversal.get()
      }
    }
  }
}

extension JournalEntry {
  static func test(
    _ number: Int,
    _ kind: Step.Kind = .change,
    _ changes: [SubjectChange] = []
  ) -> Self {
    JournalEntry(
      Step(
        number: number,
        root: Root(session: 9, number: UInt64(number)),
        origin: "cli",
        time: Instant(milliseconds: 0),
        kind: kind,
        isUndone: false
      ),
      count: changes.count,
      changes: changes
    )
  }
}

extension SubjectChange {
  static let title = SubjectChange(
    id: 3,
    title: "Milk",
    kind: .changed,
    fields: [FieldChange("title", from: "Oat milk", to: "Milk")]
  )
}

extension ReversedStep {
  static func test(
    _ changes: [SubjectChange] = [.title],
    _ conflicts: [JournalConflict] = []
  ) -> ReversedStep {
    ReversedStep(JournalEntry.test(7).step, changes: changes, conflicts: conflicts)
  }
}

extension JournalConflict {
  static func test(_ kind: SubjectChange.Kind = .changed) -> JournalConflict {
    JournalConflict(
      id: 3,
      title: "Soy milk",
      kind: kind,
      field: FieldChange("title", from: "Milk", to: "Oat milk"),
      current: "Soy milk"
    )
  }
}
