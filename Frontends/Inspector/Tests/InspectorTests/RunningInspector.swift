import Foundation
import ProcessTesting
import RecordingIndex
import Testing

/// The built inspector of a recording that the built todo manager has made.
final class RunningInspector {
  let place: Workplace
  let port: Int
  /// The address that it printed.
  let address: String
  private let job: Job

  /// Records a script, and inspects the recording.
  ///
  /// - Parameters:
  ///   - script: The lines of the script.
  ///   - more: More words for the inspector.
  /// - Throws: That a program is not built or does not start.
  convenience init(_ script: [String], _ more: String = "") throws {
    let place = try Workplace(for: "todostream")
    let recorded = try place.start("todostream --record session.jsonl", input: script).outcome()
    #expect(recorded.status == 0)
    try self.init("session.jsonl \(more)", in: place)
  }

  /// Starts the inspector with some words.
  init(_ words: String, in place: Workplace) throws {
    self.place = place
    job = try place.start("exec todostream-inspector \(words)")
    try job.wait(untilPrinted: "\n")
    address = try job.printed().trimmingCharacters(in: .whitespacesAndNewlines)
    port = try #require(URL(string: address)?.port)
  }

  deinit { job.send(SIGTERM) }

  /// The secret in the address.
  var token: String { Wire.token(of: address) }
  /// What a request of the page has in its head.
  var own: [String: String] { Wire.secret(of: address) }
  var processNumber: Int { job.number }

  /// Sends a request of the page.
  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Wire.Response? {
    try Wire.ask(port, path, own.merging(headers) { $1 })
  }
}
