#if os(Linux)
  import EventMVVMTesting
  public import Foundation

  /// A terminal of its own with a program on it, and the screen that a person would see.
  ///
  /// Used by one thread. The program is killed when the terminal is let go of.
  public final class Terminal {
    /// What is to be seen.
    public private(set) var screen: Screen
    /// All that has been written on it.
    public private(set) var written: [UInt8] = []
    private let master: Int32
    private let path: String
    private var process: pid_t = 0
    private var status: Int32?
    /// Whether nobody has it open any more.
    private var isClosed = false

    struct NoTerminal: Error, CustomStringConvertible {
      let code: Int32
      var description: String { "no pseudo terminal: \(String(cString: strerror(code)))" }
    }

    /// Makes a terminal of a size.
    public init(columns: Int = 80, rows: Int = 24) throws {
      screen = Screen(columns: columns, height: rows)
      // As posix_openpt, unlockpt and ptsname do, which Swift doesn't see (pty(7), ioctl_tty(2)).
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

    /// Starts a program on it: the leader of a session, whose terminal this is.
    public func start(_ arguments: [String], environment: [String: String]) throws {
      process = try Spawning(
        arguments,
        environment: environment,
        streams: Array(repeating: .terminal(path), count: 3)
      )
      .start()
    }

    private func setSize() { claim(columns: screen.columns, rows: screen.height) }

    /// Claims to have a size, whatever its screen has, as terminals do that know none.
    public func claim(columns: Int, rows: Int) {
      var size = winsize(
        ws_row: UInt16(rows),
        ws_col: UInt16(columns),
        ws_xpixel: 0,
        ws_ypixel: 0
      )
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    /// Gives it another size, of which the program hears.
    public func resize(columns: Int, rows: Int) {
      screen.resize(columns: columns, height: rows)
      setSize()
    }

    /// Types a text.
    public func type(_ text: String) {
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        var wait = pollfd(fd: master, events: Int16(POLLIN | POLLOUT), revents: 0)
        guard poll(&wait, 1, Self.patience) > 0 else { return }
        // Who only writes and never reads makes the program wait for us, and us for it.
        if wait.revents & Int16(POLLIN) != 0, !readMore() { return }
        guard wait.revents & Int16(POLLHUP | POLLERR) == 0 else { return }
        guard wait.revents & Int16(POLLOUT) != 0 else { continue }
        let count = rest.prefix(1024).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Sends the program a signal.
    public func send(_ signal: Int32) {
      if status == nil { kill(process, signal) }
    }

    /// The number of its process.
    public var processNumber: Int { Int(process) }

    // MARK: Waiting

    private static let patience = Int32(60_000 * Patience.factor)

    /// Reads on until the screen is as wanted.
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

    /// Reads on until the screen shows these lines.
    public func wait(for lines: [String]) throws {
      try wait("the screen shows\n\(lines.joined(separator: "\n"))\n") { $0.lines == lines }
    }

    /// Reads on until the lines are these, and the cursor is in a row and column, counted from
    /// zero.
    public func wait(for lines: [String], cursor row: Int, _ column: Int) throws {
      let wanted = "the cursor is at \(row), \(column) of\n\(lines.joined(separator: "\n"))\n"
      try wait(wanted) { $0.lines == lines && $0.cursor == (row, column) }
    }

    /// Reads what comes next; false if nothing does.
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

    /// Reads all that comes until the program has ended, and gives how it has.
    ///
    /// That is its exit status, or 128 and the number of the signal. One that says nothing for a
    /// minute is killed.
    public func outcome() -> Int32 {
      while readMore() {}
      if !isClosed { kill(process, SIGKILL) }
      return wait()
    }

    /// Waits until the program has been stopped; false if it has ended.
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

    /// How the terminal is set now.
    public var modes: termios {
      var modes = termios()
      tcgetattr(master, &modes)
      return modes
    }

    /// Whether it echoes, and gives lines: how a shell wants to find it.
    public var isCooked: Bool {
      modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG)
    }
  }
#endif
