#if os(Linux)
  @testable import EventMVVMTesting
  import Foundation
  import ProcessTesting
  import Testing

  /// What becomes of tests that hang: they are run by themselves, in a process of their own.
  @Suite(.hangLimit) struct HangLimitTests {
    @Test(arguments: ["a thread that blocks", "a task that nobody resumes"])
    func `a test that hangs is named within its limit, and ends the run`(_ name: String) throws {
      let place = try Workplace()
      let began = ContinuousClock.now
      let job = try place.start(
        #"exec "$1" --testing-library swift-testing --filter "HangingTests/.*$2""#,
        [CommandLine.arguments[0], name],
        variables: ["HANG": "1", "SWIFT_BACKTRACE": "enable=no"]
      )
      let outcome = try job.outcome()
      #expect(outcome.status == 128 + SIGABRT)
      let said = (outcome.output + outcome.errors).joined(separator: "\n")
      #expect(said.contains("\(name) hangs: it has not ended within its limit"), "\(said)")
      #expect(ContinuousClock.now - began < Patience.usual)
    }

    @Test func `what is waited for in vain is named, with what had come instead`() throws {
      let come = Arrivals<String>()
      come.add("one")
      come.add("two")
      let problem = WaitedInVain(wanted: "the third has come", limit: .zero, seen: "one\ntwo")
      #expect(throws: problem) {
        try waitUntil("the third has come", within: .zero, showing: { "one\ntwo" }) {
          come.all.count == 3
        }
      }
      #expect(
        "\(problem)"
          == "waited 0.0 seconds until the third has come, in vain; what had come:\none\ntwo"
      )
    }
  }

  /// Run by the test above alone.
  @Suite(
    .hangLimit(.milliseconds(100)),
    .enabled(if: ProcessInfo.processInfo.environment["HANG"] != nil)
  )
  struct HangingTests {
    @Test func `a thread that blocks`() {
      while true { pause() }
    }

    @Test func `a task that nobody resumes`() async {
      let (never, opening) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      opening.finish()
    }
  }
#endif
