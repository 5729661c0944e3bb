public import EventMVVM

/// A user interface of the application: it turns what people or programs write into requests, and
/// replies into what they read.
///
/// It depends on the catalogue of commands that it was given, and on no domain; it sends and
/// observes through a port.
///
/// ```swift
/// let frontend = ResultsFrontend(
///   catalogue: catalogue,
///   words: words.enumerated().map { Word(text: $1, offset: $0, isBare: true) },
///   write: { bytes in output.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
/// )
/// let status = frontend.run(context.port(named: frontend.name))
/// ```
public protocol Frontend {
  /// The name of its sessions, as origins show it.
  var name: String { get }
  /// Runs one session to its end.
  ///
  /// - Parameter port: The session's own port.
  /// - Returns: The process's exit status.
  func run(_ port: ViewPort) -> ExitStatus
}

/// How a process ends.
///
/// ```swift
/// case .printed(let printout):
///   if !printout.bytes.isEmpty { write(printout.bytes) }
///   return printout.exitStatus
/// ```
public struct ExitStatus: Sendable, Hashable {
  /// The number that the shell sees.
  public let code: Int32

  /// Wraps a number.
  public init(_ code: Int32) {
    self.code = code
  }

  /// Everything succeeded.
  public static let success = ExitStatus(0)
  /// A command failed.
  public static let failed = ExitStatus(1)
  /// The command line or the script can't be read.
  public static let usage = ExitStatus(2)
  /// Some commands of a script failed, and the others were committed.
  public static let partial = ExitStatus(3)
  /// The store failed.
  public static let store = ExitStatus(4)
}
