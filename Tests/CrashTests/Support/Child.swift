import Foundation
import ProcessTesting

/// A process that has been started.
final class Child {
  /// How it ended.
  enum Ending: Equatable {
    case exited(Int32)
    case killed(Int32)
  }

  let id: pid_t

  /// Starts a program, which is looked for on the path; its descriptors 0, 1 and 2 are copies of
  /// those that are given.
  init(_ words: [String], environment: [String: String], descriptors: [Int32]) throws {
    let streams = descriptors.map { Spawning.Stream.descriptor($0) }
    id = try Spawning(["/usr/bin/env"] + words, environment: environment, streams: streams).start()
  }

  func kill() { Foundation.kill(id, SIGKILL) }

  /// Waits for its end; one that never comes is brought about after a minute.
  func wait() -> Ending {
    let id = id
    let watchdog = DispatchWorkItem { Foundation.kill(id, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    defer { watchdog.cancel() }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }
}
