import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S92: a view is bound anew when its view model is swapped.
@Suite(.hangLimit) struct SwitchedStateTests {
  private let stream = EventStream()

  @Test func `S92 it follows whatever is held, and nothing of what was`() {
    let (first, second) = (Model("a", stream), Model("b", stream))
    let held = State<Model?>(nil, name: "held", on: stream)
    let title = SwitchedState(of: held, or: "none", name: "title", on: stream) { $0?.title }
    var seen: [String] = []
    title.observe { value, _ in seen.append(value) }
    held.set(first)
    first.title.set("a2")
    held.set(second)
    first.title.set("a3")
    second.title.set("b2")
    held.set(nil)
    second.title.set("b3")
    #expect(seen == ["none", "a", "a2", "b", "b2", "none"])
    #expect(title.value == "none")
  }

  @Test func `S92 it keeps what is derived for it, and lets go of it with what was held`() {
    let held = State<Model?>(nil, name: "held", on: stream)
    weak var derived: DerivedState<String>?
    let made = Locked<[DerivedState<String>]>([])
    let title = SwitchedState(of: held, or: "none", name: "title", on: stream) {
      [stream] (model: Model?) -> DerivedState<String>? in
      guard let model else { return nil }
      let loud = model.title.map("loud", on: stream) { $0.uppercased() }
      made.withLock { $0.append(loud) }
      return loud
    }
    var seen: [String] = []
    title.observe { value, _ in seen.append(value) }
    let model = Model("a", stream)
    held.set(model)
    derived = made.withLock { $0.last }
    made.withLock { $0 = [] }
    model.title.set("b")
    #expect(derived != nil)
    held.set(nil)
    model.title.set("c")
    #expect(seen == ["none", "A", "B", "none"])
    #expect(derived == nil)
  }

  @Test func `S92 what is held at the beginning is its value at once`() {
    let model = Model("a", stream)
    let held = State<Model?>(model, name: "held", on: stream)
    let title = SwitchedState(of: held, or: "none", name: "title", on: stream) { $0?.title }
    #expect(title.value == "a")
  }

  @Test func `S92 it keeps nobody who is held no more, and goes itself`() {
    let held = State<Model?>(nil, name: "held", on: stream)
    var title: SwitchedState<String>? =
      SwitchedState(of: held, or: "none", name: "title", on: stream) { $0?.title }
    weak var model: Model?
    do {
      let first = Model("a", stream)
      model = first
      held.set(first)
      #expect(title?.value == "a")
      held.set(nil)
    }
    #expect(model == nil)
    weak let gone = title
    title = nil
    #expect(gone == nil)
  }
}

private final class Model: Sendable, Equatable {
  let title: State<String>

  init(_ title: String, _ stream: EventStream) {
    self.title = State(title, name: "title", on: stream)
  }

  static func == (first: Model, second: Model) -> Bool { first === second }
}
