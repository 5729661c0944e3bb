import Foundation
import JSONText
import Synchronization

/// Replays the recording by the program that was recorded, one replay at a time.
final class Replayer: Sendable {
  private struct State {
    var last: Int?
    var isRunning = false
    var outcome: [UInt8]?
  }

  private let program: String
  private let recording: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - program: The path of the program.
  ///   - recording: The path of the recording.
  init(program: String, recording: String) {
    self.program = program
    self.recording = recording
  }

  /// Returns the outcome of a replay, which begins if it has not yet.
  ///
  /// - Parameters:
  ///   - last: The number of the event after which it stops; nil for the end.
  ///   - events: The number of recorded events.
  /// - Returns: The outcome, or that it is running.
  func outcome(until last: Int?, of events: Int) -> [UInt8] {
    let begins = state.withLock { state in
      guard !state.isRunning, state.outcome == nil || state.last != last else { return false }
      state = State(last: last, isRunning: true)
      return true
    }
    if begins {
      DispatchQueue.global()
        .async { [self] in
          let outcome = run(until: last)
          state.withLock { state in
            state.isRunning = false
            state.outcome = outcome
          }
        }
    }
    return state.withLock { state in
      if state.last == last, let outcome = state.outcome { return outcome }
      return Array(#"{"running":true,"replayed":0,"events":\#(events)}"#.utf8)
    }
  }

  private func run(until last: Int?) -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["--json", "replay"] + (last.map { ["--until", String($0)] } ?? []) + ["--", recording]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return Self.problem("\(program) can't be started: \(error.localizedDescription)")
    }
    let text = Mutex<Data>(Data())
    let reading = DispatchGroup()
    DispatchQueue.global()
      .async(group: reading) {
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        text.withLock { $0 = data }
      }
    let line = output.fileHandleForReading.readDataToEndOfFile()
    reading.wait()
    process.waitUntilExit()
    guard let json = try? JSON(parsing: Array(line.trimmingLines)), json["replayed"] != nil else {
      let said = text.withLock { String(decoding: $0, as: UTF8.self) }
      return Self.problem(said.isEmpty ? "the replay has ended without an outcome" : said)
    }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("running", false)
      for name in ["replayed", "events", "whole", "missingState", "divergence"] {
        writer.member(JSONName(name), json[name])
      }
    }
    return writer.takeBytes()
  }

  private static func problem(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("running", false)
      json.member("error", text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return json.takeBytes()
  }
}

extension Data {
  /// The bytes without the end of the line.
  fileprivate var trimmingLines: Data { last == 10 ? dropLast() : self }
}
