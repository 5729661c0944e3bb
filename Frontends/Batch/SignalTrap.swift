import EventCommands
import EventMVVM
import Foundation
import Synchronization

/// Records SIGINT and SIGTERM instead of ending, so that work in progress can be rolled back
/// first.
///
/// A second one of a kind ends the process at once. A signal that the process was started to ignore
/// stays ignored.
struct SignalTrap: ~Copyable {
  private static let caught = Atomic<Int32>(0)

  private var trapped: [Int32] = []

  /// Sets the trap.
  init() {
    Self.caught.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      let before = signal(number) { number in
        SignalTrap.caught.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
      // The default is nil; a process starts with that or with "ignore".
      if before == nil { trapped.append(number) } else { signal(number, before) }
    }
  }

  deinit {
    for number in trapped { signal(number, SIG_DFL) }
  }

  /// The exit status after a signal; nil if there was none.
  var exitStatus: ExitStatus? {
    let number = Self.caught.load(ordering: .relaxed)
    return number == 0 ? nil : ExitStatus(128 + number)
  }
}
