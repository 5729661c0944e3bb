import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import Foundation
import JSONText
import ProcessTesting
import Testing

@testable import Analytics

/// S58: figures that are handed on, to a real file and to a real endpoint.
@Suite(.hangLimit) struct PostingTests {
  @Test func `a report is appended to a file, a line each`() async throws {
    let desk = try Desk()
    let file = desk.folder + "/figures.jsonl"
    let first = try await desk.post(to: file)
    #expect(first == Posting.Outcome(target: file, posted: 1))
    _ = try await desk.post(to: file)
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2)
    let batch = try JSON(parsing: String(lines[0]))
    #expect(batch["report"]?["totals"] == ["added": 2])
    #expect(try JSON(parsing: String(lines[1]))["id"] != batch["id"])
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `an endpoint gets a report by HTTP`() async throws {
    let endpoint = try Endpoint(answering: [200])
    let desk = try Desk()
    let outcome = try await desk.post(to: endpoint.url)
    #expect(outcome == Posting.Outcome(target: endpoint.url, posted: 1))
    let request = try #require(endpoint.requests.first)
    #expect(request.head.hasPrefix("POST /figures HTTP/1.1\r\n"))
    #expect(request.head.contains("Content-Type: application/json\r\n"))
    #expect(try JSON(parsing: request.body)["report"]?["totals"] == ["added": 2])
  }

  @Test func `what fails is tried again, with the same id`() async throws {
    let endpoint = try Endpoint(answering: [503, 429, 200])
    let desk = try Desk(pauses: [.zero, .zero])
    let outcome = try await desk.post(to: endpoint.url)
    #expect(outcome == Posting.Outcome(target: endpoint.url, posted: 1))
    let ids = try endpoint.requests.map { "\(try JSON(parsing: $0.body)["id"] ?? .null)" }
    #expect(ids.count == 3)
    #expect(Set(ids).count == 1)
  }

  @Test func `what does not arrive waits, and goes before the next report`() async throws {
    let endpoint = try Endpoint(answering: [500, 200, 200])
    let desk = try Desk(pauses: [])
    let first = try await desk.post(to: endpoint.url)
    #expect(first.posted == 0)
    #expect(first.waiting == 1)
    #expect(first.problem == "The requested URL returned error: 500")
    let second = try await desk.post(to: endpoint.url)
    #expect(second == Posting.Outcome(target: endpoint.url, posted: 2))
    let times = try endpoint.requests.map { "\(try JSON(parsing: $0.body)["time"] ?? .null)" }
    #expect(times[0] == times[1])
    #expect(times[1] < times[2])
  }

  @Test func `what waits for one place does not go to another`() async throws {
    let desk = try Desk(pauses: [])
    // Nobody listens at port 1.
    let lost = try await desk.post(to: "http://127.0.0.1:1/")
    #expect(lost.waiting == 1)
    let file = desk.folder + "/figures.jsonl"
    #expect(try await desk.post(to: file).posted == 1)
    #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 1)
  }

  @Test func `the spool is bounded, and the oldest go`() async throws {
    let desk = try Desk(pauses: [])
    for _ in 1...Spool.mostBatches { _ = try await desk.post(to: "http://127.0.0.1:1/") }
    let outcome = try await desk.post(to: "http://127.0.0.1:1/")
    #expect(outcome.waiting == Spool.mostBatches)
    #expect(outcome.dropped == 1)
  }

  @Test func `one process posts at a time`() async throws {
    let desk = try Desk(pauses: [])
    let file = desk.folder + "/figures.jsonl"
    let spool = Spool(folder: desk.folder + "/spool")
    _ = try await desk.post(to: "http://127.0.0.1:1/")
    let outcome = await spool.whileLocked { try? await desk.post(to: file) }
    #expect(outcome??.waiting == 1)
    #expect(outcome??.problem == "another process is posting")
    #expect(try await desk.post(to: file).posted == 2)
  }

  @Test func `what is no place to post to is refused`() async throws {
    let desk = try Desk()
    #expect(
      await desk.failure(to: "")
        == Failure(.usage, "--post needs a file or a URL.", field: "post")
    )
    #expect(
      await desk.failure(to: "ftp://example.org/x")
        == Failure(
          .usage,
          "Figures can't be posted by 'ftp'; name a file, or a URL that begins with http or https.",
          field: "post"
        )
    )
    let nowhere = try await desk.post(to: "/nowhere/figures.jsonl")
    #expect(
      nowhere.problem == "'/nowhere/figures.jsonl' can't be written: No such file or directory"
    )
    #expect(nowhere.waiting == 1)
  }

  @Test(.timeLimit(.minutes(10)))
  func `what is no regular file is refused, and neither waited for nor written to`() async throws {
    let desk = try Desk()
    let pipe = desk.folder + "/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, desk.folder, "/dev/null"] {
      #expect(
        await desk.failure(to: path)
          == Failure(
            .usage,
            "--post: '\(path)' is no ordinary file: name another.",
            field: "post"
          )
      )
    }
    // Whoever puts one in the place of a file meanwhile has nothing written to it, either.
    for path in [pipe, "/dev/null"] {
      await #expect(
        throws: PostProblem(message: "'\(path)' is no ordinary file: name another.")
      ) { try await FileService(path: path).post([0x31]) }
    }
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    await #expect(throws: PostProblem.self) { try await FileService(path: pipe).post([0x31]) }
    var byte: UInt8 = 0
    #expect(read(reader, &byte, 1) == 0)
  }

  @Test func `a file that somebody else has locked is waited for, but not for ever`() async throws {
    let desk = try Desk()
    let path = desk.folder + "/figures.jsonl"
    let place = try Workplace()
    let (ready, go) = (try NamedPipe("ready", in: place), try NamedPipe("go", in: place))
    let holder = try place.start(
      #"exec 9>"$1"; flock -x 9; echo x >ready; read -r line <go; flock -u 9"#,
      [path]
    )
    try ready.waitUntilWritten(bytes: 2)
    await #expect(throws: PostProblem(message: "'\(path)' is locked by another program")) {
      try await FileService(path: path, pauses: [.zero, .zero]).post([0x31])
    }
    try go.write("go")
    #expect(try holder.outcome() == .init())
    try await FileService(path: path).post([0x31])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "1\n")
  }

  @Test func `a password in a URL is not shown`() throws {
    #expect(try PostTarget("https://ann:secret@example.org/x@y").shown == "https://example.org/x@y")
    #expect(try PostTarget("/home/ann@work/x").shown == "/home/ann@work/x")
  }
}

/// An application whose figures can be posted, in a folder that is gone with its test.
private final class Desk {
  let folder: String
  private let context: AppContext

  init(pauses: [Duration] = []) throws {
    folder = NSTemporaryDirectory() + "desk-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let clock = Locked(Int64(1_763_632_800_000))
    let environment = Environment(
      now: {
        clock.withLock { time in
          defer { time += 1000 }
          return Instant(milliseconds: time / 1000 * 1000)
        }
      },
      zone: .utc
    )
    context = AppContext(home: .ownThread, environment: environment)
    context.add(Analytics(path: nil, spool: folder + "/spool", pauses: pauses, ticks: { 0 }))
    context.stream.answer(RequestMeasures.self) { _, turn in
      let measure = Measure(.count("added"), 2, at: turn.time, by: [])
      return MeasuredPart([measure], upTo: "1", isLast: true)
    }
    context.stream.answer(RequestGauges.self) { _, _ in [] }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func report(to target: String) async throws -> Report {
    var request = RequestReport()
    request.post = target
    return try await context.port(named: "desk").request(request)
  }

  func post(to target: String) async throws -> Posting.Outcome {
    try #require(try await report(to: target).posting)
  }

  func failure(to target: String) async -> Failure? {
    do {
      _ = try await report(to: target)
      return nil
    } catch {
      return error as? Failure
    }
  }
}

/// An HTTP endpoint on the loopback interface that answers its requests with these statuses, in turn.
private final class Endpoint: Sendable {
  struct Received: Sendable {
    let head: String
    let body: String
  }

  let url: String
  private let received = Locked<[Received]>([])

  var requests: [Received] { received.withLock { $0 } }

  init(answering statuses: [Int]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { place in
        bind(listener, place.baseAddress, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, place.baseAddress, &length) == 0
      }
    }
    try #require(isOpen)
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/figures"
    Thread.detachNewThread { [received] in
      for status in statuses {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        let request = Self.read(connection)
        received.withLock { $0.append(request) }
        let answer = "HTTP/1.1 \(status) Status\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        _ = answer.withCString { write(connection, $0, strlen($0)) }
        close(connection)
      }
      close(listener)
    }
  }

  /// Reads up to the end of the body, whose length stands in the head.
  private static func read(_ connection: Int32) -> Received {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Foundation.read(connection, &buffer, buffer.count)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      guard let end = text.range(of: "\r\n\r\n") else { continue }
      let head = String(text[..<end.lowerBound]) + "\r\n"
      let length = head.split(separator: "\r\n")
        .compactMap { line in
          line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
        }
      let body = text[end.upperBound...]
      if body.utf8.count >= length.first ?? 0 { return Received(head: head, body: String(body)) }
    }
    return Received(head: "", body: "")
  }
}
