import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import Testing

@testable import todostream_profile

/// A host that asks a person, and is called back (S83); an overlay over several loads (S84).
@Suite(.hangLimit) struct ProfileHostTests {
  private let rig: ProfileRig
  private let host: ScriptHost
  private let questions = Locked<[ResponseQuestion]>([])

  init() throws {
    rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann")
    rig.add("Bob")
    host = ScriptHost()
    let port = rig.app.port(named: "host")
    host.register("share") { callback in
      port.request(RequestShare()) { result, _ in
        do {
          callback("shared \(try result.get().result.get().name)")
        } catch {
          callback(Failure(error).message)
        }
      }
    }
    rig.person.on(ResponseQuestion.self) { [questions] question, _ in
      questions.withLock { $0.append(question) }
    }
  }

  // MARK: S83

  @Test func `S83 the view model answers the host once, as the person has decided`() {
    rig.show(1)
    call()
    #expect(host.answers == [1: []])
    let asked = questions.withLock { $0 }
    #expect(asked.map(\.text) == ["May ANN be shared?"])
    #expect(asked.map(\.session) == [rig.person.origin])
    #expect(rig.say(RequestAnswer(1, "yes")).value == "Answered.")
    #expect(host.answers == [1: ["shared ANN"]])
    #expect(rig.say(RequestAnswer(1, "yes")).failure?.kind == .notFound)
    rig.leave()
    #expect(host.answers == [1: ["shared ANN"]])
  }

  /// The host asks whether what is shown may be shared.
  private func call() {
    host.call("share")
    rig.drain()
  }

  @Test func `S83 a person may say no`() {
    rig.show(1)
    call()
    rig.say(RequestAnswer(1, "no"))
    #expect(host.answers == [1: ["No."]])
  }

  @Test func `S83 the host is called back when something else is shown, or nobody, or all ends`()
    throws
  {
    rig.show(1)
    call()
    rig.show(1)
    #expect(host.answers == [1: []])
    rig.show(2)
    #expect(host.answers == [1: ["Nobody has answered."]])
    call()
    var references = Target<User>()
    try references.take(word: "2")
    rig.say(RequestRemoveUser(id: references))
    #expect(host.answers[2] == ["Nobody has answered."])
    rig.show(1)
    call()
    rig.leave()
    rig.drain()
    #expect(host.answers == [1: host.answers[2], 2: host.answers[2], 3: host.answers[2]])
  }

  @Test func `S83 where nobody else is there to be asked, the host is told at once`() {
    call()
    #expect(host.answers == [1: ["Nobody is shown; 'show 1' shows #1."]])
    rig.show(1)
    #expect(
      rig.say(RequestShare()).failure == Failure(.usage, "Nobody else is here to be asked.")
    )
  }

  @Test func `S83 nobody consents in the person's place`() {
    rig.show(1)
    let other = rig.app.port(named: "other host")
    let asking = rig.say(RequestShare(), as: other)
    #expect(rig.say(RequestAnswer(1, "yes"), as: other).failure?.kind == .notFound)
    #expect(asking.count == 0)
    rig.say(RequestAnswer(1, "yes"))
    #expect(asking.value?.name == "ANN")
  }

  @Test func `S83 of many calls each is answered, in their order, and no more than eight wait`() {
    rig.show(1)
    for _ in 1...9 { call() }
    let refusal = "Too many questions wait for an answer."
    #expect(host.answers.filter { !$0.value.isEmpty } == [9: [refusal]])
    rig.say(RequestAnswer(1, "no"))
    #expect(host.answers[1] == ["No."])
    for number in 2...8 { rig.say(RequestAnswer(number, "yes")) }
    #expect((2...8).allSatisfy { host.answers[$0] == ["shared ANN"] })
  }

  @Test func `S83 a host that has cancelled makes room`() throws {
    rig.show(1)
    let other = rig.app.port(named: "other host")
    let asked = (1...8).map { _ in rig.say(RequestShare(), as: other) }
    for asking in asked { other.cancel(try #require(asking.conversation)) }
    rig.drain()
    call()
    #expect(host.answers == [1: []])
    #expect(asked.allSatisfy { $0.failure == Failure(.cancelled, "Nobody has answered.") })
    #expect(asked.allSatisfy { $0.count == 1 })
  }

  // MARK: S84

  @Test func `S84 an overlay is shown over all that is loaded, and once`() throws {
    let rig = try ProfileRig(images: ScriptedImages((4, 3)))
    rig.add("Ann", avatar: "a", source: "s")
    let device = Overlaid()
    rig.shown.loading.drive(owner: device, show: { $0.show() }, hide: { $0.hide() })
    let refreshing = rig.say(RequestRefresh(id: RecordReference(1)))
    #expect(rig.shown.loading.isShown.value)
    #expect(device.calls.withLock { $0 } == ["show"])
    rig.advance(seconds: 1)
    rig.advance(seconds: 4)
    #expect(refreshing.value != nil)
    #expect(device.calls.withLock { $0 } == ["show", "hide"])
    #expect(rig.shown.loading.depth == 0)
  }
}

/// A host with handlers by name, each of which has to call back, once: a bridge to a script, say.
private final class ScriptHost {
  /// What each call was answered with, by its number.
  private(set) var answers: [Int: [String]] = [:]
  private var handlers: [String: (@escaping (String) -> Void) -> Void] = [:]

  func register(_ name: String, _ handler: @escaping (@escaping (String) -> Void) -> Void) {
    handlers[name] = handler
  }

  func call(_ name: String) {
    let number = answers.count + 1
    answers[number] = []
    handlers[name]? { [weak self] answer in self?.answers[number]?.append(answer) }
  }
}

/// An overlay of a device.
private final class Overlaid: Sendable {
  let calls = Locked<[String]>([])
  func show() { calls.withLock { $0.append("show") } }
  func hide() { calls.withLock { $0.append("hide") } }
}
