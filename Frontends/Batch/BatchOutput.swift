import Platform
import EventCommands
package import EventMVVM
import Foundation
import JSONText

/// Where results and errors go: results to standard output, everything else to standard error.
package struct BatchOutput: Sendable {
  private let options: BatchOptions

  /// Prints as the options say.
  package init(_ options: BatchOptions) {
    self.options = options
  }

  // MARK: Results

  /// Prints a result; that nobody reads any more is no failure.
  ///
  /// - Parameters:
  ///   - bytes: The result.
  ///   - isConfirmation: Whether it only confirms what was stored: then a standard output that was
  ///     closed when the process began is told, once, and no failure either.
  /// - Returns: False if it can't be written for another reason, which is then reported.
  package func print(_ bytes: [UInt8], isConfirmation: Bool = false) -> Bool {
    guard let code = writeAll(bytes, to: options.results), code != EPIPE else { return true }
    let isClosed = code == EBADF
    let isKnown =
      isClosed
      && Self.hasToldOfClosedOutput.withLock { hasTold in
        defer { hasTold = true }
        return hasTold
      }
    if !isKnown {
      let cause = isClosed ? "standard output is closed" : String(cString: strerror(code))
      report(Failure(.store, "What was done is kept, but the results can't be written: \(cause)"))
    }
    return isClosed && isConfirmation
  }

  private static let hasToldOfClosedOutput = Locked(false)

  // MARK: Errors

  /// Reports a failure that stands nowhere in a script.
  package func report(_ failure: Failure) {
    options.isJSON
      ? warn(json(failure, nil)) : warn("error: \(escapedForTerminal(failure.message))")
  }

  /// Reports something that is wrong with a script.
  func report(_ problem: Problem) {
    options.isJSON
      ? warn(json(problem.failure, problem.diagnostic)) : warn(problem.diagnostic.rendered())
  }

  /// Begins to report what is wrong with a script; a program is told everything.
  func problems(all: Bool) -> ProblemReport {
    ProblemReport(self, all: all || options.isJSON)
  }

  /// Says that there is more wrong than was reported.
  func noteMore(_ count: Int) {
    warn("… and \(count) more error\(count == 1 ? "" : "s")")
  }

  /// Says something that is no result.
  func note(_ text: String) {
    if !options.isJSON && !options.isQuiet { warn(text) }
  }

  /// Prints something that concerns no command.
  package func remark(_ text: String) {
    guard options.isJSON else { return warn(escapedForTerminal(text)) }
    var json = JSONWriter()
    json.object { json in
      json.key("notice")
      json.object { $0.member("message", text) }
    }
    warn(String(decoding: json.bytes, as: UTF8.self))
  }

  /// Prints what is wrong apart from a command.
  func notice(_ failure: Failure, _ level: TroubleLevel) {
    remark(options.isJSON ? failure.message : "\(level.rawValue): \(failure.message)")
  }

  private func warn(_ text: String) {
    _ = writeAll(Array((text + "\n").utf8), to: options.messages)
  }

  private func json(_ failure: Failure, _ diagnostic: Diagnostic?) -> String {
    var json = JSONWriter()
    json.object { json in
      json.key("error")
      json.object { json in
        failure.write(to: &json)
        guard let diagnostic else { return }
        json.member("file", diagnostic.sourceName)
        json.member("line", diagnostic.position.line)
        json.member("column", diagnostic.position.column)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension Failure {
  /// The exit status of a process that ends with this failure.
  package var exitStatus: ExitStatus {
    switch kind {
    case .usage: .usage
    case .store: .store
    default: .failed
    }
  }
}
