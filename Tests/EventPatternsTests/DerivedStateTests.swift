import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S76, S77, S79, S86: states that follow others.
@Suite(.hangLimit) struct DerivedStateTests {
  @Test func `S86 its initial value is the rule's, of the source's as it is declared`() {
    let test = TestContext()
    let count = State(3, name: "count", on: test.stream)
    let label = count.map("label", on: test.stream) { "\($0) items" }
    #expect(label.value == "3 items")
    test.skip()
  }

  @Test func `S76 it follows each change, an event behind it`() {
    let test = TestContext()
    let count = State(0, name: "count", on: test.stream)
    let isEmpty = count.map("isEmpty", on: test.stream) { $0 == 0 }
    test.skip()
    var seen: [Bool] = []
    isEmpty.observe { value, _ in seen.append(value) }
    count.set(1)
    test.drain()
    #expect(isEmpty.value == false)
    #expect(seen == [true, false])
    test.skip()
  }

  @Test func `what is no news takes no turn, so that a recording begins with nothing of it`() {
    let test = TestContext()
    let tap = TurnCounter()
    test.stream.attach(tap)
    let count = State(1, name: "count", on: test.stream)
    let isEmpty = count.map("isEmpty", on: test.stream) { $0 == 0 }
    let either = count.combined(with: isEmpty, "either", on: test.stream) { $0 > 5 || $1 }
    test.drain()
    count.set(2)
    test.drain()
    #expect(tap.silent.filter { $0.hasPrefix("StateChange") } == [])
    test.stream.afterQueued { count.set(2) }
    test.drain()
    #expect(tap.silent.filter { $0.hasPrefix("StateChange") } == ["StateChange<Int>"])
    #expect(!either.value)
    test.skip()
  }

  @Test func `S76 what it says already it does not repeat`() {
    let test = TestContext()
    let count = State(1, name: "count", on: test.stream)
    let isEmpty = count.map("isEmpty", on: test.stream) { $0 == 0 }
    var seen: [Bool] = []
    isEmpty.observe { value, _ in seen.append(value) }
    for value in [2, 3, 0, 0, 5] {
      count.set(value)
      test.drain()
    }
    #expect(seen == [false, true, false])
    test.skip()
  }

  @Test func `S85 not is the other one`() {
    let test = TestContext()
    let isEditing = State(false, name: "isEditing", on: test.stream)
    let isShowing = isEditing.not("isShowing", on: test.stream)
    #expect(isShowing.value)
    isEditing.set(true)
    test.drain()
    #expect(!isShowing.value)
    test.skip()
  }

  @Test func `S85 filter stays as it was where a value is not admitted`() {
    let test = TestContext()
    let count = State(0, name: "count", on: test.stream)
    let text = count.filter("text", on: test.stream) { $0 > 0 }
    var seen: [Int] = []
    text.observe { value, _ in seen.append(value) }
    for value in [2, 0, 2, 0, 3] {
      count.set(value)
      test.drain()
    }
    #expect(seen == [0, 2, 3])
    test.skip()
  }

  @Test func `two sources make one state, and either can be derived itself`() {
    let test = TestContext()
    let price = State(10, name: "price", on: test.stream)
    let count = State(2, name: "count", on: test.stream)
    let isMany = count.map("isMany", on: test.stream) { $0 > 2 }
    let label = price.combined(with: isMany, "label", on: test.stream) { price, isMany in
      isMany ? "\(price) each" : "\(price)"
    }
    #expect(label.value == "10")
    var seen: [String] = []
    label.observe { value, _ in seen.append(value) }
    count.set(3)
    test.drain()
    price.set(12)
    test.drain()
    #expect(seen == ["10", "10 each", "12 each"])
    test.skip()
  }

  @Test func `it keeps its sources, and goes with its owner`() {
    // A test context keeps the events: they retain no states (S3).
    let test = TestContext()
    let stream = test.stream
    weak var source: State<Int>?
    weak var gone: DerivedState<Int>?
    do {
      let count = State(1, name: "count", on: stream)
      source = count
      let double = count.map("double", on: stream) { 2 * $0 }
      gone = double
      count.set(2)
      #expect(double.value == 4)
    }
    #expect(gone == nil)
    #expect(source == nil)
    test.skip()
  }
}

/// Notes the turns of which no event came.
private final class TurnCounter: EventTap {
  private let names = Locked<[String]>([])
  var silent: [String] { names.withLock { $0 } }

  func passed(_ entry: any StreamEntry.Type) {
    names.withLock { $0.append(entry.recordedName) }
  }
}
