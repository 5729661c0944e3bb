import CEditLine
import Platform
import EventMVVM
import Foundation

/// The screen of a ``LineEditor``, for any thread.
///
/// No method waits for the person, but printing may wait for the terminal.
package final class LineScreen: Sendable {
  /// The pending tasks of the reading thread.
  struct PendingTasks {
    var announcements: [[UInt8]] = []
    var prompt: StyledText?
    var rightPrompt: StyledText?
    var status: StyledText?
    var closures: [@Sendable (LineEditor) -> Void] = []
    var isStopped = false
  }

  private struct State {
    var pending = PendingTasks()
    /// Whether announcements wait for the thread that reads, which alone has the state of the
    /// screen.
    var isPainted = false
    /// Whether the prompt of the current entry can be changed.
    var followsPrompt = false
    /// Whether that thread has been woken, and has not checked its tasks yet.
    var isWoken = false
  }

  private let state = Locked(State())

  /// Prints whole lines: above the prompt while an entry is being typed, else at once.
  ///
  /// In the order of the calls. The bytes go to the terminal unchanged: text of users in them
  /// has been escaped by the caller, as ``Page`` does.
  package func announce(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    // The lock is held while printing: that preserves the order.
    state.withLock { state in
      guard state.isPainted else { return Self.write(bytes) }
      state.pending.announcements.append(bytes)
      Self.wake(&state)
    }
  }

  /// Changes the prompt of the entry that is being read; does nothing where there is none, or where
  /// its prompt is a question.
  package func setPrompt(_ prompt: StyledText) {
    state.withLock { state in
      guard state.followsPrompt else { return }
      state.pending.prompt = prompt
      Self.wake(&state)
    }
  }

  /// Changes the text at the right of the first line of this entry and later ones.
  ///
  /// It is omitted while there is no room.
  package func setRightPrompt(_ prompt: StyledText) {
    send { $0.rightPrompt = prompt }
  }

  /// Shows a line while the editor waits (``LineEditor/wait(until:)``), in place of the previous
  /// one.
  ///
  /// It may be set before, is shown after a tenth of a second of waiting, is erased at the end, and
  /// an empty one is none.
  package func setStatus(_ status: StyledText) {
    send { $0.status = status }
  }

  /// Makes the thread that reads or waits run a closure soon.
  ///
  /// If it neither reads nor waits, it runs the closure when it begins to. The closure must not
  /// read.
  package func wake(_ body: @escaping @Sendable (LineEditor) -> Void = { _ in }) {
    send { $0.closures.append(body) }
  }

  /// Ends the entry that is being read as the end of input would, and every later one.
  package func stop() {
    send { $0.isStopped = true }
  }

  private func send(_ change: (inout PendingTasks) -> Void) {
    state.withLock { state in
      change(&state.pending)
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    if !state.isWoken { ce_wake() }
    state.isWoken = true
  }

  // MARK: By the thread that reads

  /// Removes and returns the pending tasks.
  func takePending() -> PendingTasks {
    state.withLock { state in
      defer {
        let isStopped = state.pending.isStopped
        state.pending = PendingTasks()
        state.pending.isStopped = isStopped
        state.isWoken = false
      }
      return state.pending
    }
  }

  /// Drops a prompt that was meant for an earlier entry, and accepts prompts from now on, or none.
  func takePrompts(_ followsPrompt: Bool) {
    state.withLock { state in
      state.pending.prompt = nil
      state.followsPrompt = followsPrompt
    }
  }

  /// Paints bytes; from now on announcements wait.
  func paint(_ bytes: [UInt8]) {
    state.withLock { state in
      state.isPainted = true
      Self.write(bytes)
    }
  }

  /// Holds announcements back while another program has the terminal.
  func hold() {
    state.withLock { $0.isPainted = true }
  }

  /// Paints for the last time, and prints what waits; from now on everything is printed at once.
  func leave(_ bytes: [UInt8] = []) {
    state.withLock { state in
      state.isPainted = false
      Self.write(bytes + state.pending.announcements.joined())
      state.pending.announcements = []
    }
  }

  private static func write(_ bytes: [UInt8]) {
    // A terminal that has gone is noticed by the thread that reads from it.
    _ = writeAll(bytes, to: 1)
  }
}
