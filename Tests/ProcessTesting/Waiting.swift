import Foundation

/// Waits until something is so that no descriptor tells of: a process that is not our child has ended, or a
/// file that somebody else writes has grown.
///
/// It looks a hundred times a second, and gives up after twenty seconds; the test then finds what is wrong.
package func waitUntil(_ isSo: () throws -> Bool) rethrows {
  let limit = ContinuousClock.now.advanced(by: .seconds(20))
  while try !isSo(), ContinuousClock.now < limit { usleep(10_000) }
}

/// Waits until something is so that another thread brings about and nobody tells of, and leaves the thread to others
/// meanwhile; gives up after twenty seconds, or as many looks, where others keep the processor, and the test then finds
/// what is wrong.
package func eventually(_ isSo: () -> Bool) async {
  for _ in 0..<4000 where !isSo() { try? await Task.sleep(for: .milliseconds(5)) }
}
