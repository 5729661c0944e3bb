import EventCommands
import EventMVVM
import EventValues
import Foundation
import JSONText

/// The output of a replay.
struct ReplayReport {
  private let recording: Recording
  private let arguments: ReplayArguments
  private let host: any ProcessHost
  private var isJSON: Bool { host.isJSON }

  init(_ recording: Recording, _ arguments: ReplayArguments, _ host: any ProcessHost) {
    self.recording = recording
    self.arguments = arguments
    self.host = host
  }

  /// Runs the replay, and prints its outcome.
  func run(_ replay: SessionReplay, in session: ReplaySession) -> ExitStatus {
    let last = arguments.until.map { UInt64($0.number) }
    let verdict = arguments.step ? replay.run(until: last, step) : replay.run(until: last)
    session.waitIfEnding()
    let isWritten = isJSON ? print(json(verdict)) : print(text(verdict))
    return verdict.divergence == nil && isWritten ? .success : .failed
  }

  /// Shows an event, and waits for Enter before each root at a terminal.
  private func step(_ told: SessionReplay.Told) -> Bool {
    guard !isJSON else { return print(Self.json(told)) }
    let isIntent = told.depth == 0 && told.isInput
    if isIntent, told.sequence > 1, isatty(0) == 1, isatty(1) == 1, readLine() == nil {
      return false
    }
    let indent = String(repeating: "  ", count: min(told.depth, 20))
    let origin = isIntent ? "  (\(told.origin))" : told.isInput ? "  (from outside)" : ""
    return print("\(told.sequence)  \(indent)\(told.type)\(origin)")
  }

  private func print(_ text: String) -> Bool { host.print(text) }

  // MARK: The verdict

  private func text(_ verdict: SessionReplay.Verdict) -> String {
    let remark = recording.missingState.map {
      "\nWhat the store held at the start is not in the recording: \($0)"
    }
    return summary(verdict) + (remark ?? "")
  }

  private func summary(_ verdict: SessionReplay.Verdict) -> String {
    let count = "\(verdict.count) of \(recording.eventCount) events"
    if let divergence = verdict.divergence { return "\(divergence.text)\nReplayed \(count)." }
    if let stop = verdict.stop {
      let body = stop.body.isEmpty ? "" : "\n  \(stop.body)"
      return "Stopped after event \(stop.sequence): \(stop.type), \(stop.origin), "
        + "\(stop.time.iso8601)\(body)\nReplayed \(count): no divergence."
    }
    let end = recording.isWhole ? "" : " The recording was cut off there."
    return "Replayed \(count): no divergence.\(end)"
  }

  private func json(_ verdict: SessionReplay.Verdict) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("replayed", verdict.count)
      json.member("events", recording.eventCount)
      json.member("whole", recording.isWhole)
      if let reason = recording.missingState { json.member("missingState", reason) }
      json.key("divergence")
      if let divergence = verdict.divergence {
        divergence.write(to: &json)
      } else {
        json.null()
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static func json(_ told: SessionReplay.Told) -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("event", Int64(clamping: told.sequence))
      json.member("type", told.type)
      json.member("depth", told.depth)
      json.member("input", told.isInput)
      json.member("origin", told.origin)
      json.member("time", told.time.iso8601)
      json.member("body", try? JSON(parsing: told.body, limits: .ofRecordings))
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
