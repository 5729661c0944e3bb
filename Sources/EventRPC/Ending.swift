import Foundation
import Synchronization

/// The end of a conversation, which wakes the threads that wait for input.
final class Ending: Sendable {
  private let isSet = Atomic(false)
  private let reading: Int32
  private let writing: Int32

  /// Nil if the process may open no further files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    close(reading)
    close(writing)
  }

  var isOver: Bool { isSet.load(ordering: .acquiring) }

  func end() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var byte: UInt8 = 0
    _ = write(writing, &byte, 1)
  }

  /// Waits until there is input to read.
  ///
  /// - Parameters:
  ///   - input: The descriptor.
  ///   - isWanted: Called every second; false ends the wait.
  /// - Returns: False if the conversation has ended.
  func wait(for input: Int32, _ isWanted: () -> Bool) -> Bool {
    while !isOver {
      var places = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&places, 2, 1000)
      if places[1].revents != 0 { return false }
      if count > 0, places[0].revents != 0 { return true }
      if count == 0, !isWanted() { return false }
    }
    return false
  }

  /// Waits briefly; false if the conversation has ended.
  func sleep() -> Bool {
    var place = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    return poll(&place, 1, 10) == 0
  }
}
