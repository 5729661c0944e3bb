import EventMVVM
import Foundation
public import Testing

/// Ends a test run in which a test hangs, and names the test.
///
/// ```swift
/// @Suite(.hangLimit) struct GreeterTests {
///   @Test func `it keeps the plugin laws`() {
///     PluginLaws.check(sending: [RequestGreeting(name: "Ann")]) { Greeter() }
///   }
/// }
/// ```
///
/// A time limit of Swift Testing's own cancels a task, which wakes no blocked thread. On few cores
/// all threads may be blocked: then the run never ends, and its output does not name the test.
/// Here a separate thread checks the clock. A test that has run for longer than the limit is
/// recorded as an issue, with its name and location, and the process ends, with the stacks of all
/// threads where the runtime can show them (`SWIFT_BACKTRACE`).
///
/// The time counts from the first line of the test's body, and from the last moment at which any
/// test of the process began or ended: a test that waits for its turn behind a thousand others
/// hangs no run.
public struct HangLimit: SuiteTrait, TestTrait, TestScoping {
  private let limit: Duration
  /// True: it applies to all tests of a suite.
  public let isRecursive = true

  init(_ limit: Duration) {
    self.limit = limit
  }

  /// Runs a test under the limit.
  public func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // A suite as a whole may take as long as its tests do.
    guard testCase != nil else { return try await function() }
    let number = HangWatch.shared.begin(test, limit)
    defer { HangWatch.shared.end(number) }
    try await function()
  }
}

extension Trait where Self == HangLimit {
  /// No test of the suite may run for longer than ten minutes, or `$EVENTMVVM_PATIENCE` times that.
  public static var hangLimit: HangLimit { .hangLimit(.seconds(600)) }

  /// No test of the suite may run for longer than a limit, or `$EVENTMVVM_PATIENCE` times that.
  public static func hangLimit(_ limit: Duration) -> HangLimit {
    HangLimit(limit * Patience.factor)
  }
}

/// Checks each second whether a test has run for too long.
private final class HangWatch: Sendable {
  static let shared = HangWatch()

  private struct Running {
    let test: Test
    let limit: Duration
    let began: ContinuousClock.Instant
  }

  private struct State {
    var running: [Int: Running] = [:]
    var last = 0
    var isWatching = false
    /// When a test last began or ended.
    var moved = ContinuousClock.now
  }

  private let state = Locked(State())

  func begin(_ test: Test, _ limit: Duration) -> Int {
    let (number, isFirst) = state.withLock { state in
      state.last += 1
      state.moved = .now
      state.running[state.last] = Running(test: test, limit: limit, began: .now)
      defer { state.isWatching = true }
      return (state.last, !state.isWatching)
    }
    if isFirst { Thread.detachNewThread { [self] in watch() } }
    return number
  }

  func end(_ number: Int) {
    state.withLock { state in
      state.running[number] = nil
      state.moved = .now
    }
  }

  private func watch() {
    while true {
      Thread.sleep(forTimeInterval: 1)
      let now = ContinuousClock.now
      let hanging = state.withLock { state in
        state.running.values.filter { now - max($0.began, state.moved) > $0.limit }.map(\.test)
      }
      if !hanging.isEmpty { stop(hanging) }
    }
  }

  private func stop(_ hanging: [Test]) -> Never {
    for test in hanging {
      Issue.record(
        "\(test.displayName ?? test.name) hangs: it has not ended within its limit",
        sourceLocation: test.sourceLocation
      )
    }
    // The events of the run are written by now. The signal shows the stacks of the threads.
    abort()
  }
}
