public import EventMVVM

/// What a process offers to a verb that runs in it, and to the frontend that it is started for.
public protocol ProcessHost {
  /// The name of the program.
  var program: String { get }
  /// Where the process prints.
  var console: Console { get }
  /// Describes a session without holding it.
  ///
  /// - Parameter kind: What the session would be.
  /// - Returns: The session.
  /// - Throws: Why there is no place for its store.
  func session(_ kind: ProcessSession.Kind) throws(Failure) -> ProcessSession
  /// Puts the program together, and runs a session of it to its end; once in a process.
  ///
  /// - Parameters:
  ///   - kind: What the session is.
  ///   - frontend: Makes the frontend that the process lives for; called once, on the main thread,
  ///     when everything has joined.
  /// - Returns: The exit status of the frontend.
  /// - Throws: Why the session can't be held; a ``EventMVVM/Failure`` is reported as it is.
  func run(
    _ kind: ProcessSession.Kind,
    _ frontend: (ProcessSession) throws -> any Frontend
  ) throws -> ExitStatus
  /// Puts the program together as words that are being typed say, with the store and the plugins
  /// that they name, and runs a frontend that only asks. No plugin and no frontend begins work
  /// around it.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name that are complete.
  ///   - frontend: Makes the frontend.
  /// - Returns: The exit status of the frontend; success where the program can't be put together.
  func complete(
    after words: [Word],
    _ frontend: (ProcessSession) -> any Frontend
  ) -> ExitStatus
  /// Puts the program together anew, apart from the user's files, and runs a body with it.
  ///
  /// - Parameters:
  ///   - setup: How it is put together.
  ///   - body: Feeds the stream; called once, on its home thread.
  /// - Returns: What the body returns.
  /// - Throws: Why it can't be put together, and what the body throws.
  func replay(
    _ setup: ReplaySetup,
    _ body: (ReplaySession) throws -> ExitStatus
  ) throws -> ExitStatus
}

extension ProcessHost {
  /// Whether results are to be JSON, one value a line.
  public var isJSON: Bool { console.isJSON }

  /// Prints lines to standard output, with what would control a terminal made visible.
  ///
  /// - Returns: False if they can't be written, which is then reported; that nobody reads them any
  ///   more is no failure.
  public func print(_ lines: String) -> Bool {
    let lines = lines.split(separator: "\n", omittingEmptySubsequences: false)
    return console.print(Array(lines.map { escapedForTerminal($0) + "\n" }.joined().utf8))
  }
}
