#if os(Linux)
  import EventMVVMTesting
  public import Foundation

  /// A terminal with a program, and the screen that a person would see.
  ///
  /// Used by one thread. The program is killed when the terminal is released.
  public final class Terminal {
    /// The screen.
    public private(set) var screen: Screen
    /// All output of the program.
    public private(set) var written: [UInt8] = []
    private let master: Int32
    private let path: String
    private var process: pid_t = 0
    private var status: Int32?

    struct NoTerminal: Error, CustomStringConvertible {
      let code: Int32
      var description: String { "no pseudo terminal: \(String(cString: strerror(code)))" }
    }

    /// Creates a terminal of a size.
    public init(columns: Int = 80, rows: Int = 24) throws {
      screen = Screen(columns: columns, height: rows)
      // As posix_openpt, unlockpt and ptsname do, which Swift does not import (pty(7),
      // ioctl_tty(2)).
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      var (lock, number): (Int32, Int32) = (0, 0)
      let (unlocking, numbering): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      guard master >= 0, ioctl(master, unlocking, &lock) == 0,
        ioctl(master, numbering, &number) == 0
      else { throw NoTerminal(code: errno) }
      path = "/dev/pts/\(number)"
      setSize()
    }

    deinit {
      if process > 0, status == nil {
        kill(process, SIGKILL)
        _ = wait()
      }
      close(master)
    }

    /// Starts a program in the terminal, as the leader of a session that the terminal controls.
    public func start(_ arguments: [String], environment: [String: String]) throws {
      process = try Spawning(
        arguments,
        environment: environment,
        streams: Array(repeating: .terminal(path), count: 3)
      )
      .start()
    }

    private func setSize() { claim(columns: screen.columns, rows: screen.height) }

    /// Reports a size that differs from the screen's, like terminals without a known size.
    public func claim(columns: Int, rows: Int) {
      var size = winsize(
        ws_row: UInt16(rows),
        ws_col: UInt16(columns),
        ws_xpixel: 0,
        ws_ypixel: 0
      )
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Changes the size, and notifies the program.
    public func resize(columns: Int, rows: Int) {
      screen.resize(columns: columns, height: rows)
      setSize()
    }

    /// Types a text.
    public func type(_ text: String) { type(bytes: Array(text.utf8)) }

    /// Types bytes, which may be no text.
    public func type(bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        var wait = pollfd(fd: master, events: Int16(POLLIN | POLLOUT), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { return }
        // Writing without reading would block the program, and then this process.
        if wait.revents & Int16(POLLIN) != 0, !readMore() { return }
        guard wait.revents & Int16(POLLHUP | POLLERR) == 0 else { return }
        guard wait.revents & Int16(POLLOUT) != 0 else { continue }
        let count = rest.prefix(1024).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Sends a signal to the program.
    public func send(_ signal: Int32) {
      if status == nil { kill(process, signal) }
    }

    /// Whether its programs have ended, and all that they wrote has been read.
    public private(set) var isClosed = false

    /// The number of its process.
    public var processNumber: Int { Int(process) }

    // MARK: Waiting

    private static let patience = Int32(60_000 * Patience.factor)

    /// Reads until a condition holds for the screen.
    ///
    /// - Throws: A ``/EventMVVMTesting/WaitedInVain`` with the screen.
    public func wait(
      _ wanted: String = "the screen is as wanted",
      until isWanted: (Screen) -> Bool
    ) throws {
      try waitUntil(wanted, showing: { screen.lines.map { "  |\($0)" }.joined(separator: "\n") }) {
        if isWanted(screen) { return true }
        return readMore(within: 10) && isWanted(screen)
      }
    }

    /// Reads until the screen shows these lines.
    public func wait(for lines: [String]) throws {
      try wait("the screen shows\n\(lines.joined(separator: "\n"))\n") { $0.lines == lines }
    }

    /// Reads until the screen shows these lines, with the cursor in a row and column, counted from
    /// zero.
    public func wait(for lines: [String], cursor row: Int, _ column: Int) throws {
      let wanted = "the cursor is at \(row), \(column) of\n\(lines.joined(separator: "\n"))\n"
      try wait(wanted) { $0.lines == lines && $0.cursor == (row, column) }
    }

    /// Reads the next output; returns false if there is none.
    private func readMore(within milliseconds: Int32 = patience) -> Bool {
      var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&source, 1, milliseconds) > 0 else { return false }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else {
        isClosed = true
        return false
      }
      written += buffer[..<count]
      screen.feed(buffer[..<count])
      return true
    }

    /// Reads until the program has ended, and returns its outcome.
    ///
    /// That is its exit status, or 128 and the number of the signal. A program without output for
    /// the time limit is killed.
    public func outcome() -> Int32 {
      while readMore() {}
      if !isClosed { kill(process, SIGKILL) }
      return wait()
    }

    /// Waits until the program has been stopped; returns false if it has ended.
    public func waitUntilStopped() -> Bool {
      var word: Int32 = 0
      while waitpid(process, &word, WUNTRACED) < 0 && errno == EINTR {}
      return word & 0xFF == 0x7F
    }

    private func wait() -> Int32 {
      if let status { return status }
      var word: Int32 = 0
      while waitpid(process, &word, 0) < 0 && errno == EINTR {}
      let signal = word & 0x7F
      let status = signal == 0 ? (word >> 8) & 0xFF : 128 + signal
      self.status = status
      return status
    }

    // MARK: Modes

    /// The present modes of the terminal.
    public var modes: termios {
      var modes = termios()
      tcgetattr(master, &modes)
      return modes
    }

    /// Whether it echoes and edits lines, as a shell expects.
    public var isCooked: Bool {
      modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
    }
  }
#endif
