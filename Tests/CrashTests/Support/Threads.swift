import Foundation
import Synchronization

/// Does pieces of work side by side, as many at once as there are processors.
///
/// On threads of its own: they wait for processes, and would keep other tests from running.
///
/// - Returns: What each of them gave, in order.
/// - Throws: The first error, once all have ended.
func sideBySide<Value: Sendable>(
  _ count: Int,
  _ work: @escaping @Sendable (Int) throws -> Value
) async throws -> [Value] {
  let queue = Queue<Value>(count)
  await withTaskGroup { group in
    for _ in 0..<min(count, ProcessInfo.processInfo.activeProcessorCount) {
      group.addTask {
        await onThread {
          while let index = queue.next() { queue.end(index, Result { try work(index) }) }
        }
      }
    }
  }
  return try queue.results()
}

/// Pieces of work that are still to do, and what came of the others.
private final class Queue<Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var results: [Result<Value, any Error>?]
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(results: Array(repeating: nil, count: count))) }

  func next() -> Int? {
    state.withLock { state in
      guard state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func end(_ index: Int, _ result: Result<Value, any Error>) {
    state.withLock { $0.results[index] = result }
  }

  func results() throws -> [Value] {
    try state.withLock { state in try state.results.compactMap { try $0?.get() } }
  }
}

/// Does it on a new thread.
private func onThread(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    let thread = Thread {
      work()
      continuation.resume()
    }
    thread.start()
  }
}
