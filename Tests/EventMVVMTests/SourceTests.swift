#if DEBUG
  import EventMVVMTesting
  import Testing

  @testable import EventMVVM

  /// In a debug build, an event knows the line of code that sent it.
  @Suite(.hangLimit) struct SourceTests {
    private let stream: EventStream
    private let seen = Locked<[String: String]>([:])

    /// The source of the first event whose type has that name.
    private func source(of name: String) -> String? { seen.withLock { $0[name] } }

    /// What `turn.source` is for an event that was sent on a line of this file.
    private func line(_ number: Int) -> String { "EventMVVMTests/SourceTests.swift:\(number)" }

    init() { self.init(on: EventStream()) }

    private init(on stream: EventStream) {
      stream.observeAll { [seen] event, turn in
        let name = type(of: event).name
        seen.withLock { if $0[name] == nil { $0[name] = turn.source ?? "unknown" } }
      }
      self.stream = stream
    }

    @Test func `what is sent from outside handlers`() {
      stream.send(RequestCount())
      #expect(source(of: "RequestCount") == line(#line - 1))
      ViewPort(stream).send(RequestOther())
      #expect(source(of: "RequestOther") == line(#line - 1))
      stream.request(RequestGreeting()) { _, _ in }
      #expect(source(of: "RequestGreeting") == line(#line - 1))
      ViewPort(stream).request(RequestReading()) { _, _ in }
      #expect(source(of: "RequestReading") == line(#line - 1))
    }

    @Test func `what a handler sends`() {
      let sent = Locked<[String: Int]>([:])
      stream.on(RequestCount.self) { _, turn in
        turn.send(RequestOther())
        sent.withLock { $0["RequestOther"] = #line - 1 }
        turn.request(RequestGreeting()) { _, _ in }
        sent.withLock { $0["RequestGreeting"] = #line - 1 }
      }
      ViewPort(stream)
        .on(RequestOther.self) { _, turn in
          turn.send(RequestThird())
          sent.withLock { $0["RequestThird"] = #line - 1 }
          turn.request(RequestReading()) { _, _ in }
          sent.withLock { $0["RequestReading"] = #line - 1 }
        }
      stream.send(RequestCount())
      for (name, number) in sent.withLock({ $0 }) { #expect(source(of: name) == line(number)) }
      #expect(sent.withLock { $0.count } == 4)
    }

    @Test func `an answer has the line that answers`() {
      let owner = Holder()
      let answer = #line + 1
      stream.answer(RequestGreeting.self) { _, _ in "Hello" }
      stream.send(RequestGreeting())
      #expect(source(of: "ResponseGreeting") == line(answer))
      let other = SourceTests()
      let owned = #line + 1
      other.stream.answer(RequestGreeting.self, owner: owner) { _, _, _ in "Hello" }
      other.stream.send(RequestGreeting())
      #expect(other.source(of: "ResponseGreeting") == line(owned))
    }

    @Test func `an answer from outside has the line that finds it`() {
      let sent = Locked(0)
      stream.on(RequestGreeting.self) { _, turn in
        sent.withLock { $0 = #line + 1 }
        turn.reply(from: { _ in ResponseGreeting("Hello") })
      }
      stream.send(RequestGreeting())
      #expect(source(of: "ResponseGreeting") == line(sent.withLock { $0 }))
    }

    @Test func `what is sent off the home thread`() async throws {
      let test = SourceTests(on: EventStream(home: .ownThread))
      let answer = #line + 1
      test.stream.answerAsync(RequestGreeting.self) { _, held in
        held.send(RequestOther())
        return "Hello"
      }
      _ = try await test.stream.request(RequestGreeting())
      #expect(test.source(of: "RequestGreeting") == line(#line - 1))
      #expect(test.source(of: "RequestOther") == line(answer + 1))
      #expect(test.source(of: "ResponseGreeting") == line(answer))
      test.stream.stop()
    }

    @Test func `a state has the line that sets it`() {
      let (first, second) = (State(0, name: "a", on: stream), State("", name: "b", on: stream))
      first.set(1)
      #expect(source(of: type(of: first.event(1)).name) == line(#line - 1))
      let sent = Locked(0)
      stream.on(RequestCount.self) { _, turn in
        sent.withLock { $0 = #line + 1 }
        turn.set(second, to: "x")
      }
      stream.send(RequestCount())
      #expect(source(of: type(of: second.event("")).name) == line(sent.withLock { $0 }))
    }

    @Test func `a request in a unit has the line that makes it`() {
      let sent = Locked(0)
      ViewPort(stream)
        .begin(.allOrNothing) { unit, _ in
          guard let unit = try? unit.get() else { return }
          sent.withLock { $0 = #line + 1 }
          unit.request(RequestGreeting()) { _, _ in unit.rollBack { _, _ in } }
        }
      #expect(source(of: "RequestGreeting") == line(sent.withLock { $0 }))
    }
  }

  private final class Holder: Sendable {}
#endif
