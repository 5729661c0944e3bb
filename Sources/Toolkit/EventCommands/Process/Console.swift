public import EventMVVM
import EventValues
import JSONText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a process prints, and how: results to standard output, everything else to standard error.
///
/// ```swift
/// let console = Console { bytes, _ in
///   written.withLock { $0 += bytes }
///   return nil
/// }
/// #expect(console.print(Array("done\n".utf8)))
/// ```
public struct Console: Sendable {
  /// Whether results and errors are JSON.
  public var isJSON = false
  /// Whether results have colour.
  public var hasColor = false
  /// The columns of a line of text; nil if lines may have any length.
  public var width: Int?
  /// Whether confirmations are left out.
  public var isQuiet = false
  /// Whether the questions of commands are answered with yes.
  public var saysYes = false
  /// Whether there is a person to ask.
  public var canAsk = false
  /// Whether messages go to a terminal, on which a long script shows its progress.
  public var showsProgress = false
  /// The descriptor that results are written to.
  package var results: Int32 = 1
  /// The descriptor that everything else is written to.
  package var messages: Int32 = 2
  private let write: @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> Int32?

  /// Creates a console for text without colour, and without a person to ask.
  ///
  /// - Parameter write: Writes bytes to a descriptor and returns the number of the error (`errno`)
  ///   that ended it; nil once everything is written.
  public init(write: @escaping @Sendable (_ bytes: [UInt8], _ descriptor: Int32) -> Int32?) {
    self.write = write
  }

  /// How results are shown.
  package var rendering: Rendering {
    var rendering = Rendering()
    rendering.isJSON = isJSON
    rendering.hasColor = hasColor
    rendering.isQuiet = isQuiet
    rendering.width = width
    rendering.saysDates = true
    return rendering
  }

  // MARK: Results

  /// Prints a result; a reader that has gone is no failure.
  ///
  /// - Parameters:
  ///   - bytes: The result.
  ///   - isConfirmation: Whether it only confirms a stored change: then a standard output that was
  ///     closed when the process began is reported, once, and no failure either.
  /// - Returns: False if it can't be written for another reason, which is then reported.
  public func print(_ bytes: [UInt8], isConfirmation: Bool = false) -> Bool {
    guard let code = write(bytes, results), code != EPIPE else { return true }
    let isClosed = code == EBADF
    let isKnown =
      isClosed
      && Self.hasReportedClosedOutput.withLock { hasReported in
        defer { hasReported = true }
        return hasReported
      }
    if !isKnown {
      let cause = isClosed ? "standard output is closed" : String(cString: strerror(code))
      report(Failure(.store, "What was done is kept, but the results can't be written: \(cause)"))
    }
    return isClosed && isConfirmation
  }

  /// Writes a part of what goes on; returns the exit status once the pipe is closed, or it can't be written.
  package func printOn(_ bytes: [UInt8]) -> ExitStatus? {
    guard let code = write(bytes, results) else { return nil }
    if code == EPIPE { return .success }
    report(Failure(.store, "The lines can't be written: \(String(cString: strerror(code)))"))
    return .failed
  }

  private static let hasReportedClosedOutput = Locked(false)

  // MARK: Messages

  /// Reports a failure without a position in a script.
  public func report(_ failure: Failure) {
    isJSON ? warn(json(failure, nil)) : warn("error: \(escapedForTerminal(failure.message))")
  }

  /// Reports a problem of a script.
  package func report(_ problem: Problem) {
    isJSON ? warn(json(problem.failure, problem.diagnostic)) : warn(problem.diagnostic.rendered())
  }

  /// Prints a message to a person that is no result.
  package func note(_ text: String) {
    if !isJSON && !isQuiet { warn(text) }
  }

  /// Prints a message that concerns no command.
  public func remark(_ text: String) {
    guard isJSON else { return warn(escapedForTerminal(text)) }
    var json = JSONWriter()
    json.object { json in
      json.key("notice")
      json.object { $0.member("message", text) }
    }
    warn(String(decoding: json.bytes, as: UTF8.self))
  }

  /// Prints a line to standard error unchanged.
  package func warn(_ text: String) {
    prompt(text + "\n")
  }

  /// Prints text to standard error unchanged, without an end of line.
  package func prompt(_ text: String) {
    _ = write(Array(text.utf8), messages)
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
  public var exitStatus: ExitStatus {
    switch kind {
    case .usage: .usage
    case .store: .store
    default: .failed
    }
  }
}
