import EventCommands
import EventMVVM
import Foundation
import JSONText
import SessionRecorder

@testable import EventApp

/// Any bytes as edits of a recorded session, which is then replayed in a store of its own.
///
/// It is refused with its line, or it diverges at a place that is named, or it replays to its end.
func checkRecordings(_ bytes: [UInt8]) {
  var choices = Choices(bytes)
  var edits = RecordingEdits(choices.one(of: sessions.recordings))
  let count = min(8, bytes.count / 4)
  for _ in 0..<count { edits.edit(&choices) }
  do {
    let recording = try Recording(edits.bytes, named: "edited")
    try check(recording, isEdited: count > 0)
  } catch {
    let failure = Failure(error)
    require(count > 0, "what was recorded is refused: \(failure.message)")
    require(!failure.message.isEmpty, "it is refused without a word")
    requireSafe(escapedForTerminal(failure.message), "a refusal")
  }
}

private let sessions: RecordedSessions = {
  do { return try RecordedSessions() } catch { fatalError("nothing is recorded: \(error)") }
}()

private func check(_ recording: Recording, isEdited: Bool) throws {
  let path = sessions.folder + "/replay.sqlite"
  defer {
    for suffix in ["", "-wal", "-shm", "-journal", "-bell"] { unlink(path + suffix) }
  }
  let world = RecordedEnvironment(recording.header)
  let composition = try Composition(sessions.application, recording.setup(in: world), store: path)
  let replay = SessionReplay(
    recording,
    world,
    on: composition.context.stream,
    inputs: composition.inputs
  ) { note, decoder in
    try composition.applyExternal?(note, decoder)
  }
  let verdict = replay.run { event in
    requireSafe(escapedForTerminal(event.type + event.origin), "an event")
    return true
  }
  require(verdict.count <= recording.eventCount, "more is replayed than was recorded")
  guard let divergence = verdict.divergence else {
    require(isEdited || verdict.count == recording.eventCount, "what was recorded is not replayed")
    return
  }
  require(isEdited, "what was recorded diverges: \(divergence.text)")
  require(isPlace(divergence.place), "it diverges nowhere: \(divergence.place)")
  require(!divergence.expected.isEmpty && !divergence.actual.isEmpty, "it diverges from nothing")
  requireSafe(escapedForTerminal(divergence.text), "a divergence")
  var json = JSONWriter()
  divergence.write(to: &json)
  requireJSON(String(decoding: json.bytes, as: UTF8.self), "a divergence")
}

/// Whether it is a line of the recording, or what follows it.
private func isPlace(_ place: String) -> Bool {
  if place == "after the end of edited" { return true }
  return place.hasPrefix("edited:") && Int(place.dropFirst("edited:".count)) != nil
}
