@testable import Demo
import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import Testing

/// The examples of *The promises*, and what comes of each.
@Suite(.hangLimit) struct PromiseExamples {
  private let stream = EventStream()

  /// What says hello.
  private func addGreeter() {
    Greeter().join(stream)
  }

  @Test func `one order`() {
    addGreeter()
    var log: [String] = []
    stream.observeAll { event, turn in log.append("\(turn.sequence) \(type(of: event).name)") }
    stream.send(RequestGreeting(name: "Ann"))
    stream.send(RequestGreeting(name: "Bob"))
    #expect(
      log == [
        "1 RequestGreeting", "2 ResponseGreeting", "3 RequestGreeting", "4 ResponseGreeting",
      ]
    )
  }

  @Test func `no surprise from inside`() {
    var log: [String] = []
    stream.on(RequestGreeting.self) { request, turn in
      turn.send(ResponseGreeting(.success("Hello, \(request.name)!")))
      log.append("sent")
    }
    stream.on(RequestGreeting.self) { _, _ in log.append("asked, as others heard") }
    stream.on(ResponseGreeting.self) { _, _ in log.append("answered") }
    stream.send(RequestGreeting())
    #expect(log == ["sent", "asked, as others heard", "answered"])
  }

  @Test func snapshots() {
    addGreeter()
    var log: [String] = []
    var screens = [Screen(name: "kitchen")]
    let hall = stream.on(ResponseGreeting.self) { _, _ in log.append("hall") }
    stream.on(ResponseGreeting.self, owner: screens[0]) { screen, _, _ in log.append(screen.name) }
    stream.send(RequestGreeting())
    #expect(log == ["hall", "kitchen"])

    hall.cancel()
    screens = []
    stream.send(RequestGreeting())
    #expect(log == ["hall", "kitchen"])
  }

  @Test func envelopes() {
    addGreeter()
    var log: [String] = []
    stream.on(ResponseGreeting.self) { _, turn in
      log.append("\(turn.sequence) because of \(turn.cause ?? 0), for \(turn.originName)")
    }
    let cli = stream.joined(as: "cli")
    cli.send(RequestGreeting())
    #expect(log == ["2 because of 1, for cli"])
  }

  @Test func conversations() {
    var answers: [Result<ResponseGreeting, Interruption>] = []
    stream.request(RequestGreeting(name: "Ann")) { answer, _ in answers.append(answer) }
    #expect(answers == [.failure(.unanswered)])

    stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)!" }
    stream.request(RequestGreeting(name: "Bob")) { answer, _ in answers.append(answer) }
    #expect(answers.last == .success(ResponseGreeting(.success("Hello, Bob!"))))
  }

  @Test func `state is sticky`() {
    var log: [Int] = []
    let unread = State(0, name: "unread", on: stream)
    unread.set(3)
    unread.observe { count, _ in log.append(count) }
    unread.set(3)
    unread.set(4)
    #expect(log == [3, 4])
  }

  @Test func `a slow observer hurts itself`() {
    let test = TestContext()
    let stream = test.stream
    let log = Locked<[String]>([])
    stream.onAsync(RequestGreeting.self, buffer: .newest(1)) { request, _, missed in
      log.withLock { $0.append("\(request.name), after \(missed) others") }
    }
    for name in ["Ann", "Bob", "Cid"] { stream.send(RequestGreeting(name: name)) }
    test.skip()
    #expect(log.withLock { $0 } == ["Cid, after 2 others"])
  }

  @Test func `failures are events`() {
    stream.answer(RequestGreeting.self) { request, _ in
      guard !request.name.isEmpty else {
        throw Failure(.validation, "Please name somebody.", field: "name")
      }
      return "Hello, \(request.name)!"
    }
    var answers: [Result<ResponseGreeting, Interruption>] = []
    stream.request(RequestGreeting(name: "")) { answer, _ in answers.append(answer) }
    let failure = Failure(.validation, "Please name somebody.", field: "name")
    #expect(answers == [.success(ResponseGreeting(.failure(failure)))])
  }

  @Test func units() {
    stream.answer(RequestGreeting.self) { request, turn in
      turn.send(ResponseGreeted(name: request.name))
      return "Hello, \(request.name)!"
    }
    var log: [String] = []
    stream.on(ResponseGreeting.self) { _, _ in log.append("reply") }
    stream.on(ResponseGreeted.self) { _, _ in log.append("fact") }
    stream.begin(.allOrNothing) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestGreeting()) { _, _ in
        unit.commit { _, _ in log.append("kept") }
      }
    }
    #expect(log == ["reply", "kept", "fact"])
  }

  @Test func `units that are taken back state no facts`() {
    stream.answer(RequestGreeting.self) { request, turn in
      turn.send(ResponseGreeted(name: request.name))
      return "Hello, \(request.name)!"
    }
    var log: [String] = []
    stream.on(ResponseGreeted.self) { _, _ in log.append("fact") }
    stream.begin(.rehearse) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestGreeting()) { _, _ in
        unit.commit { _, _ in log.append("taken back in any case") }
      }
    }
    #expect(log == ["taken back in any case"])
  }

  // MARK: The sentences

  @Test func `the article quotes the promises as they stand at the head of the stream`() {
    let catalogue = "Sources/Toolkit/EventMVVM/EventMVVM.docc"
    let quoted = Package.lines(of: "\(catalogue)/The-Promises.md").split { !$0.hasPrefix(">") }
      .map { Self.sentence($0.map { $0.dropFirst() }) }
    #expect(quoted.count == 11)
    #expect(quoted == Self.promises)
  }

  /// The numbered promises in the comment on ``EventStream``, without their numbers.
  private static var promises: [String] {
    let comment = Package.lines(of: "Sources/Toolkit/EventMVVM/Stream/EventStream.swift")
      .map { $0.drop { $0 == "/" || $0 == " " } }
    let section = comment.drop { $0 != "## What it promises" }.dropFirst(2)
      .prefix { !$0.hasPrefix("#") }
    var promises: [[Substring]] = []
    for line in section where !line.isEmpty {
      let number = "\(promises.count + 1). "
      if line.hasPrefix(number) {
        promises.append([line.dropFirst(number.count)])
      } else {
        promises[promises.count - 1].append(line)
      }
    }
    return promises.map(sentence)
  }

  /// Words with one blank in between; links as they are written inside the comment.
  private static func sentence(_ lines: [Substring]) -> String {
    lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
      .replacingOccurrences(of: "``EventStream/", with: "``")
  }
}

/// A view, as a promise's example needs one.
final class Screen {
  let name: String

  init(name: String) {
    self.name = name
  }
}

/// States that somebody was greeted, once that is certain.
struct ResponseGreeted: ViewModelEvent, Fact {
  var name: String
}
