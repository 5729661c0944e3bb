import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S84: an imperative API as state, and a state that drives one.
@Suite(.hangLimit) struct OverlayTests {
  private let stream = EventStream()

  private func seen(_ overlay: Overlay) -> Locked<[Bool]> {
    let seen = Locked<[Bool]>([])
    overlay.isShown.observe { isShown, _ in seen.withLock { $0.append(isShown) } }
    return seen
  }

  @Test func `S84 it is shown from the first show to the last hide`() {
    let overlay = Overlay("loading", on: stream)
    let seen = seen(overlay)
    overlay.show()
    overlay.show()
    overlay.hide()
    #expect(seen.withLock { $0 } == [false, true])
    #expect(overlay.depth == 1)
    overlay.hide()
    #expect(seen.withLock { $0 } == [false, true, false])
  }

  @Test func `S84 a hide too many hides nothing that comes later`() {
    let overlay = Overlay("loading", on: stream)
    overlay.hide()
    overlay.hide()
    overlay.show()
    #expect(overlay.isShown.value)
    overlay.hide()
    #expect(!overlay.isShown.value)
  }

  @Test func `S84 who binds late is told how it is`() {
    let overlay = Overlay("loading", on: stream)
    overlay.show()
    #expect(seen(overlay).withLock { $0 } == [true])
  }

  @Test func `S84 an imperative overlay is shown and hidden in turn`() {
    let overlay = Overlay("loading", on: stream)
    let device = Device()
    overlay.drive(owner: device, show: { $0.show() }, hide: { $0.hide() })
    #expect(device.calls.withLock { $0 } == [])
    overlay.hide()
    overlay.show()
    overlay.show()
    overlay.hide()
    overlay.hide()
    overlay.show()
    #expect(device.calls.withLock { $0 } == ["show", "hide", "show"])
  }

  @Test func `S84 it is told in the midst of a unit, and nothing of it is taken back`() {
    let overlay = Overlay("loading", on: stream)
    let seen = seen(overlay)
    stream.answer(RequestWork.self) { work, _ in
      if work.begins { overlay.show() } else { overlay.hide() }
      return overlay.depth
    }
    var unit: StreamUnit?
    stream.begin(.allOrNothing) { result, _ in unit = try? result.get() }
    unit?.request(RequestWork(begins: true)) { _, _ in }
    #expect(seen.withLock { $0 } == [false, true])
    unit?.request(RequestWork(begins: false)) { _, _ in }
    unit?.rollBack { _, _ in }
    #expect(seen.withLock { $0 } == [false, true, false])
    #expect(overlay.depth == 0)
  }

  @Test func `S84 many threads may call it`() async {
    let overlay = Overlay("loading", on: stream)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            overlay.show()
            overlay.hide()
          }
        }
      }
    }
    #expect(overlay.depth == 0)
  }
}

private struct RequestWork: ViewModelEvent, Request {
  typealias Reply = ResponseWork
  let begins: Bool
}

private struct ResponseWork: ViewModelEvent, Response {
  let result: Result<Int, Failure>
  init(_ result: Result<Int, Failure>) { self.result = result }
}

/// An overlay of a device: shown twice it would be there twice.
private final class Device: Sendable {
  let calls = Locked<[String]>([])
  func show() { calls.withLock { $0.append("show") } }
  func hide() { calls.withLock { $0.append("hide") } }
}
