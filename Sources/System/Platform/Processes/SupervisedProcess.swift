import CSupervisor
package import EventMVVM
import Foundation
import Seams

/// A program that was started with pipes, under a supervisor that ends it with this process.
///
/// It has no other descriptors, no signal blocked or ignored, and a session of its own, which no
/// key of a terminal reaches.
package final class SupervisedProcess: Sendable {
  /// How a program ended.
  package enum Ending: Sendable, Equatable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case killed(Int32)
    /// It never began, with the error number of the system.
    case notStarted(Int32)
  }

  private struct State {
    var ending: Ending?
    var isOver = false
    var line: Int32
  }

  /// Its standard input, for writing; the caller closes it, like the others.
  package let input: Int32
  /// Its standard output, for reading.
  package let output: Int32
  /// Its standard error, for reading.
  package let errors: Int32
  /// Its configuration, for writing, which it reads at descriptor 3; nil if it has none.
  package let configuration: Int32?
  private let supervisor: pid_t
  private let state: Locked<State>
  private let isOver = DispatchGroup()

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - words: Its arguments, without its name.
  ///   - variables: Its environment.
  ///   - folder: Its working folder.
  ///   - isConfigured: Whether it has a fourth descriptor, to read its configuration from.
  /// - Throws: A failure if the system has no pipe or process left.
  package init(
    _ path: String,
    _ words: [String] = [],
    environment variables: [String],
    in folder: String,
    isConfigured: Bool = false
  ) throws(Failure) {
    var pipes: [(reading: Int32, writing: Int32)] = []
    for _ in 0..<(isConfigured ? 4 : 3) {
      guard let pipe = Self.pipe() else {
        let code = errno
        for pipe in pipes { Self.close(pipe.reading, pipe.writing) }
        throw Self.failure(code)
      }
      pipes.append(pipe)
    }
    var line: Int32 = -1
    var streams = [pipes[0].reading, pipes[1].writing, pipes[2].writing]
    if isConfigured { streams.append(pipes[3].reading) }
    let supervisor = Self.withCStrings([path] + words) { arguments in
      Self.withCStrings(variables) { variables in
        path.withCString { path in
          folder.withCString { folder in
            var program = cs_program(
              path: path,
              arguments: arguments,
              environment: variables,
              folder: folder
            )
            Seam.pass(.process)
            return cs_start(&program, streams, Int32(streams.count), &line)
          }
        }
      }
    }
    let code = errno
    for stream in streams { Foundation.close(stream) }
    guard supervisor > 0 else {
      Self.close(pipes[0].writing, pipes[1].reading, pipes[2].reading)
      if isConfigured { Self.close(pipes[3].writing) }
      throw Self.failure(code)
    }
    input = pipes[0].writing
    output = pipes[1].reading
    errors = pipes[2].reading
    configuration = isConfigured ? pipes[3].writing : nil
    self.supervisor = supervisor
    state = Locked(State(line: line))
    isOver.enter()
    guard !startThread({ [self, line] in listen(line) }) else { return }
    tell(CS_KILL)
    listen(line)
    Self.close(input, output, errors)
    if let configuration { Self.close(configuration) }
    throw .noThread
  }

  // MARK: Ending

  /// Requests the end of it and all that it has started; kills the rest after half a second.
  package func terminate() { tell(CS_TERMINATE) }

  /// Kills it and all that it has started.
  package func kill() { tell(CS_KILL) }

  /// Waits until no process of it is left.
  ///
  /// - Returns: How it ended; nil if it has not ended yet.
  @discardableResult
  package func wait(seconds: Double) -> Ending? {
    guard isOver.wait(timeout: .now() + seconds) == .success else { return nil }
    return state.withLock { $0.ending } ?? .killed(SIGKILL)
  }

  private func tell(_ word: cs_word) {
    state.withLock { state in
      guard !state.isOver else { return }
      var byte = UInt8(truncatingIfNeeded: word.rawValue)
      _ = send(state.line, &byte, 1, Self.sendFlags)
    }
  }

  /// Receives the supervisor's reports, and reaps it.
  private func listen(_ line: Int32) {
    Seam.pass(.process)
    var report = cs_report()
    while true {
      let count = read(line, &report, MemoryLayout<cs_report>.size)
      if count < 0, errno == EINTR { continue }
      guard count == MemoryLayout<cs_report>.size else { break }
      let ending = Self.ending(report)
      state.withLock { if $0.ending == nil { $0.ending = ending } }
    }
    var status: Int32 = 0
    while waitpid(supervisor, &status, 0) < 0, errno == EINTR {}
    state.withLock { state in
      state.isOver = true
      Foundation.close(line)
    }
    isOver.leave()
  }

  private static func ending(_ report: cs_report) -> Ending {
    if report.kind == Int32(CS_NOT_STARTED.rawValue) { return .notStarted(report.value) }
    let signal = report.value & 0x7F
    return signal == 0 ? .exited((report.value >> 8) & 0xFF) : .killed(signal)
  }

  // MARK: Conversion to C

  #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
  #else
    private static let sendFlags = Int32(truncatingIfNeeded: Int(MSG_NOSIGNAL))
  #endif

  private static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard cs_pipe(&ends) == 0 else { return nil }
    return (ends[0], ends[1])
  }

  private static func close(_ descriptors: Int32...) {
    for descriptor in descriptors { Foundation.close(descriptor) }
  }

  private static func failure(_ code: Int32) -> Failure {
    Failure(.store, "no process could be started: \(SystemProblem(code).text)")
  }

  /// Calls `body` with texts as a C array: pointers, and nil after the last.
  private static func withCStrings<T>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> T
  ) -> T {
    let pointers = texts.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
