#if os(Linux)
  import Foundation
  public import JSONText

  /// A JSON-RPC client of a built program, with a message per line: over its socket, or like an
  /// editor that has started the todo manager's server.
  ///
  /// Used by one thread. Messages of the server that are not replies are stored until the test
  /// reads them.
  public final class RPCClient {
    /// The folder of the store.
    public let place: Workplace
    private let process: pid_t
    private var input: Int32
    private var output: Int32
    private var bytes: [UInt8] = []
    private var told: [JSON] = []
    private var count = 0
    private var status: Int32?

    struct Failed: Error {
      let problem: String
    }

    /// Starts a server, and begins a session.
    ///
    /// - Parameters:
    ///   - place: The folder of the store, if another process uses it, too.
    ///   - words: The arguments of the program.
    ///   - initialize: The parameters of the first request; nil leaves it out.
    /// - Throws: The error of the start or of the first request.
    package init(
      _ place: Workplace? = nil,
      words: [String] = ["serve", "--stdio"],
      initialize: String? = "{}"
    ) throws {
      let place = try place ?? Workplace()
      self.place = place
      let toServer = try pipeOfOurOwn()
      let fromServer = try pipeOfOurOwn()
      let program = try Workplace.binaries().appending(path: "todostream").path
      process = try Spawning(
        place.prefix
          + ["/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh", place.folder.path, program]
          + words,
        environment: place.environment,
        streams: [
          .descriptor(toServer.reading), .descriptor(fromServer.writing), .file("/dev/null"),
        ]
      )
      .start()
      close(toServer.reading)
      close(fromServer.writing)
      input = toServer.writing
      output = fromServer.reading
      if let initialize { _ = try call("initialize", initialize) }
    }

    /// Connects to a socket of a running process, and begins a session.
    ///
    /// - Parameters:
    ///   - name: The socket's name in the folder.
    ///   - place: The folder.
    /// - Throws: The error of the connection or of the first request.
    public init(connectedTo name: String, in place: Workplace) throws {
      self.place = place
      let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let path = place.folder.appending(path: name).path
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let isConnected = withUnsafePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      guard isConnected else {
        close(client)
        throw Failed(problem: "\(path): \(String(cString: strerror(errno)))")
      }
      (process, status) = (0, 0)
      input = client
      output = fcntl(client, F_DUPFD_CLOEXEC, 3)
      _ = try call("initialize", "{}")
    }

    deinit {
      endInput()
      endOutput()
      guard status == nil else { return }
      kill()
      _ = end()
    }

    // MARK: Sending

    /// Writes a line unchanged.
    public func write(_ line: String) { write(Array((line + "\n").utf8)) }

    /// Writes bytes unchanged.
    public func write(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }

    /// Sends a request, and returns its id.
    @discardableResult
    public func ask(_ method: String, _ params: String = "{}") -> Int {
      count += 1
      write(#"{"jsonrpc":"2.0","id":\#(count),"method":"\#(method)","params":\#(params)}"#)
      return count
    }

    /// Sends a request, and returns its result.
    public func call(_ method: String, _ params: String = "{}") throws -> JSON {
      try answer(to: ask(method, params))
    }

    // MARK: Receiving

    /// Returns the reply to a request.
    public func answer(to id: Int) throws -> JSON {
      try first { $0["id"] == .integer(Int64(id)) }
    }

    /// Returns the parameters of the next notification of a method.
    public func notified(_ method: String) throws -> JSON {
      try first { $0["method"] == .string(method) }["params"] ?? .null
    }

    /// Returns the next message that fulfils a condition; fails if a minute passes without a
    /// message.
    public func first(where isWanted: (JSON) -> Bool) throws -> JSON {
      if let index = told.firstIndex(where: isWanted) { return told.remove(at: index) }
      while true {
        let message = try read()
        if isWanted(message) { return message }
        told.append(message)
      }
    }

    /// Returns whether an unread notification of a method has arrived by the reply to one more
    /// request.
    public func hasSaid(_ method: String) throws -> Bool {
      _ = try call("plugins")
      return told.contains { $0["method"] == .string(method) }
    }

    /// Reads the next message.
    public func read() throws -> JSON {
      while true {
        if let end = bytes.firstIndex(of: 0x0A) {
          let line = Array(bytes[..<end])
          bytes.removeFirst(end + 1)
          return try JSON(parsing: line)
        }
        guard try fill() else { throw Failed(problem: "the server has gone") }
      }
    }

    private func fill() throws -> Bool {
      var place = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&place, 1, 60_000) == 1 else { throw Failed(problem: "nothing was said") }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = Foundation.read(output, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      return count > 0
    }

    // MARK: Ending

    /// Ends the server's input.
    public func endInput() {
      if input >= 0 {
        shutdown(input, Int32(SHUT_WR))  // For a socket; a pipe only needs the closing.
        close(input)
      }
      input = -1
    }

    /// Closes the server's output.
    public func endOutput() {
      if output >= 0 { close(output) }
      output = -1
    }

    /// Kills the server; its output so far can still be read.
    public func kill() {
      if status == nil { Foundation.kill(process, SIGKILL) }
    }

    /// Waits for the end of the server, and returns its exit status; 128 and more for a signal.
    public func end() -> Int32 {
      if let status { return status }
      var word: Int32 = 0
      while waitpid(process, &word, 0) < 0, errno == EINTR {}
      let status = word & 0x7F == 0 ? (word >> 8) & 0xFF : 128 + word & 0x7F
      self.status = status
      return status
    }

    /// The number of its process.
    public var processNumber: Int { Int(process) }

    /// The most memory that the server has had, in bytes.
    public var peakMemory: Int { status("VmHWM:") * 1024 }
    /// The processor time of all of its threads, in seconds.
    public var processorTime: Double {
      let threads =
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
      return threads.reduce(0) { sum, thread in
        let path = "/proc/\(process)/task/\(thread)/schedstat"
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        return sum + (text?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      }
    }

    /// The number of its threads.
    public var threadCount: Int { status("Threads:") }

    /// The number of its open descriptors.
    public var descriptorCount: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
    }

    /// Returns a number of its status in `/proc`.
    private func status(_ name: String) -> Int {
      let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
      return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
  }
#endif
