public import EventCommands
import EventMVVM
import EventRecords
import EventValues
public import RecordCommands

/// What is open and what is done: for any record with the role `completion`, and with `due`, what is overdue.
///
/// It brings the verbs `done` and `reopen`, the conditions `done`, `open`, `overdue` and `today`, the toggle of an open record, and the
/// numbers of open and overdue ones for prompts and programs. Where the field has the time, it brings the question what was
/// done since a day; where people do not give the field, a box before the title. Lists leave out what is done. Each domain has its own
/// words for that:
///
/// ```swift
/// .with(
///   Completing(
///     .init("return", "Takes lent copies back.", says: "Returned", isWhole: true),
///     reopen: nil
///   )
/// )
/// ```
public struct Completing: RolePlugin {
  /// It is named in messages to a developer.
  public let name = "completing"
  private let done: Word
  private let reopen: Word?
  private let toggle: Word?

  /// Creates the plugin.
  ///
  /// - Parameters:
  ///   - done: The verb that completes.
  ///   - reopen: The verb that opens again; nil for none.
  ///   - toggle: The verb that does the one or the other; nil for none.
  public init(
    _ done: Word = Word("done"),
    reopen: Word? = Word("reopen"),
    toggle: Word? = nil
  ) {
    (self.done, self.reopen, self.toggle) = (done, reopen, toggle)
  }

  /// A verb in the words of a domain.
  public struct Word: Sendable {
    let verb: String
    let summary: String?
    let confirmation: String?
    let title: String?
    let type: (any VerbName.Type)?
    let isWhole: Bool
    let topic: HelpTopic?
    let examples: [String]
    let form: RecordedForm

    /// Creates the words.
    ///
    /// - Parameters:
    ///   - verb: The name of the command.
    ///   - summary: What it does, in a sentence; nil for one that follows.
    ///   - confirmation: What a person is told, before the number and the title: `Returned`; nil for `Completed` and
    ///     `Reopened`. A toggle says what the verb in whose place it is used says.
    ///   - title: The title of the action in an open record; nil for the verb with a capital.
    ///   - type: What names the verb in the type of its request; nil where no code sends it.
    ///   - isWhole: Whether the name of the command has no suffix, whatever those of the other commands have.
    ///   - topic: Its place on the first page of help; nil for that of all commands which write.
    ///   - examples: Lines that show how it is used.
    ///   - form: Its name and its version in recordings, where it is not that of the verb.
    public init(
      _ verb: String,
      _ summary: String? = nil,
      says confirmation: String? = nil,
      title: String? = nil,
      as type: (any VerbName.Type)? = nil,
      isWhole: Bool = false,
      topic: HelpTopic? = nil,
      examples: [String] = [],
      recorded form: RecordedForm = RecordedForm()
    ) {
      (self.verb, self.summary, self.confirmation) = (verb, summary, confirmation)
      (self.title, self.type, self.isWhole) = (title, type, isWhole)
      (self.topic, self.examples, self.form) = (topic, examples, form)
    }

    /// The title of the action.
    var action: String { title ?? verb.prefix(1).uppercased() + verb.dropFirst() }
  }

  /// Adds what is known of open and done.
  public func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    let completion = try R.field(for: .completion)
    let past = done.confirmation ?? "Completed"
    var result =
      commands
      .hides(completion.isDone)
      .marks(hasBox: !completion.isGiven) { completion.isDone($0) }
      .column { view, needs, page in
        // Nearly always nothing is.
        guard !needs.asked.isEmpty,
          needs.asked.contains("done") || needs.asked.contains("doneSince"),
          let time = completion.time(of: view.value)
        else { return }
        page.write("  done ", .secondary)
        page.write(time, .secondary)
      }
      .condition("done", "Only \(past.lowercased()) ones", completion.isDone)
      .condition("open", "Only open ones", completion.isOpen)
      .exclusive("done", "open")
    if let due = R.field(with: .due) {
      result =
        result
        .condition("overdue", "Open ones whose date is over") { turn in
          .all(completion.isOpen, due.less(than: .minute(turn.clock.now)))
        }
        .condition("today", "Due today") { turn in due.isOn(turn.zone.day(at: turn.time)) }
    }
    if completion.hasTime {
      result =
        result
        .since("doneSince", completion, "\(past) on that day or later")
        .exclusive("doneSince", "open")
    }
    result =
      result
      .telling(Wire(states: [RequestOpenCounts<R>.self], statuses: [RequestOpenStatus<R>.self]))
      .joining { Self.answerCounts(of: R.self, on: $0) }
    return verbs(result, completion)
  }

  private func verbs<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>,
    _ completion: RoleField<R, any CompletionValue>
  ) -> RecordCommands<R> {
    let (done, reopen, several) = (done, reopen, R.several)
    let says = (done: done.confirmation ?? "Completed", open: reopen?.confirmation ?? "Reopened")
    var result =
      commands
      .toggle("completed", { completion.isDone($0) ? reopen?.action ?? "Reopen" : done.action }) {
        record,
        original,
        turn in
        let isDone = !completion.isDone(record)
        // What it was already it is as it was, with its time or its status.
        if completion.isDone(original) == isDone {
          completion.copy(from: original, to: &record)
        } else {
          completion.complete(&record, isDone, turn)
        }
      }
    if let toggle {
      result = result.adding(toggle, "Completes \(several), or opens them again.") {
        completion.isDone($0) ? says.done : says.open
      } change: { record, seen, turn in
        completion.complete(&record, !completion.isDone(seen), turn)
      }
    }
    result = result.adding(done, "Completes \(several).", for: completion.isOpen) { _ in
      says.done
    } change: { record, _, turn in
      completion.complete(&record, true, turn)
    }
    guard let reopen else { return result }
    return result.adding(reopen, "Opens completed \(several) again.", for: completion.isDone) { _ in
      says.open
    } change: { record, _, turn in
      completion.complete(&record, false, turn)
    }
  }
}

extension RecordCommands {
  fileprivate consuming func adding(
    _ word: Completing.Word,
    _ summary: String,
    for offered: @autoclosure @escaping @Sendable () -> Condition<R>? = nil,
    _ confirmation: @escaping @Sendable (R) -> String,
    change: @escaping @Sendable (inout R, _ seen: R, borrowing Turn) throws -> Void
  ) -> Self {
    verb(
      word.verb,
      word.summary ?? summary,
      confirmation,
      as: word.type,
      for: offered(),
      isWhole: word.isWhole,
      topic: word.topic,
      examples: word.examples,
      recorded: word.form,
      change
    )
  }
}
