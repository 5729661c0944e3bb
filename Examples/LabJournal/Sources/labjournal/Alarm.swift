import EventCommands
import EventMVVM
import EventRecords
import EventValues

/// Announces each sample that becomes overdue, once: in a lasting session, or with `--alarm`.
///
/// A timer only decides when to look. The time itself is that of the environment, so that a replay
/// finds the samples that were overdue when it was recorded.
struct Alarm: ProgramPlugin {
  let name = "alarm"
  let announcements: [any Announcement.Type] = [ResponseOverdue.self]
  private let clock: any Clock<Duration>
  private let seconds = Locked<Int?>(nil)

  /// Uses a clock to wait between two looks.
  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  var options: OptionGroup? {
    OptionGroup(AlarmOptions.spec, AlarmOptions(), forSessions: true) {
      [seconds] given throws(CommandError) in
      guard given.alarm?.number != 0 else { throw CommandError("--alarm: at least a second") }
      seconds.withLock { $0 = given.alarm?.number }
    }
  }

  func join(_ stream: EventStream) {
    let known = Locked<Set<Int>>([])
    stream.on(ResponseAlarmTick.self) { _, turn in
      let now = turn.zone.civil(at: turn.time)
      turn.request(RequestRecords(Sample.due(at: now))) { result, turn in
        guard let found = try? result.get().result.get() else { return }
        let overdue = found.filter { $0.value.isOverdue(at: now) }
        let before = known.withLock { known in
          defer { known = Set(overdue.map(\.number)) }
          return known
        }
        for sample in overdue where !before.contains(sample.number) {
          turn.send(ResponseOverdue(number: sample.number, batch: sample.value.batch))
        }
      }
    }
  }

  /// Starts the timer, which ends with the session; a replay does not begin, and is fed the ticks.
  func begin(_ session: ProcessSession) {
    let given = seconds.withLock { $0 }
    guard let stream = session.stream, session.isLasting || given != nil else { return }
    session.task { [clock] in
      while !Task.isCancelled {
        stream.send(ResponseAlarmTick())
        try? await clock.sleep(for: .seconds(given ?? 60))
      }
    }
  }
}

/// States that it is time to look for overdue samples.
struct ResponseAlarmTick: ModelEvent, Codable {}

/// States that a sample has become overdue.
struct ResponseOverdue: ViewModelEvent, Announcement, Codable {
  let number: Int
  let batch: String

  func announce(on page: inout Page) {
    page.write("#\(number) ", .secondary)
    page.write(user: batch)
    page.write(" is overdue", .urgent)
    page.endLine()
  }
}

/// The options of a process with an alarm.
struct AlarmOptions {
  var alarm: Count?
  static let spec = CommandSpec<Self>("", "")
    .option(\.alarm, "Looks for overdue samples so often", flag: "--alarm", placeholder: "SECONDS")
}
