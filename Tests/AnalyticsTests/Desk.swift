import EventMVVM
import EventRecords
import Foundation
import Testing

@testable import Analytics

/// An application whose figures can be posted, in a folder that is gone with its test.
final class Desk {
  let folder: String
  private let context: AppContext
  /// The one whose folder it shares.
  private let owner: Desk?

  init(pauses: [Duration] = [], beside owner: Desk? = nil) throws {
    self.owner = owner
    folder = owner?.folder ?? NSTemporaryDirectory() + "desk-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let clock = Locked(Int64(1_763_632_800_000))
    let environment = Environment(
      now: {
        clock.withLock { time in
          defer { time += 1000 }
          return Instant(milliseconds: time / 1000 * 1000)
        }
      },
      zone: .utc
    )
    context = AppContext(home: .ownThread, environment: environment)
    context.add(Analytics(path: nil, spool: folder + "/spool", pauses: pauses, ticks: { 0 }))
    context.stream.answer(RequestMeasures.self) { _, turn in
      let measure = Measure(.count("added"), 2, at: turn.time, by: [])
      return MeasuredPart([measure], upTo: "1", isLast: true)
    }
    context.stream.answer(RequestGauges.self) { _, _ in [] }
  }

  deinit {
    if owner == nil { try? FileManager.default.removeItem(atPath: folder) }
  }

  private func report(to target: String) async throws -> Report {
    var request = RequestReport()
    request.post = target
    return try await context.port(named: "desk").request(request)
  }

  func post(to target: String) async throws -> Posting.Outcome {
    try #require(try await report(to: target).posting)
  }

  func failure(to target: String) async -> Failure? {
    do {
      _ = try await report(to: target)
      return nil
    } catch {
      return error as? Failure
    }
  }
}
