import EventCommands
import EventMVVM
import EventRecords
import EventValues
public import RecordCommands

/// What waits for its time: for any record with the role `wait`, and where there are, `scheduled` and `until`.
///
/// - What has a time in `wait` is out of lists until that begins; `is:waiting` finds it.
/// - What has one in `until` is closed as soon as that is over, without a command: lists and the numbers of a prompt leave it
///   out, and `is:expired` finds it. What comes again stays there, as it goes on with its next date.
/// - What has one in `scheduled` begins then; `is:ready` finds what has begun.
///
/// A day begins with its first minute and is over at its end. Each command takes these records by their numbers, and
/// `list --all` shows them.
public struct Scheduling: RolePlugin {
  /// It is named in messages to a developer.
  public let name = "scheduling"

  /// Creates the plugin.
  public init() {}

  /// Adds what is known of waiting.
  public func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    let wait = try R.field(for: .wait)
    let (until, scheduled) = (R.field(with: .until), R.field(with: .scheduled))
    // Of one field alone, so that a list that asks for it does not leave it out.
    let waits: @Sendable (borrowing Turn) -> Condition<R> = { turn in
      .not(wait.hasBegun(at: turn.clock.now))
    }
    let result =
      commands
      .hides(waits)
      .condition("waiting", "Those that wait for their time", hasFlag: false, waits)
      .condition("ready", "Those that can be begun", hasFlag: false) { turn in
        let now = turn.clock.now
        let hasBegun = scheduled?.hasBegun(at: now) ?? .all()
        return .all(R.isOpen(now), wait.hasBegun(at: now), hasBegun)
      }
    guard let until else { return result }
    let isOver: @Sendable (borrowing Turn) -> Condition<R> = { turn in
      .not(until.lasts(at: turn.clock.now))
    }
    return
      result
      .hides { turn in R.lasts(turn.clock.now).map { .not($0) } ?? .any() }
      .condition("expired", "Those whose time is over", hasFlag: false, isOver)
      .preparing { record, before, _ in
        guard let wait = wait.value(of: record), let end = until.value(of: record) else { return }
        guard end.isOver(at: wait.beginning) else { return }
        throw Failure(
          .validation,
          "It would be over on \(end.text), before it stops waiting on \(wait.text).",
          field: until.name
        )
      }
  }
}

extension CivilTime {
  /// The minute with which it begins.
  fileprivate var beginning: CivilMinute {
    switch self {
    case .day(let day): CivilMinute(startOf: day)
    case .minute(let minute): minute
    }
  }
}
