import EventCommands
package import EventMVVM
import Foundation
import JSONText

/// Records a session into a file, and replays it (S57).
///
/// Everything that is said on the stream is recorded; what came from outside is marked, and is all
/// that a replay feeds. It knows no domain: an event that is `Codable` is recorded whole, any other
/// by its name. Without ``record(to:_:_:)`` it does nothing.
package final class SessionRecorder: Plugin {
  package let name = "recorder"

  private struct State {
    var file: RecordingFile?
    var header: RecordingHeader?
    var recorder: Unchecked<EventRecorder>?
    var stream: EventStream?
  }

  /// What the home thread alone uses.
  private struct Unchecked<Value>: @unchecked Sendable {
    // Unchecked: made on any thread, and used on the home thread.
    let value: Value
  }

  private let state = Locked(State())

  /// Prepares a plugin that records nothing yet.
  package init() {}

  // MARK: Recording

  /// Begins a recording, before the stream is made.
  ///
  /// - Parameters:
  ///   - path: The new file.
  ///   - store: The file that keeps everything, the names of which are no recording's.
  ///   - environment: The environment of the session.
  ///   - header: What there is to say of it, of that environment.
  /// - Returns: The environment as the session is to see it.
  /// - Throws: Why the file can't be made.
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

  /// Writes the bytes with which the domain begins a replay.
  ///
  /// - Parameter find: Finds the bytes; nil where there is nothing yet.
  package func keep(startingState find: () throws -> [UInt8]?) {
    guard let file = state.withLock({ $0.file }) else { return }
    do {
      guard let bytes = try find() else { return file.flush() }
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

  /// Notes something that others have done meanwhile, where it is found; on the stream's home
  /// thread.
  package func note(outside change: some Encodable) {
    guard let file = state.withLock({ $0.file }),
      let body = try? BodyEncoder().value(change)
    else { return }
    file.write { line in
      line.literal(#""outside":"#)
      line.append(body)
    }
  }

  package func join(_ stream: EventStream) {
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

  /// Says that the recording is whole.
  package func leave() {
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
  package var trouble: String? {
    state.withLock { $0.file }
      .flatMap { file in file.trouble.map { "\(file.path): \($0)" } }
  }

  /// Notes an id that a handler has drawn; services draw their own, and their answers are recorded.
  private func note(_ id: UniqueID) {
    let (file, stream) = state.withLock { ($0.file, $0.stream) }
    guard let file, stream?.isHome == true else { return }
    file.write { line in
      line.literal(#""id":"#)
      line.append(id.text)
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

  package func cancelled(_ sequence: UInt64, amidTurn: Bool) {
    writeFromOutside { line in
      line.literal(#""cancelled":"#)
      line.append(sequence)
      if amidTurn { line.literal(#","amid":true"#) }
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

  /// Writes what happened after all that had its turn before.
  private func writeFromOutside(_ body: (inout RecordingLine) -> Void) {
    let (file, recorder) = state.withLock { ($0.file, $0.recorder) }
    recorder?.value.writePassed()
    file?.write(body)
  }
}
