import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

@testable import Analytics

/// How figures go to an endpoint: by the real `curl`, which does what it is told here and nothing
/// else.
@Suite(.hangLimit) struct WebServiceTests {
  /// Writes down what it is started with, and goes on as the real one.
  private static let curl = #"""
    #!/bin/sh
    printf '%s\n' "$@" >"$HOME/words"
    grep SigBlk /proc/self/status >"$HOME/mask"
    echo $$ >"$HOME/number.part" && mv "$HOME/number.part" "$HOME/number"
    PATH=${PATH#*:} exec curl "$@" $MORE
    """#

  /// A workplace in which `curl` is found first that writes down what it is started with.
  private func watchedPlace() throws -> Workplace {
    let place = try Workplace()
    let made = try place.start(
      "mkdir bin && cat >bin/curl && chmod 755 bin/curl",
      input: [Self.curl]
    )
    try #require(try made.outcome().status == 0)
    return place
  }

  private func text(_ name: String, _ place: Workplace) throws -> String {
    try String(contentsOf: place.folder.appending(path: "home/\(name)"), encoding: .utf8)
  }

  @Test func `neither address nor password is among the words, and no signal is held back`()
    throws
  {
    let endpoint = try Endpoint(answering: [200])
    let place = try watchedPlace()
    let url = "http://ann:s3cret@127.0.0.1:\(endpoint.port)/x?key=\"[1-2]{a,b}\\"
    let outcome =
      try place.start(
        #"PATH="$PWD/bin:$PATH" exec todostream report --post "$1""#,
        [url]
      )
      .outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
    let request = try #require(endpoint.requests.first)
    #expect(endpoint.requests.count == 1)
    // ann:s3cret, as of RFC 7617.
    #expect(request.head.contains("Authorization: Basic YW5uOnMzY3JldA==\r\n"))
    #expect(request.head.hasPrefix("POST /x?key=\"[1-2]{a,b}\\ HTTP/1.1\r\n"))
    #expect(request.body.hasPrefix(#"{"id":""#))
    #expect(try text("words", place) == "--disable\n--config\n/dev/fd/3\n")
    #expect(try text("mask", place) == "SigBlk:\t0000000000000000\n")
  }

  @Test func `a report that reached nobody is a failure of the process`() throws {
    let endpoint = try Endpoint(answering: [500, 500, 500, 200, 200])
    let place = try Workplace()
    let missed = try place.start(#"exec todostream report --post "$1""#, [endpoint.url]).outcome()
    #expect(missed.status == 1)
    #expect(missed.output.contains("Posted 0 batches to \(endpoint.url)"))
    let posted = try place.start(#"exec todostream report --post "$1""#, [endpoint.url]).outcome()
    #expect(posted.status == 0)
    #expect(posted.output.contains("Posted 2 batches to \(endpoint.url)"))
  }

  @Test func `what a person has set curl up to do otherwise is not done`() throws {
    let endpoint = try Endpoint(answering: [200])
    let place = try Workplace()
    let posted = try place.start(
      #"echo 'header = "X-Own: yes"' >home/.curlrc; exec todostream report --post "$1""#,
      [endpoint.url]
    )
    #expect(try posted.outcome().errors == [])
    let request = try #require(endpoint.requests.first)
    #expect(!request.head.contains("X-Own"))
  }

  @Test func `a password is taken from .netrc`() throws {
    let endpoint = try Endpoint(answering: [200])
    let place = try Workplace()
    let posted = try place.start(
      #"echo 'machine 127.0.0.1 login ann password s3cret' >home/.netrc; "#
        + #"exec todostream report --post "$1""#,
      [endpoint.url]
    )
    #expect(try posted.outcome().errors == [])
    let request = try #require(endpoint.requests.first)
    #expect(request.head.contains("Authorization: Basic YW5uOnMzY3JldA==\r\n"))
  }

  @Test func `a redirect is not followed`() async throws {
    let other = try Endpoint(answering: [200])
    let endpoint = try Endpoint([.redirect(to: other.url)])
    let desk = try Desk()
    let outcome = try await desk.post(to: endpoint.url)
    #expect(outcome.posted == 0)
    #expect(outcome.waiting == 1)
    #expect(
      outcome.problem == "it redirects to another address, which is not followed: name that one"
    )
    #expect(endpoint.requests.count == 1)
    #expect(other.requests.isEmpty)
  }

  @Test func `an answer without end is not listened to`() async throws {
    let endpoint = try Endpoint([.endless])
    let desk = try Desk()
    let outcome = try await desk.post(to: endpoint.url)
    #expect(outcome.waiting == 1)
    #expect(outcome.problem == "its answer is longer than 1048576 bytes")
  }

  @Test func `a batch that is longer than any pipe arrives whole`() async throws {
    let endpoint = try Endpoint(answering: [200])
    let batch = Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
    try await WebService(url: endpoint.url).post(batch)
    #expect(endpoint.requests.first?.body.utf8.count == 1_000_000)
  }

  @Test func `curl is ended with a process that is killed`() throws {
    let endpoint = try Endpoint([.silence])
    let place = try watchedPlace()
    let job = try place.start(
      #"PATH="$PWD/bin:$PATH" MORE="--max-time 1000" exec todostream report --post "$1""#,
      [endpoint.url]
    )
    try waitUntil("the endpoint is asked") { endpoint.requests.count == 1 }
    let number = try #require(pid_t(try text("number", place).dropLast()))
    #expect(kill(number, 0) == 0)
    job.send(SIGKILL)
    #expect(try job.outcome().status == 128 + SIGKILL)
    try waitUntil("curl is gone") { kill(number, 0) != 0 && errno == ESRCH }
  }

  @Test func `statistics that another program keeps locked are not waited for for ever`() throws {
    let place = try Workplace()
    let (ready, go) = (try NamedPipe("ready", in: place), try NamedPipe("go", in: place))
    let holder = try place.start(
      "mkdir -p state/todostream; exec 9>state/todostream/figures.json.lock; flock -x 9; "
        + "echo x >ready; read -r line <go; flock -u 9"
    )
    try ready.waitUntilWritten(bytes: 2)
    let job = try place.start("todostream add One && exec todostream report")
    try waitUntil("the report is there") { !job.isRunning }
    let outcome = try job.outcome()
    #expect(outcome.status == 0)
    #expect(outcome.errors == [])
    #expect(outcome.output.first == "Added #1 One")
    try go.write("go")
    #expect(try holder.outcome() == .init())
  }
}
