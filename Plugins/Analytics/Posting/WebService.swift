import Platform
import EventMVVM
import Foundation

/// Posts batches to an HTTP endpoint, by `curl`.
///
/// So proxies, certificates and `~/.netrc` are where a person has configured them already, and a
/// program that mostly runs without a network links no network library.
///
/// Its configuration is complete: `~/.curlrc` is not read, brackets in the address are literal, and
/// no redirect is followed, as the statistics would go wherever the answer points. It reads its
/// configuration from a pipe, as every user can read the arguments of a process. It ends with this
/// process, however that ends.
struct WebService: StatisticsService {
  let url: String
  /// The seconds that an attempt may take.
  private static let patience = 10
  /// The most bytes of an answer, which is not read.
  private static let mostAnswer = 1 << 20

  func post(_ batch: [UInt8]) async throws(PostProblem) {
    guard let curl = Self.program else {
      throw PostProblem(
        message: "the program 'curl', by which statistics are posted, is not installed"
      )
    }
    let process: SupervisedProcess
    do {
      process = try SupervisedProcess(
        curl,
        ["--disable", "--config", "/dev/fd/3"],
        environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
        in: "/",
        isConfigured: true
      )
    } catch {
      throw PostProblem(message: "'\(curl)' can't be started: \(error.message)")
    }
    let problem = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: converse(process, batch)) }
      thread.name = "curl"
      thread.start()
    }
    if let problem { throw problem }
  }

  /// The configuration of curl, in the form of its files (curl(1), `--config`).
  private var configuration: String {
    let quoted = url.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return """
      silent
      show-error
      fail
      location
      max-redirs = 0
      globoff
      netrc-optional
      max-time = \(Self.patience)
      max-filesize = \(Self.mostAnswer)
      proto = "=http,https"
      header = "Content-Type: application/json"
      write-out = "%{stderr}\\n\(HTTPRefusal.mark)%{http_code} %header{retry-after}\\n"
      data-binary = "@-"
      url = "\(quoted)"

      """
  }

  /// Writes the input of a running `curl`, and waits for its end.
  ///
  /// To be called on a thread that ends after it, and with it the signal of a pipe without a
  /// reader.
  ///
  /// - Returns: Why the batch has not arrived; nil if it has.
  private func converse(_ process: SupervisedProcess, _ batch: [UInt8]) -> PostProblem? {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let answer = Locked(0)
    let complaint = Locked<[UInt8]>([])
    let readers = DispatchGroup()
    Self.read(process.output, readers) { piece in
      let count = answer.withLock { count in
        count += piece.count
        return count
      }
      if count > Self.mostAnswer { process.kill() }
    }
    Self.read(process.errors, readers) { piece in
      complaint.withLock { if $0.count < 1000 { $0 += piece } }
    }
    // After its end `curl` reports why, so it does not matter whether it has read all of this.
    if let stream = process.configuration {
      _ = writeAll(Array(configuration.utf8), to: stream)
      close(stream)
    }
    _ = writeAll(batch, to: process.input)
    close(process.input)
    var ending: SupervisedProcess.Ending?
    while ending == nil { ending = process.wait(seconds: 3600) }
    readers.wait()
    guard answer.withLock({ $0 }) <= Self.mostAnswer else {
      return PostProblem(message: Self.tooLong)
    }
    let said = complaint.withLock { String(decoding: $0.prefix(1000), as: UTF8.self) }
    return ending.flatMap { Self.problem($0, said) }
  }

  /// Reads to the end on a separate thread, and closes the descriptor.
  private static func read(
    _ descriptor: Int32,
    _ readers: DispatchGroup,
    _ take: @escaping @Sendable (ArraySlice<UInt8>) -> Void
  ) {
    readers.enter()
    let thread = Thread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        take(buffer[..<count])
      }
      close(descriptor)
      readers.leave()
    }
    thread.start()
  }

  // MARK: Problems

  private static let tooLong = "its answer is longer than \(mostAnswer) bytes"

  /// Returns why a batch has not arrived; nil if it has.
  private static func problem(_ ending: SupervisedProcess.Ending, _ said: String) -> PostProblem? {
    switch ending {
    case .exited(0): nil
    // "Too many redirects", "Maximum file size exceeded" and "HTTP page not retrieved" (libcurl-errors(3)).
    case .exited(47):
      PostProblem(
        message: "it redirects to another address, which is not followed: name that one",
        prospect: .corrected
      )
    case .exited(63): PostProblem(message: tooLong)
    case .exited(22): HTTPRefusal(in: said)?.problem ?? PostProblem(message: problem(said, 22))
    case .exited(let status): PostProblem(message: problem(said, status))
    case .killed(let signal): PostProblem(message: "curl was ended by signal \(signal)")
    case .notStarted(let code):
      PostProblem(message: "curl can't be started: \(SystemProblem(code).text)")
    }
  }

  /// Returns its message, without its name and number: `curl: (7) Failed to connect to …`.
  private static func problem(_ text: String, _ status: Int32) -> String {
    let line = text.split(separator: "\n").last { $0.hasPrefix("curl: ") } ?? ""
    let words = line.drop { $0 != ")" }.dropFirst().drop { $0 == " " }
    return words.isEmpty ? "curl ended with \(status)" : String(words)
  }

  /// Its path, by the search path; relative folders are skipped.
  private static var program: String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
      .filter { $0.utf8.first == UInt8(ascii: "/") }
      .map { "\($0)/curl" }
      .first { access($0, X_OK) == 0 }
  }
}
