import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

@testable import Analytics

/// The outcome of a batch that an endpoint answers with an error.
@Suite(.hangLimit) struct RefusalTests {
  @Test(
    arguments: [
      (400, "it can't read the batch (400); ask for the form it expects at that address"),
      (413, "the batch is too long for it (413)"),
      (422, "it can't read the batch (422); ask for the form it expects at that address"),
    ])
  func `a batch that is refused for good is not sent again, and holds up no other`(
    _ status: Int,
    _ words: String
  ) async throws {
    // It has waited, and is refused; the one of the second report follows.
    let endpoint = try Endpoint(answering: [503, status, 200, 200])
    let waiting = try Desk(pauses: [])
    #expect(try await waiting.post(to: endpoint.url).waiting == 1)
    let desk = try Desk(pauses: [.zero, .zero], beside: waiting)
    let second = try await desk.post(to: endpoint.url)
    var expected = Posting.Outcome(target: endpoint.url, posted: 1)
    (expected.refused, expected.refusal) = (1, words)
    #expect(second == expected)
    #expect(
      try await desk.post(to: endpoint.url) == Posting.Outcome(target: endpoint.url, posted: 1)
    )
    #expect(endpoint.requests.count == 4)
  }

  @Test(
    arguments: [
      (401, "it wants another name and password (401); put them into ~/.netrc"),
      (403, "it does not permit this (403); ask the person who runs it"),
      (404, "it takes no statistics at that address (404); correct the address"),
      (451, "it refuses the batch (451); ask the person who runs it"),
    ])
  func `what a person has to correct is not tried again at once, and nothing is lost`(
    _ status: Int,
    _ words: String
  ) async throws {
    let endpoint = try Endpoint(answering: [status, 200, 200])
    let desk = try Desk(pauses: [.zero, .zero])
    let first = try await desk.post(to: endpoint.url)
    #expect(first == Posting.Outcome(target: endpoint.url, waiting: 1, problem: words))
    #expect(endpoint.requests.count == 1)
    #expect(
      try await desk.post(to: endpoint.url) == Posting.Outcome(target: endpoint.url, posted: 2)
    )
  }

  @Test(arguments: [408, 425, 429, 500, 503])
  func `what may succeed soon is tried again`(_ status: Int) async throws {
    let endpoint = try Endpoint(answering: [status, 200])
    let desk = try Desk(pauses: [.zero])
    #expect(
      try await desk.post(to: endpoint.url) == Posting.Outcome(target: endpoint.url, posted: 1)
    )
  }

  @Test func `it is tried again no sooner than the endpoint asks for`() async throws {
    let endpoint = try Endpoint([.busy(429, retryAfter: "1"), .status(200)])
    let desk = try Desk(pauses: [.zero])
    let start = ContinuousClock.now
    #expect(try await desk.post(to: endpoint.url).posted == 1)
    #expect(ContinuousClock.now - start >= .seconds(1))
  }

  @Test func `a long wait is left to the next report`() async throws {
    let endpoint = try Endpoint([.busy(503, retryAfter: "3600"), .status(200)])
    let desk = try Desk(pauses: [.zero])
    let outcome = try await desk.post(to: endpoint.url)
    #expect(outcome.waiting == 1)
    #expect(
      outcome.problem == "it can't take the batch now (503); it asks to wait for 3600 seconds"
    )
    #expect(endpoint.requests.count == 1)
  }

  @Test func `a date to wait for, and one that is none, are no reason not to try again`()
    async throws
  {
    let date = "Wed, 21 Oct 2099 07:28:00 GMT"
    let endpoint = try Endpoint([
      .busy(503, retryAfter: date), .busy(503, retryAfter: "-5"), .busy(503, retryAfter: "soon"),
      .status(200),
    ])
    let desk = try Desk(pauses: [.zero, .zero, .zero])
    #expect(try await desk.post(to: endpoint.url).posted == 1)
  }

  @Test func `a person reads once what was refused`() throws {
    let endpoint = try Endpoint(answering: [400, 200])
    let place = try Workplace()
    let command = #"exec todostream report --post "$1""#
    let refused = try place.start(command, [endpoint.url]).outcome()
    #expect(refused.status == 1)
    #expect(
      refused.output.suffix(2) == [
        "Posted 0 batches to \(endpoint.url)",
        "  1 batch will not be sent again: it can't read the batch (400); ask for the form it expects at that address",
      ]
    )
    let posted = try place.start(command, [endpoint.url]).outcome()
    #expect(posted.status == 0)
    #expect(posted.output.last == "Posted 1 batch to \(endpoint.url)")
    #expect(endpoint.requests.count == 2)
  }
}
