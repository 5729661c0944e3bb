public import EventCommands
public import EventMVVM
import EventValues
import Foundation
import JSONText

/// Records a session into a file, and replays it (S57).
///
/// Every event on the stream is recorded; inputs are marked, and a replay feeds these alone. It
/// depends on no domain: an event that is `Codable` is recorded whole, any other by its name.
/// Without `--record` it does nothing.
public final class SessionRecorder: ProgramPlugin {
  /// Its name among the plugins.
  public let name = "recorder"
  /// Its verbs of the process.
  public var verbs: [ProcessVerb] { [ReplayArguments.verb] }

  private struct State {
    var path: String?
    var file: RecordingFile?
    var header: RecordingHeader?
    var recorder: Unchecked<EventRecorder>?
    var stream: EventStream?
    /// The requests and units that are recorded as cancelled.
    var cancelled: Set<UInt64> = []
  }

  /// A value that only the home thread uses.
  private struct Unchecked<Value>: @unchecked Sendable {
    // Unchecked: created on any thread, and used on the home thread.
    let value: Value
  }

  private let state = Locked(State())

  /// Creates the plugin.
  public init() {}

  /// Its options of the process.
  public var options: OptionGroup? {
    OptionGroup(RecorderOptions.spec, RecorderOptions(), forSessions: true) { [state] options in
      state.withLock { $0.path = options.record }
    }
  }

  // MARK: Recording

  /// Begins to record if the options request it.
  public func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) throws -> (any SessionRecording)? {
    guard let path = state.withLock({ $0.path }) else { return nil }
    let header = RecordingHeader(
      program: "\(session.program) \(session.version)",
      environment,
      locale: Self.variable("LC_ALL") ?? Self.variable("LANG") ?? "C",
      isInteractive: session.isLasting,
      plugins: session.plugins
    )
    environment = try record(to: path, excluding: session.store, environment, header)
    return self
  }

  /// Returns a variable of the environment that is set and not empty.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Begins a recording, before the stream is created.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - store: The file of the store, whose names are not allowed for a recording.
  ///   - environment: The environment of the session.
  ///   - header: Returns the header for that environment.
  /// - Returns: The environment for the session.
  /// - Throws: Why the file can't be created.
  package func record(
    to path: String,
    excluding store: String? = nil,
    _ environment: Environment,
    _ header: RecordingHeader
  ) throws(Failure) -> Environment {
    let file = try RecordingFile(path: path, excluding: store)
    file.write { $0.append(header.members) }
    state.withLock { state in
      state.file = file
      state.header = header
    }
    var seen = environment
    seen.makeID = { [weak self] in
      let id = environment.makeID()
      self?.note(id)
      return id
    }
    return seen
  }

  /// Subscribes to the events that it observes and answers.
  public func join(_ stream: EventStream) {
    let (file, header) = state.withLock { ($0.file, $0.header) }
    guard let file, let header else { return }
    let recorder = EventRecorder(
      file,
      session: header.session,
      flushesReplies: header.isInteractive
    )
    state.withLock { state in
      state.stream = stream
      state.recorder = Unchecked(value: recorder)
    }
    stream.attach(self)
    stream.observeAll(with: recorder)
  }

  /// Writes the end of the recording.
  public func leave() {
    let (file, recorder, stream) = state.withLock { ($0.file, $0.recorder, $0.stream) }
    guard let file, let recorder else { return }
    let count = recorder.value.count
    let isUnderWay = stream?.isUnderWay ?? false
    file.write(isLast: true) { line in
      line.literal(#""complete":true,"events":"#)
      line.append(count)
      if isUnderWay { line.literal(#","underWay":true"#) }
    }
    file.flush()
  }

  /// Why the recording ends before the session did; nil if it doesn't.
  public var trouble: Failure? {
    guard let file = state.withLock({ $0.file }), let trouble = file.trouble else { return nil }
    return Failure(.store, "The recording ends early: \(file.path): \(trouble)")
  }

  /// Records an id that a handler has drawn; services draw their own, and their answers are
  /// recorded.
  private func note(_ id: UniqueID) {
    let (file, stream) = state.withLock { ($0.file, $0.stream) }
    guard let file, stream?.isHome == true else { return }
    file.write { line in
      line.literal(#""id":"#)
      line.append(id.text)
    }
  }
}

extension SessionRecorder: SessionRecording {
  /// Records the stored data at the beginning.
  public func begin(with image: () throws -> [UInt8]?) {
    guard let file = state.withLock({ $0.file }) else { return }
    do {
      guard let bytes = try image() else { return file.flush() }
      let text = Data(bytes).base64EncodedString()
      file.write { line in
        line.literal(#""state":"#)
        line.append(text)
      }
    } catch {
      let reason = Failure(error).message
      file.write { line in
        line.literal(#""noState":"#)
        line.append(reason)
      }
    }
    file.flush()
  }

  /// Records an external change.
  public func note(external change: any Encodable) {
    guard let file = state.withLock({ $0.file }),
      let body = try? BodyEncoder().value(change)
    else { return }
    file.write { line in
      line.literal(#""outside":"#)
      line.append(body)
    }
  }
}

extension SessionRecorder: EventTap {
  package func released(_ sequence: UInt64) {
    writeFromOutside { line in
      line.literal(#""released":"#)
      line.append(sequence)
    }
  }

  package func sawCancelled(_ conversation: Conversation, amidTurn: Bool) {
    var next: Conversation? = conversation
    while let conversation = next {
      next = conversation.parent
      guard let sequence = conversation.cancelledSequence,
        state.withLock({ $0.cancelled.insert(sequence).inserted })
      else { continue }
      writeFromOutside { line in
        line.literal(#""cancelled":"#)
        line.append(sequence)
        if amidTurn { line.literal(#","amid":true"#) }
      }
    }
  }

  package func unitEnds(_ unit: Root, _ outcome: ResponseUnit.Outcome) {
    writeFromOutside { line in
      line.literal(#""ends":"#)
      line.append(unit.number)
      line.literal(outcome == .committed ? #","kept":true"# : #","kept":false"#)
    }
  }

  package func passed(_ entry: any StreamEntry.Type) {
    state.withLock { $0.recorder }?.value.pass(entry)
  }

  /// Writes an input, after the entries before it.
  private func writeFromOutside(_ body: (inout RecordingLine) -> Void) {
    let (file, recorder) = state.withLock { ($0.file, $0.recorder) }
    recorder?.value.writePassed()
    file?.write(body)
  }
}
