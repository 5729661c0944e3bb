import Dispatch
import EventMVVMTesting
import Foundation

/// A started process, with its output and outcome.
///
/// Used by one thread. The process is killed if the job is released before its end.
public final class Job {
  /// The outcome of a process.
  public struct Outcome: Equatable, Sendable {
    /// The lines of its standard output.
    public var output: [String]
    /// The lines of its standard error.
    public var errors: [String]
    /// Its exit status, or 128 and the number of the signal that ended it.
    public var status: Int32

    /// Creates an outcome to compare with.
    public init(output: [String] = [], errors: [String] = [], status: Int32 = 0) {
      self.output = output
      self.errors = errors
      self.status = status
    }
  }

  /// The seconds after which a program is killed, so that the test run can end: the time limit of a
  /// test.
  ///
  /// Fewer are not enough. A suspended test continues after all tests that were queued before it,
  /// and its program waits for it meanwhile.
  private static let patience = 600.0 * Double(Patience.factor)

  private let process: pid_t
  private let files: [URL]
  private let watchdog: DispatchWorkItem
  private var status: Int32?

  init(_ spawning: Spawning, _ files: [URL]) throws {
    let process = try spawning.start()
    self.process = process
    self.files = files
    watchdog = DispatchWorkItem { kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience, execute: watchdog)
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    _ = try? wait()
  }

  /// The number of its process.
  public var number: Int { Int(process) }

  /// Sends a signal to the process.
  public func send(_ signal: Int32) {
    if status == nil { kill(process, signal) }
  }

  /// Whether it has not ended; a stopped process has not.
  public var isRunning: Bool {
    guard status == nil else { return false }
    var info = siginfo_t()
    #if canImport(Darwin)
      let ended = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      return !(ended && info.si_pid == process)
    #else
      let ended = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
      return !(ended && info.si_signo == SIGCHLD)
    #endif
  }

  /// Returns its standard output so far.
  public func printed() throws -> String {
    String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
  }

  /// Waits until a condition holds for its standard output.
  ///
  /// - Parameters:
  ///   - wanted: The condition, as the end of "waited until …".
  ///   - isSo: The condition, of all its output so far.
  /// - Throws: A ``/EventMVVMTesting/WaitedInVain`` with the output.
  public func wait(until wanted: String, _ isSo: (String) -> Bool) throws {
    try waitUntil(wanted, showing: { (try? shown()) ?? "" }) { isSo(try printed()) }
  }

  /// Waits until it has printed a text.
  public func wait(untilPrinted text: String) throws {
    try wait(until: "'\(text)' is printed") { $0.contains(text) }
  }

  /// Returns the output on both of its streams.
  private func shown() throws -> String {
    let errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
    return try printed() + (errors.isEmpty ? "" : "and on standard error:\n" + errors)
  }

  /// Waits for its end, and returns the outcome.
  public func outcome() throws -> Outcome {
    let status = try wait()
    return Outcome(
      output: try Self.lines(files[1]),
      errors: try Self.lines(files[2]),
      status: status
    )
  }

  private func wait() throws -> Int32 {
    if let status { return status }
    defer { watchdog.cancel() }
    var word: Int32 = 0
    while waitpid(process, &word, 0) < 0 {
      guard errno == EINTR else { throw Spawning.Failed(program: "waitpid", code: errno) }
    }
    let signal = word & 0x7F
    let status = signal == 0 ? (word >> 8) & 0xFF : 128 + signal
    self.status = status
    return status
  }

  /// A last line without a newline is followed by a line that states this.
  private static func lines(_ file: URL) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var lines = text.physicalLines.map(String.init)
    if lines.last == "" { lines.removeLast() } else { lines.append("(no newline at the end)") }
    return lines
  }
}

extension String {
  /// The parts between newlines; a carriage return is part of its line.
  public var physicalLines: [Substring] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
  }
}
