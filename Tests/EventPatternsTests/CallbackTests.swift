import Dispatch
import EventMVVM
import EventMVVMTesting
import EventPatterns
import ProcessTesting
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// S64: an API that calls back, or tells a delegate, as something to be awaited; with one answer.
@Suite(.hangLimit) struct CallbackTests {
  private static let none = Failure(.unanswered, "Nobody calls back any more.")
  private static let cancelled = Failure(.cancelled, "Cancelled before there was an answer.")

  // MARK: Real APIs

  @Test func `S64 an API that calls back`() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("hello".utf8))
    let text = try await Callback<String>
      .wait { callback in
        DispatchIO.read(
          fromFileDescriptor: pipe.fileHandleForReading.fileDescriptor,
          maxLength: 5,
          runningHandlerOn: .global()
        ) { bytes, code in
          callback(
            code == 0
              ? .success(String(decoding: bytes, as: UTF8.self))
              : .failure(Failure(.store, String(cString: strerror(code))))
          )
        }
      }
    #expect(text == "hello")
    try pipe.fileHandleForReading.close()
    try pipe.fileHandleForWriting.close()
  }

  @Test func `S64 an API that calls back with an error`() async {
    await #expect(throws: Failure(.store, "Bad file descriptor")) {
      try await Callback<Int>
        .wait { callback in
          DispatchIO.read(fromFileDescriptor: -1, maxLength: 5, runningHandlerOn: .global()) {
            bytes,
            code in
            callback(.failure(Failure(.store, String(cString: strerror(code)))))
          }
        }
    }
  }

  @Test(
    arguments: [
      ("<a><b/><b/></a>", Result<Int, Failure>.success(3)),
      ("<a><b/>", .failure(Failure(.validation, "It is no document."))),
    ])
  func `S64 an API that tells a delegate`(_ document: String, _ answer: Result<Int, Failure>) async
  {
    let counted: Result<Int, Failure>
    do {
      counted = .success(
        try await Callback.wait { callback in
          DispatchQueue.global()
            .async {
              let parser = XMLParser(data: Data(document.utf8))
              let counter = ElementCounter(callback)
              parser.delegate = counter
              withExtendedLifetime(counter) { _ = parser.parse() }
            }
        }
      )
    } catch {
      counted = .failure(error)
    }
    #expect(counted == answer)
  }

  // MARK: APIs that misbehave

  @Test func `S64 of several answers the first counts`() async throws {
    let counted = Locked<[Bool]>([])
    let answer = try await Callback<Int>
      .wait { callback in
        for number in 1...3 {
          let isCounted = callback(.success(number))
          counted.withLock { $0.append(isCounted) }
        }
      }
    #expect(answer == 1)
    #expect(counted.withLock { $0 } == [true, false, false])
  }

  @Test func `S64 of answers from many threads one counts`() async throws {
    for _ in 0..<200 {
      let counted = Locked(0)
      let done = Locked(0)
      _ = try await Callback<Int>
        .wait { callback in
          for number in 0..<4 {
            DispatchQueue.global()
              .async {
                if callback(.success(number)) { counted.withLock { $0 += 1 } }
                done.withLock { $0 += 1 }
              }
          }
        }
      try await waitUntil("all four have called back") { done.withLock { $0 } == 4 }
      #expect(counted.withLock { $0 } == 1)
    }
  }

  @Test func `S64 an API that lets go without calling back has answered`() async throws {
    await #expect(throws: Self.none) { try await Callback<Int>.wait { _ in } }
    let kept = Locked<[Callback<Int>]>([])
    let waiting = Task {
      try await Callback<Int>.wait { callback in kept.withLock { $0.append(callback) } }
    }
    try await waitUntil("the API is called") { kept.withLock { !$0.isEmpty } }
    _ = kept.withLock { $0.removeLast() }
    await #expect(throws: Self.none) { try await waiting.value }
  }

  @Test func `S64 what the API throws at once is the answer`() async {
    let failure = Failure(.validation, "No.")
    let kept = Locked<[Callback<Int>]>([])
    await #expect(throws: failure) {
      try await Callback<Int>
        .wait { callback in
          kept.withLock { $0.append(callback) }
          throw failure
        }
    }
    #expect(kept.withLock { $0[0](.success(1)) } == false)
  }

  @Test func `S64 an API that never answers does so within its time`() async throws {
    let clock = TestClock()
    let kept = Locked<[Callback<Int>]>([])
    let told = Locked(0)
    let waiting = Task {
      try await Callback<Int>
        .wait(within: .seconds(4), clock: clock) { callback in
          callback.onCancel { told.withLock { $0 += 1 } }
          kept.withLock { $0.append(callback) }
        }
    }
    try await waitUntil("the API is called, and its time runs") {
      kept.withLock { !$0.isEmpty } && clock.sleeperCount > 0
    }
    clock.advance(by: .seconds(4))
    await #expect(throws: Failure(.unanswered, "There was no answer within 4.0 seconds.")) {
      try await waiting.value
    }
    try await waitUntil("the API is told") { told.withLock { $0 } > 0 }
    #expect(kept.withLock { $0[0].isOver })
    #expect(kept.withLock { $0[0](.success(1)) } == false)
    #expect(told.withLock { $0 } == 1)
  }

  @Test func `S64 an answer in time ends the wait for its time`() async throws {
    let clock = TestClock()
    let told = Locked(0)
    let number = try await Callback<Int>
      .wait(within: .seconds(4), clock: clock) { callback in
        callback.onCancel { told.withLock { $0 += 1 } }
        callback(.success(7))
      }
    #expect(number == 7)
    try await waitUntil("nobody waits for the time any more") { clock.sleeperCount == 0 }
    #expect(told.withLock { $0 } == 0)
  }

  // MARK: Cancelling

  @Test func `S64 cancelling is passed on to the API, once`() async throws {
    let kept = Locked<[Callback<Int>]>([])
    let told = Locked<[String]>([])
    let waiting = Task {
      try await Callback<Int>
        .wait { callback in
          callback.onCancel { told.withLock { $0.append("first") } }
          callback.onCancel { told.withLock { $0.append("second") } }
          kept.withLock { $0.append(callback) }
        }
    }
    try await waitUntil("the API is called") { kept.withLock { !$0.isEmpty } }
    waiting.cancel()
    await #expect(throws: Self.cancelled) { try await waiting.value }
    let callback = kept.withLock { $0[0] }
    #expect(!callback(.success(1)))
    callback.onCancel { told.withLock { $0.append("late") } }
    #expect(told.withLock { $0 } == ["first", "second", "late"])
  }

  @Test func `S64 what is cancelled before it begins is not begun`() async {
    let begun = Locked(false)
    let waiting = Task {
      // Nobody sleeps: cancelling, the next that this test does, ends it, so that what follows
      // begins behind that.
      try? await Task.sleep(for: .seconds(60))
      return try await Callback<Int>.wait { _ in begun.withLock { $0 = true } }
    }
    waiting.cancel()
    await #expect(throws: Self.cancelled) { try await waiting.value }
    #expect(!begun.withLock { $0 })
  }

  @Test func `S64 nothing is kept behind the answer`() async throws {
    weak var kept: Probe?
    do {
      let probe = Probe()
      kept = probe
      let callbacks = Locked<[Callback<Int>]>([])
      _ = try await Callback<Int>
        .wait { callback in
          callback.onCancel { _ = probe }
          callbacks.withLock { $0.append(callback) }
          callback(.success(1))
        }
    }
    #expect(kept == nil)
  }
}

private final class Probe: Sendable {}

/// Counts the elements of a document, for a delegate API.
private final class ElementCounter: NSObject, XMLParserDelegate {
  private let callback: Callback<Int>
  private var count = 0

  init(_ callback: Callback<Int>) {
    self.callback = callback
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    count += 1
  }

  func parserDidEndDocument(_ parser: XMLParser) { callback(.success(count)) }

  func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
    callback(.failure(Failure(.validation, "It is no document.")))
  }
}
