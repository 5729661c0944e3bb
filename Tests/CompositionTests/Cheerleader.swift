import EventCommands
import EventMVVM

/// Brings everything that a plugin can bring, and notes what it is called for.
struct Cheerleader: ProgramPlugin {
  var name = "cheerleader"
  /// Whether it can't begin.
  var isHoarse = false
  let commands: [any Command.Type] = [RequestCheer.self]
  let announcements: [any Announcement.Type] = [ResponseBoo.self]
  var wire: Wire { Wire(changes: [], notices: [ResponseBoo.self]) }
  private let noted = Locked<[String]>([])

  /// What it was called for, in order.
  var calls: [String] { noted.withLock { $0 } }

  private func note(_ call: String) { noted.withLock { $0.append(call) } }

  var options: OptionGroup? {
    OptionGroup(CheerOptions.spec, CheerOptions(), forSessions: true) {
      options throws(CommandError) in
      guard !options.cheer.contains("Boo") else { throw CommandError("--cheer: 'Boo' is no cheer") }
      note("take " + options.cheer.joined(separator: " "))
    }
  }

  var verbs: [ProcessVerb] {
    [
      ProcessVerb(WaveArguments.spec, WaveArguments()) { arguments, host in
        host.print("Waves to \(arguments.name).") ? .success : .failed
      }
    ]
  }

  func join(_ stream: EventStream) {
    note("join")
    stream.answer(RequestCheer.self) { _, _ in "Hurrah!" }
  }

  func start() { note("start") }
  func leave() { note("leave") }

  func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) -> (any SessionRecording)? {
    note("prepare \(session.effect)")
    return nil
  }

  func begin(_ session: ProcessSession) throws {
    note("begin \(session.effect)")
    if isHoarse { throw Failure(.usage, "\(name) is hoarse.") }
  }

  func finish(_ session: ProcessSession) { note("finish") }

  var trouble: Failure? {
    note("trouble")
    return nil
  }
}

/// Another one around a session, without a command.
struct Quiet: ProgramPlugin {
  private let other: Cheerleader

  init(_ other: Cheerleader) { self.other = other }

  var name: String { other.name }
  func join(_ stream: EventStream) {}
  func begin(_ session: ProcessSession) throws { try other.begin(session) }
  func finish(_ session: ProcessSession) { other.finish(session) }
}

/// Keeps the stream, as one does that is asked from outside.
final class Keeper: ProgramPlugin {
  let name = "keeper"
  private let stream = Locked<EventStream?>(nil)

  var options: OptionGroup? {
    OptionGroup(KeeperOptions.spec, KeeperOptions()) { [self] _ in stream.withLock { $0 = nil } }
  }

  var verbs: [ProcessVerb] {
    [
      ProcessVerb(WaveArguments.spec, WaveArguments()) { [self] _, _ in
        stream.withLock { $0 == nil } ? .success : .failed
      }
    ]
  }

  func join(_ stream: EventStream) { self.stream.withLock { $0 = stream } }
}

struct KeeperOptions {
  var keep = false

  static let spec = CommandSpec<Self>("keeper", "Options of one that keeps the stream.")
    .option(\.keep, "Keeps it", flag: "--keep")
}

struct CheerOptions {
  var cheer: [String] = []

  static let spec = CommandSpec<Self>("cheerleader", "Options of a session with cheers.")
    .option(\.cheer, "Cheers with a word (repeatable)", flag: "--cheer", placeholder: "WORD")
}

struct WaveArguments {
  var name = ""

  static let spec = CommandSpec<Self>("wave", "Waves.")
    .word(\.name, "To whom", placeholder: "NAME")
}

struct RequestCheer: Command {
  typealias Reply = ResponseWhistle
  static let writes = false
  static let command = CommandSpec<Self>("cheer", "Cheers.")
}

/// Comes from outside the stream.
struct ResponseBoo: ViewModelEvent, Decodable, Announcement, TroubleNotice {
  var failure = Failure(.unanswered, "Boo!")
}
