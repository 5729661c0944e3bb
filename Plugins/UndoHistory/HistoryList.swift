package import EventCommands
import EventMVVM
package import EventRecords
import EventValues
package import JSONText

/// The steps of the history, newest first.
package struct HistoryList: CommandResult {
  package static let responseName: String? = "ResponseHistory"
  /// The steps.
  package let entries: [JournalEntry]
  /// Whether they are the changes of one thing, which are shown with all their values.
  private let isOfOne: Bool
  private let minutes: [String]
  /// The changes of each step in the form for people.
  private let shown: [[SubjectChange]]

  init(_ entries: [JournalEntry], isOfOne: Bool, at clock: ReaderClock) {
    self.entries = entries
    self.isOfOne = isOfOne
    minutes = entries.map { clock.said($0.step.time) }
    shown = entries.map { $0.changes.map { $0.readable(at: clock) } }
  }

  package func show(on page: inout Page) {
    for (index, entry) in entries.enumerated() {
      page.write(minutes[index], .dim)
      page.write("  ")
      page.write(user: entry.step.origin, .bold)
      page.write(entry.step.kind.text)
      if entry.step.isUndone { page.write("  (undone)", .dim) }
      page.endLine()
      isOfOne
        ? showValues(shown[index], on: &page) : showSubjects(shown[index], of: entry, on: &page)
    }
  }

  /// Writes the things that a step changed, or the first few of them, without their values.
  private func showSubjects(
    _ changes: [SubjectChange],
    of entry: JournalEntry,
    on page: inout Page
  ) {
    for change in changes {
      page.write("  \(change.kind.rawValue) ")
      page.write("#\(change.id) ", .dim)
      page.write(user: change.title)
      if change.kind == .changed, !change.fields.isEmpty {
        page.write(" (\(change.fields.map(\.name).joined(separator: ", ")))", .dim)
      }
      page.endLine()
    }
    let more = entry.count - changes.count
    guard more > 0 else { return }
    page.write("  … and \(more) more; 'history --all' names them", .dim)
    page.endLine()
  }

  private func showValues(_ changes: [SubjectChange], on page: inout Page) {
    for change in changes {
      if change.kind != .changed {
        page.write("  \(change.kind.rawValue)")
        page.endLine()
      }
      for field in change.fields { page.write(field, indent: "  ") }
    }
  }

  package func write(to json: inout JSONWriter) {
    json.array { json in
      for entry in entries { entry.write(to: &json) }
    }
  }
}

extension JournalEntry {
  fileprivate func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("step", step.number)
      json.member("root", step.root.description)
      json.member("origin", step.origin)
      json.member("time", step.time.iso8601)
      json.member("kind", step.kind.name)
      json.member("undoes", step.kind.undone)
      json.member("takenBack", step.isUndone)
      json.member("count", count)
      json.key("changes")
      json.array { json in
        for change in changes { change.write(to: &json) }
      }
    }
  }
}

extension Step.Kind {
  fileprivate var name: String {
    switch self {
    case .change: "change"
    case .undo: "undo"
    case .redo: "redo"
    }
  }

  fileprivate var text: String {
    switch self {
    case .change: ""
    case .undo: "  undo"
    case .redo: "  redo"
    }
  }

  fileprivate var undone: Int? {
    switch self {
    case .change: nil
    case .undo(let number), .redo(let number): number
    }
  }
}

extension RequestHistory {
  /// Requests the history from the domain, and replies with its answer.
  func answer(_ turn: borrowing Turn) {
    let clock = turn.clock
    let reply: (Result<ResponseJournal, Interruption>, borrowing Turn) -> Void = { result, turn in
      do {
        let entries = try result.get().result.get()
        turn.send(
          ResponseHistory(.success(HistoryList(entries, isOfOne: id != nil, at: clock)))
        )
      } catch {
        turn.send(ResponseHistory(.failure(Failure(error))))
      }
    }
    if let id {
      turn.request(
        RequestSubjectJournal(of: id.text, limit: limit?.number ?? .max),
        then: reply
      )
    } else {
      turn.request(
        RequestJournal(.newest(limit?.number ?? 20), subjects: all ? .max : nil),
        then: reply
      )
    }
  }
}
