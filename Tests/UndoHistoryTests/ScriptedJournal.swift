import EventMVVM
import EventRecords
import JSONText

/// A domain with a journal, and no todos: it says what it is told to say, and notes what it is
/// asked.
final class ScriptedJournal: Plugin, UnitParticipant {
  let name = "journal"
  struct Script {
    var steps: [JournalEntry] = []
    /// What each part of a reversal comes to.
    var parts: [ReversedPart] = []
    var failsToKeep = false
    var log: [String] = []
  }

  let script: Locked<Script>

  init(_ steps: [JournalEntry] = [], _ parts: [ReversedPart] = []) {
    script = Locked(Script(steps: steps, parts: parts))
  }

  var log: [String] { script.withLock { $0.log } }

  func join(_ stream: EventStream) {
    stream.participate(self)
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
    stream.answer(RequestReversal.self, owner: self) { journal, request, turn in
      try journal.script.withLock {
        let place = request.last.map { " after \($0)" } ?? ""
        $0.log.append("revert \(request.step)\(place)\(request.force ? " by force" : "")")
        guard !$0.parts.isEmpty else { throw Failure(.store, "The disk is full.") }
        return $0.parts.removeFirst()
      }
    }
  }

  func begin(_ unit: Root) throws { script.withLock { $0.log.append("begin") } }

  func commit(_ unit: Root) throws {
    try script.withLock {
      $0.log.append("keep")
      if $0.failsToKeep { throw Failure(.store, "The disk is full.") }
    }
  }

  func rollBack(_ unit: Root) { script.withLock { $0.log.append("take back") } }
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

extension ReversedPart {
  static let done = ReversedPart(changes: [.title], conflicts: [], last: nil)

  static func conflict(_ kind: SubjectChange.Kind = .changed) -> ReversedPart {
    ReversedPart(
      changes: [],
      conflicts: [
        JournalConflict(
          id: 3,
          title: "Soy milk",
          kind: kind,
          field: FieldChange("title", from: "Milk", to: "Oat milk"),
          current: "Soy milk"
        )
      ],
      last: nil
    )
  }
}
