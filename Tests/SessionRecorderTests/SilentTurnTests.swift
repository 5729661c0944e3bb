import EventMVVM
import EventMVVMTesting
import SessionRecorder
import Testing

/// What has its turn without an event between two inputs decides what comes first: the recording
/// says where it stood.
@Suite(.hangLimit) struct SilentTurnTests {
  /// A plugin that greets on its own account, in the midst of which a frontend speaks.
  ///
  /// The frontend hears the plugin's greeting behind the plugin, and so what it says is queued
  /// behind what the plugin has queued.
  private func interrupted(
    _ plugin: some Plugin
  ) throws -> (text: String, verdict: String, withoutMarks: String) {
    let text = try GreetingSession.record(with: [plugin]) { port, stream, _ in
      let isFirst = Locked(true)
      port.on(ResponseGreeting.self) { _, _ in
        let speaks = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        if speaks { port.request(RequestGreeting(name: "Bea")) { _, _ in } }
      }
      port.request(RequestChain()) { _, _ in }
      stream.deliver()
    }
    func verdict(_ lines: [Substring]) throws -> String {
      let text = lines.joined(separator: "\n") + "\n"
      let divergence = try GreetingSession.replay(text, with: [plugin]).divergence
      return divergence.map { "expected \($0.expected)" } ?? "as recorded"
    }
    let lines = text.split(separator: "\n")
    return (
      text, try verdict(lines), try verdict(lines.filter { !$0.hasPrefix(#"{"passed""#) })
    )
  }

  private func marks(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix(#"{"passed""#) }
      .map { String($0.dropFirst(11).prefix { $0 != "\"" }) }
  }

  /// Greets inside of a unit of its own, and keeps it in the turn of the greeting.
  private struct Bracketer: Plugin {
    let name = "bracketer"

    func join(_ stream: EventStream) {
      let open = Locked<StreamUnit?>(nil)
      stream.on(RequestChain.self) { _, turn in
        turn.stream.begin(.allOrNothing) { result, turn in
          guard let unit = try? result.get() else { return }
          open.withLock { $0 = unit }
          unit.request(RequestGreeting(name: "Anna")) { _, _ in }
        }
      }
      stream.on(ResponseGreeting.self) { _, _ in
        let unit = open.withLock { unit in
          defer { unit = nil }
          return unit
        }
        unit?.commit { _, _ in }
      }
    }
  }

  @Test func `a plugin ends its unit, and a frontend speaks before that has had its turn`() throws {
    let (text, verdict, withoutMarks) = try interrupted(Bracketer())
    #expect(marks(text) == ["UnitClosing"])
    #expect(verdict == "as recorded")
    #expect(withoutMarks == #"expected ResponseUnit {"outcome":{"committed":{}}}"#)
  }

  /// Lets go of what it has held, unanswered, in the turn of a greeting.
  private struct Holder: Plugin {
    let name = "holder"

    func join(_ stream: EventStream) {
      let held = Locked<AsyncTurn?>(nil)
      stream.on(RequestChain.self) { _, turn in
        let hold = turn.hold()
        held.withLock { $0 = hold }
        turn.stream.request(RequestGreeting(name: "Anna")) { _, _ in }
      }
      stream.on(ResponseGreeting.self) { _, _ in
        let hold = held.withLock { held in
          defer { held = nil }
          return held
        }
        hold?.release()
      }
    }
  }

  @Test func `a plugin lets go of a delivery, and a frontend speaks before that has had its turn`()
    throws
  {
    let (text, verdict, withoutMarks) = try interrupted(Holder())
    #expect(marks(text) == ["Release"])
    #expect(verdict == "as recorded")
    let early =
      #"expected ResponseUnanswered {"request":"RequestChain","sequence":"1","reason":{"unanswered":{}}}"#
    #expect(withoutMarks == early)
  }

  /// Begins to hear greetings in the turn of the first one, and says so of each.
  private struct Latecomer: Plugin {
    let name = "latecomer"

    func join(_ stream: EventStream) {
      let hasBegun = Locked(false)
      stream.on(RequestChain.self) { _, turn in
        turn.stream.request(RequestGreeting(name: "Anna")) { _, _ in }
      }
      stream.on(ResponseGreeting.self) { _, turn in
        let begins = hasBegun.withLock { begun in
          defer { begun = true }
          return !begun
        }
        guard begins else { return }
        turn.stream.on(RequestGreeting.self) { _, turn in turn.send(ResponseChain(.success(""))) }
      }
    }
  }

  @Test func `a plugin begins to observe, and a frontend speaks before that has had its turn`()
    throws
  {
    let (text, verdict, withoutMarks) = try interrupted(Latecomer())
    #expect(marks(text) == ["Join"])
    #expect(verdict == "as recorded")
    #expect(withoutMarks == #"expected ResponseChain {"success":""}"#)
  }

  @Test func `what joining has left may have its turn before the first event, or earlier`() throws {
    var lines = try interrupted(Latecomer()).text.split(separator: "\n")
    let mark = try #require(lines.first { $0.hasPrefix(#"{"passed""#) })
    let first = try #require(lines.firstIndex { $0.hasPrefix(#"{"seq""#) })
    lines.insert(mark, at: first)
    let text = lines.joined(separator: "\n") + "\n"
    #expect(try GreetingSession.replay(text, with: [Latecomer()]).divergence?.text == nil)
  }

  @Test func `a turn that is not there is a divergence, with what led there`() throws {
    let text = try interrupted(Bracketer()).text
    let verdict = try GreetingSession.replay(text, with: [Latecomer()])
    // The unit is the first thing that another plugin lacks.
    #expect(verdict.divergence?.expected == #"RequestUnit {"mode":{"allOrNothing":{}}}"#)
    let other = try interrupted(Latecomer()).text
    let moved = try GreetingSession.replay(other, with: [Chainer()]).divergence
    #expect(moved?.expected == "the turn of Join, of which no event comes")
    #expect(moved?.actual == "another turn, or none")
    #expect(moved?.path.map(\.type) == ["ResponseGreeting", "RequestGreeting"])
  }

  /// Greets, and does nothing else.
  private struct Chainer: Plugin {
    let name = "chainer"

    func join(_ stream: EventStream) {
      stream.on(RequestChain.self) { _, turn in
        turn.stream.request(RequestGreeting(name: "Anna")) { _, _ in }
      }
    }
  }

  /// Makes a state in the midst of a session, and binds to it, as one does who makes view models.
  private struct Binder: Plugin {
    let name = "binder"

    func join(_ stream: EventStream) {
      let states = Locked<[State<Int>]>([])
      stream.on(RequestChain.self) { _, turn in
        let state = State(1, name: "count", on: turn.stream)
        turn.stream.on(ResponseRumour.self) { _, _ in }
        state.observe { _, _ in }
        state.observe { _, _ in }
        states.withLock { $0.append(state) }
        turn.set(state, to: 2)
        turn.send(ResponseChain(.success("")))
      }
    }
  }

  @Test func `S76 a state that is bound to in the midst of a session keeps its number`() throws {
    let text = try GreetingSession.record(with: [Binder()]) { port, stream, _ in
      port.request(RequestChain()) { _, _ in }
      stream.deliver()
      port.request(RequestChain()) { _, _ in }
      stream.deliver()
    }
    let verdict = try GreetingSession.replay(text, with: [Binder()])
    #expect(verdict.divergence?.text == nil)
    #expect(verdict.count == 6)
  }

  // MARK: The end

  /// Says one thing more for each rumour that was heard.
  private struct Gossip: Plugin {
    let name = "gossip"
    var isSilent = false

    func join(_ stream: EventStream) {
      guard !isSilent else { return }
      stream.on(ResponseRumour.self) { _, turn in turn.send(ResponseChain(.success("really"))) }
    }
  }

  /// A session in which a rumour is asked for.
  private func rumour(_ plugin: some Plugin) throws -> String {
    try GreetingSession.record(with: [plugin]) { port, stream, executor in
      port.request(RequestRumour(about: "Anna")) { _, _ in }
      executor.drain()
      stream.deliver()
    }
  }

  @Test func `what follows behind the end is a divergence, unless things were under way there`()
    throws
  {
    let text = try rumour(Gossip(isSilent: true))
    let over = try GreetingSession.replay(text, with: [Gossip()])
    #expect(over.divergence?.expected == "nothing")
    #expect(over.divergence?.actual == #"ResponseChain {"success":"really"}"#)
    var lines = text.split(separator: "\n").map(String.init)
    let end = lines.removeLast()
    #expect(end == #"{"complete":true,"events":2,"check":"b778333e"}"#)
    let cut = lines + [#"{"complete":true,"events":2,"underWay":true,"check":"b915ef61"}"#]
    let underWay = try GreetingSession.replay(cut.joined(separator: "\n") + "\n", with: [Gossip()])
    #expect(underWay.divergence?.text == nil)
    #expect(underWay.count == 2)
    // What was recorded has to come all the same.
    let missing = try GreetingSession.replay(rumour(Gossip()), with: [Gossip(isSilent: true)])
    #expect(missing.divergence?.actual == "nothing")
  }

  // MARK: Cancelling

  /// Asks for a greeting inside of each chain.
  private struct Asker: Plugin {
    let name = "asker"

    func join(_ stream: EventStream) {
      stream.on(RequestChain.self) { _, turn in
        turn.request(RequestGreeting(name: "Anna")) { _, _ in }
      }
    }
  }

  @Test func `what is cancelled matters from where that is first seen, before its own turn`() throws
  {
    let text = try GreetingSession.record(with: [Asker()]) { port, stream, _ in
      let chain = Locked<Conversation?>(nil)
      // Behind the plugin, which has queued its greeting already.
      port.on(RequestChain.self) { _, _ in
        port.request(RequestGreeting(name: "Bea")) { _, _ in }
        if let conversation = chain.withLock({ $0 }) { port.cancel(conversation) }
      }
      port.request(RequestGreeting(name: "Cleo")) { _, _ in
        let conversation = port.request(RequestChain()) { _, _ in }
        chain.withLock { $0 = conversation }
      }
      stream.deliver()
    }
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix(#"{"event""#) }
    let place = try #require(lines.firstIndex { $0.hasPrefix(#"{"cancelled":3"#) })
    #expect(lines[place - 1].contains(#""type":"RequestChain""#))
    #expect(lines[place + 1].hasPrefix(#"{"passed":"RequestGreeting""#))
    #expect(try GreetingSession.replay(text, with: [Asker()]).divergence?.text == nil)
  }
}
