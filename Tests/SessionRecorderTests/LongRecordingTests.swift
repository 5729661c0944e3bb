import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

@testable import SessionRecorder

/// Long recordings are read in proportion to their length.
@Suite(.hangLimit) struct LongRecordingTests {
  /// What stands behind the first event, a line for each number.
  enum Rest: String, CaseIterable {
    case ids, releasedAndIDs, chain

    func lines(_ number: Int) -> [String] {
      switch self {
      case .ids: [#""id":"\#(Self.id)""#]
      case .releasedAndIDs: [#""released":1"#, #""id":"\#(Self.id)""#]
      case .chain:
        [
          #""seq":\#(number + 1),"cause":\#(number),"root":1,"origin":3,"time":1000002,"#
            + #""type":"RequestGreeting","body":{"name":"Anna"}"#
        ]
      }
    }

    private static let id = "00000000-0000-4000-8000-000000000001"
  }

  @Test(arguments: Rest.allCases)
  func `four times as much is read in about four times the time`(_ rest: Rest) throws {
    let first = try time(to: rest, count: 4000)
    let second = try time(to: rest, count: 16_000)
    // Else it would be sixteen times, or nearly: the limit is as far from that as from four, since
    // other tests have the caches at the same time.
    #expect(second < 8 * first, "\(first), then \(second)")
  }

  @Test func `an event knows how many led to it`() throws {
    let recording = try recording(of: .chain, count: 1000)
    #expect(recording.event(1)?.depth == 0)
    #expect(recording.event(1001)?.depth == 1000)
    #expect(recording.event(1002) == nil)
  }

  /// The nanoseconds of the processor that reading takes on this thread.
  private func time(to rest: Rest, count: Int) throws -> UInt64 {
    let text = try text(of: rest, count: count)
    let start = processorTime()
    _ = try Recording(text, named: "r")
    return processorTime() - start
  }

  private func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private func recording(of rest: Rest, count: Int) throws -> Recording {
    try Recording(text(of: rest, count: count), named: "r")
  }

  private func text(of rest: Rest, count: Int) throws -> [UInt8] {
    let session = try GreetingSession.record { port, stream, executor in
      port.request(RequestGreeting(name: "Anna")) { _, _ in }
      executor.drain()
    }
    let lines = session.split(separator: "\n")
    let end = try #require(lines.firstIndex { $0.contains(#""seq":1,"#) })
    var text = Array(lines[...end].joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
    for number in 1...count {
      for members in rest.lines(number) {
        var line = RecordingLine()
        line.begin()
        line.append(Array(members.utf8))
        line.end()
        text += line.take()
      }
    }
    return text
  }
}
