import Dispatch
import EventMVVMTesting
import Foundation

/// A process that was started, and what comes of it.
///
/// Used by one thread. A job that is let go of before its end is killed.
public final class Job {
  /// What came of a process.
  public struct Outcome: Equatable, Sendable {
    /// The lines of its standard output.
    public var output: [String]
    /// The lines of its standard error.
    public var errors: [String]
    /// Its exit status, or 128 and the number of the signal that ended it.
    public var status: Int32

    /// An outcome to compare with.
    public init(output: [String] = [], errors: [String] = [], status: Int32 = 0) {
      self.output = output
      self.errors = errors
      self.status = status
    }
  }

  /// After how many seconds a program that never ends is killed, so that the test run can end: as
  /// many as a test may take.
  ///
  /// Fewer are too few. A test that is suspended goes on once all tests that were queued before it
  /// have run, and its program waits for it meanwhile.
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

  /// Sends it a signal.
  public func send(_ signal: Int32) {
    if status == nil { kill(process, signal) }
  }

  /// Whether it has not ended yet; a stopped one has not.
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

  /// What it has printed on standard output so far.
  public func printed() throws -> String {
    String(decoding: try Data(contentsOf: files[1]), as: UTF8.self)
  }

  /// Waits until what it has printed on standard output is as wanted.
  ///
  /// - Parameters:
  ///   - wanted: What is waited for, as the end of "waited until …".
  ///   - isSo: Whether all that it has printed is so.
  /// - Throws: A ``/EventMVVMTesting/WaitedInVain`` with what it has printed.
  public func wait(until wanted: String, _ isSo: (String) -> Bool) throws {
    try waitUntil(wanted, showing: { (try? shown()) ?? "" }) { isSo(try printed()) }
  }

  /// Waits until it has printed a text.
  public func wait(untilPrinted text: String) throws {
    try wait(until: "'\(text)' is printed") { $0.contains(text) }
  }

  /// What it has printed on both of its streams.
  private func shown() throws -> String {
    let errors = String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
    return try printed() + (errors.isEmpty ? "" : "and on standard error:\n" + errors)
  }

  /// Waits for its end.
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

  /// A last line without an end is followed by one that says so.
  private static func lines(_ file: URL) throws -> [String] {
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var lines = text.physicalLines.map(String.init)
    if lines.last == "" { lines.removeLast() } else { lines.append("(no newline at the end)") }
    return lines
  }
}

extension String {
  /// What stands between newlines; a carriage return is part of its line.
  public var physicalLines: [Substring] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Substring.init)
  }
}
