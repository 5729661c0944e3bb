import Foundation

/// Waits until something is so that no descriptor tells of: a process that is not our child has ended, or a
/// file that somebody else writes has grown.
///
/// It looks a hundred times a second, and gives up after a minute; the test then finds what is wrong.
package func waitUntil(_ isSo: () throws -> Bool) rethrows {
  let limit = ContinuousClock.now.advanced(by: .seconds(60))
  while try !isSo(), ContinuousClock.now < limit { usleep(10_000) }
}

/// Waits until something is so that another thread brings about and nobody tells of, and leaves the thread to others
/// meanwhile; gives up after a minute, or as many looks, where others keep the processor, and the test then finds
/// what is wrong.
package func eventually(_ isSo: () -> Bool) async {
  for _ in 0..<12_000 where !isSo() { try? await Task.sleep(for: .milliseconds(5)) }
}
