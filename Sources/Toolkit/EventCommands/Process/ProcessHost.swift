public import EventMVVM
import EventValues

/// The services of a process for a verb that runs in it, and for its main frontend.
///
/// ```swift
/// try host.run(.job(.writes)) { EchoFrontend($0.catalogue, arguments.lines) }
/// ```
public protocol ProcessHost {
  /// The name of the program.
  var program: String { get }
  /// Where the process prints.
  var console: Console { get }
  /// Returns a session without running it.
  ///
  /// - Parameter kind: The kind of the session.
  /// - Returns: The session.
  /// - Throws: Why there is no location for its store.
  func session(_ kind: ProcessSession.Kind) throws(Failure) -> ProcessSession
  /// Assembles the program, and runs a session of it to its end; once in a process.
  ///
  /// - Parameters:
  ///   - kind: The kind of the session.
  ///   - frontend: Creates the main frontend of the process; called once, on the main thread, when
  ///     everything has joined.
  /// - Returns: The exit status of the frontend.
  /// - Throws: Why the session can't run; an ``EventMVVM/Failure`` is reported unchanged.
  func run(
    _ kind: ProcessSession.Kind,
    _ frontend: (ProcessSession) throws -> any Frontend
  ) throws -> ExitStatus
  /// Assembles the program for words that are being typed, with the store and the plugins that they
  /// name, and runs a frontend that only requests completions. No plugin and no other frontend
  /// begins work.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name without the incomplete one.
  ///   - frontend: Creates the frontend.
  /// - Returns: The exit status of the frontend; success where the program can't be assembled.
  func complete(
    after words: [Word],
    _ frontend: (ProcessSession) -> any Frontend
  ) -> ExitStatus
  /// Assembles the program again, without the user's files, and runs a body with it.
  ///
  /// - Parameters:
  ///   - setup: The assembly.
  ///   - body: Feeds the stream; called once, on its home thread.
  /// - Returns: What the body returns.
  /// - Throws: Why it can't be assembled, and what the body throws.
  func replay(
    _ setup: ReplaySetup,
    _ body: (ReplaySession) throws -> ExitStatus
  ) throws -> ExitStatus
}

extension ProcessHost {
  /// Whether results are to be JSON, one value a line.
  public var isJSON: Bool { console.isJSON }

  /// Prints lines to standard output, with control characters made visible.
  ///
  /// - Returns: False if they can't be written, which is then reported; a reader that has
  ///   gone is no failure.
  public func print(_ lines: String) -> Bool {
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false)
    return console.print(Array(lines.map { escapedForTerminal($0) + "\n" }.joined().utf8))
  }
}
