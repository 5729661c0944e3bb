import EventCommands
import EventMVVM
import EventMVVMTesting
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
    #expect(first.problem == "it can't take the batch now (500)")
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
          "Statistics can't be posted by 'ftp'; name a file, or a URL that begins with http or https.",
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
