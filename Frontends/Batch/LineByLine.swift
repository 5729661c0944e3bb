import Dispatch
import EventCommands
import EventMVVM
import Foundation
import Platform
import Seams

/// `run --keep-going` from standard input: each line runs when it is complete, and its result is
/// printed before the next is read, so that a program can use the answers.
///
/// All other scripts are read whole before they run, and go through ``ScriptJob`` and `ScriptRun`.
final class LineByLine: Sendable {
  private let reader: ScriptReader
  private let port: ViewPort
  private let console: Console
  private let answered = DispatchSemaphore(value: 0)
  private let failures = Locked(0)
  private let isOver = Locked(false)
  /// How many lines were answers to questions.
  private let answers = Locked(0)
  /// The failure that ended the input.
  private let broken = Locked<Failure?>(nil)

  init(_ reader: ScriptReader, _ port: ViewPort, _ console: Console) {
    self.reader = reader
    self.port = port
    self.console = console
  }

  func run() -> ExitStatus {
    port.begin(.keepGoing) { [self] result, _ in
      switch result {
      case .failure(let failure):
        end(by: failure)
        isOver.withLock { $0 = true }
      case .success(let unit):
        let isStarted = startThread { [self] in
          readLines(unit)
          if let failure = input.withLock({ $0.failure }) { end(by: failure) }
          unit.commit { [self] _, _ in isOver.withLock { $0 = true } }
        }
        guard !isStarted else { return }
        end(by: .noThread)
        unit.commit { [self] _, _ in isOver.withLock { $0 = true } }
      }
    }
    port.run { isOver.withLock { $0 } }
    if let failure = broken.withLock({ $0 }) { return failure.exitStatus }
    return failures.withLock { $0 } > 0 ? .partial : .success
  }

  private func end(by failure: Failure) {
    console.report(failure)
    broken.withLock { $0 = failure }
  }

  /// The most bytes of a line, with its text block: the end of one without a terminator is unknown,
  /// and it must not exhaust the memory.
  private static let longest = 16_777_216

  /// Reads logical lines: an open quote or text continues on the next.
  private func readLines(_ unit: StreamUnit) {
    var logical: [UInt8] = []
    var continuation = Continuation()
    var lineNumber = 1
    var count = 0
    while broken.withLock({ $0 == nil }), let line = readPhysicalLine() {
      logical.append(contentsOf: line)
      guard logical.count <= Self.longest else { return giveUp(logical, lineNumber) }
      continuation.take(line)
      count += 1
      guard !continuation.isOpen else { continue }
      run(logical, lineNumber, unit)
      logical.removeAll(keepingCapacity: true)
      continuation = Continuation()
      lineNumber += count + answers.withLock { $0 }
      answers.withLock { $0 = 0 }
      count = 0
    }
    if !logical.isEmpty { run(logical, lineNumber, unit) }
  }

  /// Runs a complete line, and waits for its end.
  private func run(_ bytes: [UInt8], _ lineNumber: Int, _ unit: StreamUnit) {
    let source = SourceText(name: "<stdin>", bytes: bytes)
    for command in ScriptCommands(of: source, reader) {
      switch command {
      case .failure(let problem): fail(problem, lineNumber)
      case .success(let command):
        commandRun(unit)
          .begin(command.command) { [self] in
            end($0, command, lineNumber)
            answered.signal()
          }
        answered.wait()
      }
    }
  }

  /// A command's run; the person at a terminal answers its question in the next line.
  private func commandRun(_ unit: StreamUnit) -> CommandRun {
    let ask = console.asking { [self] in
      answers.withLock { $0 += 1 }
      return readPhysicalLine().map { String(decoding: $0, as: UTF8.self) }
    }
    return CommandRun(sender: unit, console.rendering, saysYes: console.saysYes, ask: ask)
  }

  private func end(_ ending: CommandRun.Ending, _ command: ScriptCommand, _ lineNumber: Int) {
    switch ending {
    case .failed(let failure):
      fail(command.problem(failure), lineNumber)
      // A store that takes one change no more takes no others.
      if type(of: command.command).writes, failure.kind == .store {
        broken.withLock { $0 = failure }
      }
    case .declined:
      console.note("Nothing was changed.")
      failures.withLock { $0 += 1 }
    case .printed(let printout):
      let isWritten = console.print(printout)
      if !isWritten || printout.exitStatus != .success { failures.withLock { $0 += 1 } }
    }
  }

  /// Stops reading at a line that is too long.
  private func giveUp(_ bytes: [UInt8], _ lineNumber: Int) {
    let failure = Failure(
      .usage,
      "a line has at most \(Self.longest) bytes; what follows was not read"
    )
    let start = SourceText(name: "<stdin>", bytes: Array(bytes.prefix(4096)))
    let diagnostic = Diagnostic(message: failure.message, at: 0, in: start)
    fail(Problem(failure: failure, diagnostic: diagnostic), lineNumber)
    broken.withLock { $0 = failure }
  }

  private func fail(_ problem: Problem, _ lineNumber: Int) {
    failures.withLock { $0 += 1 }
    console.report(problem.movedDown(by: lineNumber - 1))
  }

  // MARK: Standard input

  private struct Input {
    var bytes: [UInt8] = []
    var first = 0
    var isOver = false
    /// Why reading stopped, if that is not the end.
    var failure: Failure?
  }

  private let input = Locked(Input())

  /// Returns the next line with its end, or the beginning of one that is too long; nil at the end
  /// of input.
  private func readPhysicalLine() -> [UInt8]? {
    input.withLock { input in
      var searched = input.first
      while true {
        if let end = input.bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { input.first = end + 1 }
          return Array(input.bytes[input.first...end])
        }
        if input.isOver || input.bytes.count - input.first > Self.longest {
          defer { input.first = input.bytes.count }
          return input.first < input.bytes.count ? Array(input.bytes[input.first...]) : nil
        }
        input.bytes.removeFirst(input.first)
        input.first = 0
        searched = input.bytes.count
        Self.fill(&input)
      }
    }
  }

  private static func fill(_ input: inout Input) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let most = Seam.part(of: buffer.count, at: .read)
    var count = read(0, &buffer, most)
    while count < 0 && errno == EINTR { count = read(0, &buffer, most) }
    if count > 0 {
      input.bytes.append(contentsOf: buffer[..<count])
    } else if count < 0 && errno == EAGAIN {
      var source = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      _ = poll(&source, 1, -1)
    } else {
      let code = errno
      input.isOver = true
      guard count < 0 else { return }
      // A line that was cut is not run.
      input.bytes.removeAll()
      input.first = 0
      let cause = SystemProblem(code).text
      input.failure = Failure(.usage, "<stdin> can't be read: \(cause)")
    }
  }
}

extension Problem {
  /// Returns the problem with its position in the whole input.
  fileprivate func movedDown(by lines: Int) -> Problem {
    let position = diagnostic.position
    return Problem(
      failure: failure,
      diagnostic: Diagnostic(
        message: diagnostic.message,
        sourceName: diagnostic.sourceName,
        position: SourcePosition(line: position.line + lines, column: position.column),
        line: diagnostic.line
      )
    )
  }
}
