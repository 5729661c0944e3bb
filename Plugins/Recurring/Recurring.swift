import EventCommands
public import EventMVVM
import EventRecords
import EventValues
public import RecordCommands

/// What comes again: for any record with the roles `recurrence` and `completion`, an identity, and a time: `due`, `scheduled` or
/// `wait`.
///
/// There is one open record of a series at a time. Whatever completes it adds the next one in the same transaction, and so in the same
/// step of undo: a command of any frontend, a detail, a program; eight processes at once add one. Its other times move by
/// as much as its date does. Its identity follows from that of the one before it, so that two copies of a store make the same.
///
/// - `skip` goes on to the next date without completing.
/// - Opening a completed one again deletes the next one, unless that was changed.
/// - Deleting the open one ends the series.
/// - `upcoming 30d` lists what is to come, each date of what comes again.
/// - `is:recurring` finds those that come again, and a list marks them.
public struct Recurring: RolePlugin {
  /// It is named in messages to a developer.
  public let name = "recurring"
  /// The namespace of the identities (RFC 9562 §5.5): that of a next one is of version 5, by the text of the identity before it.
  public static let namespace = UniqueID(high: 0x27FD_C3DF_52FC_4A87, low: 0xB1A7_B45F_7C87_669A)

  /// Creates the plugin.
  public init() {}

  /// Adds what is known of what comes again.
  public func extend<R: CommandRecord>(
    _ commands: consuming RecordCommands<R>
  ) throws(RoleProblem) -> RecordCommands<R> {
    // A process that neither writes nor has what comes again looks up no role.
    #if DEBUG
      _ = try Series<R>()
    #endif
    return
      commands
      .condition("recurring", "Those that come again", hasFlag: false) { _ in
        R.field(with: .recurrence).map { .not($0.isNil) } ?? .any()
      }
      .preparing { record, before, turn in
        guard R.field(with: .recurrence)?.hasValue(in: record) ?? false else { return }
        try Series<R>().begin(&record, before: before, turn.clock.now)
      }
      .verb(
        "skip",
        "Goes on to the next date of \(R.several) that come again, without completing them.",
        { _ in "Skipped" },
        for: (try? Series<R>())?.open,
        topic: .rare
      ) { record, _, turn in
        try Series<R>().skip(&record, turn.clock.now)
      }
      .command(RequestUpcoming<R>.self)
      .joining { stream in
        stream.beforeWrites { stream in
          guard let recurrence = R.field(with: .recurrence) else { return }
          stream.onWrite(of: R.self, where: { recurrence.hasValue(in: $0) }) { change, store in
            try Series<R>().follow(change, &store)
          }
        }
      }
  }
}
