import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

@Suite(.hangLimit) struct PluginLawsTests {
  /// A plugin whose way to join is given.
  private struct Sample: Plugin {
    var name = "sample-1"
    var act: @Sendable (EventStream) -> Void
    func join(_ stream: EventStream) { act(stream) }
  }

  private func violations(
    _ name: String = "sample-1",
    _ act: @escaping @Sendable (EventStream) -> Void
  ) -> [String] {
    PluginLaws.violations { Sample(name: name, act: act) }
  }

  @Test func `a lawful plugin breaks none`() {
    let broken = violations { stream in
      let state = State(0, name: "count", on: stream)
      stream.answer(RequestGreeting.self) { request, _ in "hello \(request.name)" }
      stream.on(RequestNothing.self) { event, turn in turn.set(state, to: event.number) }
      stream.onAsync(ResponseGreeting.self, buffer: .newest(1)) { _, _, _ in }
      stream.observeAll { _, _ in }
    }
    #expect(broken == [])
    PluginLaws.check { Sample { _ in } }
  }

  @Test(arguments: ["", "Sample", "my sample", "sämple", "sample_1"])
  func `law 1 catches a name that can't be typed`(name: String) {
    #expect(
      violations(name) { _ in }
        == ["Law 1: the name '\(name)' must be lower-case letters, digits and hyphens."]
    )
  }

  @Test func `law 2 catches who speaks on joining`() {
    let broken = violations { $0.send(RequestNothing(number: 1)) }
    #expect(
      broken.first == "Law 2: joining must send nothing, but sent RequestNothing(number: 1)."
    )
  }

  @Test func `law 3 catches who answers strangers`() {
    let broken = violations { stream in
      stream.observeAll { event, turn in
        if !(event is RequestNothing) { turn.send(RequestNothing(number: 1)) }
      }
    }
    #expect(
      broken == [
        "Law 3: an event of an unknown type must be left alone, but it sent "
          + "RequestNothing(number: 1)."
      ]
    )
  }

  @Test func `law 3 catches who answers strangers later`() {
    let broken = violations { stream in
      stream.observeAll { event, turn in
        guard !(event is RequestNothing) else { return }
        turn.perform { $0.send(RequestNothing(number: 2)) }
      }
    }
    #expect(
      broken == [
        "Law 3: an event of an unknown type must be left alone, but it sent "
          + "RequestNothing(number: 2)."
      ]
    )
  }

  @Test func `law 4 catches who answers a request twice`() {
    let broken = violations { stream in
      stream.answer(RequestGreeting.self) { _, _ in "" }
      stream.answer(RequestGreeting.self) { _, _ in "" }
    }
    #expect(
      broken == ["Law 4: RequestGreeting is answered by both 'sample-1' and 'sample-1'."]
    )
  }

  @Test func `law 5 catches who keeps the stream alive`() {
    let broken = violations { stream in
      stream.on(RequestNothing.self) { _, _ in stream.send(RequestGreeting()) }
    }
    #expect(broken == ["Law 5: the plugin keeps the stream alive: a retain cycle."])
  }

  @Test func `law 6 holds for services and for answers that wait`() {
    let broken = PluginLaws.violations(sending: [RequestGreeting(name: "Ann")]) {
      Sample { stream in
        stream.answer(RequestGreeting.self) { request, turn in
          try await turn.request(RequestRumour(about: request.name))
        }
        stream.answerAsync(RequestRumour.self) { request, _ in
          "\(request.about) was seen, \(UInt64.random(in: 1 ... .max))"
        }
      }
    }
    #expect(broken == [])
  }

  @Test func `law 6 catches what a replay can't repeat`() {
    let broken = PluginLaws.violations(sending: [RequestGreeting(name: "Ann")]) {
      let number = UInt64.random(in: 1 ... .max)
      return Sample { stream in
        stream.answer(RequestGreeting.self) { _, _ in "hello \(number)" }
      }
    }
    #expect(
      broken == [
        "Law 6: a replay must do what was recorded, but ResponseGreeting was recorded, and "
          + "ResponseGreeting followed."
      ]
    )
  }

  private struct RequestRumour: ViewModelEvent, Request {
    typealias Reply = ResponseRumour
    var about = ""
  }

  private struct ResponseRumour: ViewModelEvent, Response {
    let result: Result<String, Failure>
    init(_ result: Result<String, Failure>) { self.result = result }
  }

  @Test func `a broken law is an issue where it was checked`() {
    withKnownIssue {
      PluginLaws.check { Sample(name: "Bad") { _ in } }
    } matching: { issue in
      issue.comments.map(\.rawValue)
        == ["Law 1: the name 'Bad' must be lower-case letters, digits and hyphens."]
    }
  }
}
