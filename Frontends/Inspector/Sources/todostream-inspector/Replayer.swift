import Foundation
import JSONText
import Synchronization

/// Replays the recording by the program that was recorded, one replay at a time.
final class Replayer: Sendable {
  private struct State {
    /// How many events have been replayed, and of how many.
    var replayed = 0
    var events = 0
    /// The process, while it runs.
    var process: Process?
    var isRunning = false
    var isCancelled = false
    var outcome = Replayer.problem("nothing was replayed yet")
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

  /// How far the replay is, or how it has ended.
  var progress: [UInt8] {
    state.withLock { state in
      guard state.isRunning else { return state.outcome }
      return Self.object { json in
        json.member("running", true)
        json.member("replayed", state.replayed)
        json.member("events", state.events)
      }
    }
  }

  /// Begins a replay, unless one is running.
  ///
  /// - Parameters:
  ///   - last: The number of the event after which it stops; nil for the end.
  ///   - events: The number of events until then.
  func begin(until last: UInt64?, of events: Int) {
    let begins = state.withLock { state in
      guard !state.isRunning else { return false }
      state = State(events: events, isRunning: true)
      return true
    }
    guard begins else { return }
    Thread.detachNewThread { [self] in
      // Threads that answer block all signals, and what they start would, too: it could not be cancelled.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      let outcome = run(until: last)
      state.withLock { state in
        state.isRunning = false
        state.process = nil
        state.outcome = state.isCancelled ? Self.cancelled(after: state.replayed) : outcome
      }
    }
  }

  /// Ends the replay that is running, if there is one.
  func cancel() {
    let process = state.withLock { state in
      state.isCancelled = state.isRunning
      return state.process
    }
    process?.terminate()
  }

  private func run(until last: UInt64?) -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["--json", "replay", "--step"] + (last.map { ["--until", String($0)] } ?? [])
      + ["--", recording]
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return Self.problem("\(program) can't be started: \(error.localizedDescription)")
    }
    let isCancelled = state.withLock { state in
      state.process = process
      return state.isCancelled
    }
    if isCancelled { process.terminate() }
    let text = Mutex(Data())
    let reading = DispatchGroup()
    DispatchQueue.global()
      .async(group: reading) {
        let data = errors.fileHandleForReading.readDataToEndOfFile()
        text.withLock { $0 = data }
      }
    let line = readLines(output.fileHandleForReading)
    reading.wait()
    process.waitUntilExit()
    guard let json = try? JSON(parsing: line), json["replayed"] != nil else {
      let said = text.withLock { String(decoding: $0, as: UTF8.self) }
      return Self.problem(said.isEmpty ? "the replay has ended without an outcome" : said)
    }
    return Self.object { writer in
      writer.member("running", false)
      for name in ["replayed", "events", "whole", "missingState", "divergence"] {
        writer.member(JSONName(name), json[name])
      }
    }
  }

  /// Counts the events, one a line, until the line after them, which is returned.
  private func readLines(_ file: FileHandle) -> [UInt8] {
    var last: [UInt8] = []
    var isAtStart = true
    while case let data = file.availableData, !data.isEmpty {
      for part in data.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
        if part.offset > 0 { isAtStart = true }
        guard !part.element.isEmpty else { continue }
        if isAtStart { last = [] }
        isAtStart = false
        last += part.element
      }
      let lines = data.count { $0 == 10 }
      state.withLock { $0.replayed = min($0.replayed + lines, $0.events) }
    }
    return last
  }

  private static func cancelled(after count: Int) -> [UInt8] {
    object { json in
      json.member("running", false)
      json.member("cancelled", true)
      json.member("replayed", count)
    }
  }

  private static func problem(_ text: String) -> [UInt8] {
    object { json in
      json.member("running", false)
      json.member("error", text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  private static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.object(members)
    return json.takeBytes()
  }
}
