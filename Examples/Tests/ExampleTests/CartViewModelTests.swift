import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import SQLiteEngine
import Testing

@testable import todostream_cart

/// The cart's states, as a view in the same process binds to them.
@Suite(.hangLimit) struct CartViewModelTests {
  private let app = AppContext()
  private let states: CartStates
  private let badge: BadgeStates
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    let (model, badge) = (CartViewModel(), BadgeViewModel())
    let database = RecordDatabase(of: "test", path: folder.path + "/cart.sqlite")
    app.add(
      RecordServer(database, [Line.self], watchesExternalChanges: false),
      model,
      badge
    )
    states = try #require(model.states)
    self.badge = try #require(badge.states)
  }

  private func say<R: Command>(_ request: R) throws {
    var answer: Result<R.Reply, Interruption>?
    app.port(named: "view").request(request) { result, _ in answer = result }
    _ = try #require(answer).get().result.get()
  }

  private func add(_ title: String, _ hundredths: Int, _ count: Int = 1) throws {
    var request = RequestAddLine()
    request.title = title
    request.price = Amount(hundredths: hundredths)
    request.quantity = Count(count)
    try say(request)
  }

  private func check(_ numbers: Int..., off: Bool = false) throws {
    try say(RequestCheck(id: numbers.map { RecordReference($0) }, off: off))
  }

  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { CartViewModel() }
    PluginLaws.check { BadgeViewModel() }
  }

  @Test func `S76 each output is a state: the latest value at once, and then the changes`() throws {
    try add("A", 100)
    var seen: [Bool] = []
    states.hasCheck.observe { value, _ in seen.append(value) }
    try check(1)
    try check(1)
    try check(1, off: true)
    #expect(seen == [false, true, false])
  }

  @Test func `S79 quantity, min and max change in one emission`() throws {
    try add("A", 100)
    var seen: [[CartView.Quantity]] = []
    states.list.observe { rows, _ in seen.append(rows.map(\.quantity)) }
    try say(RequestQuantity(id: RecordReference(1), quantity: Count(7)))
    // Somebody else has bought the last one.
    let gone = Line(title: "A", price: Amount(hundredths: 100), quantity: 0, stock: 0)
    app.stream.request(RequestWriteRecords([.put(1, gone, seen: 2)])) { _, _ in }
    #expect(
      seen == [
        [.init(number: 1, min: 1, max: 99)], [.init(number: 7, min: 1, max: 99)],
        [.init(number: 0, min: 0, max: 0)],
      ]
    )
  }

  @Test func `S85 price, allCheck and hasCheck follow the list`() throws {
    try add("A", 120, 2)
    try add("B", 300)
    #expect(states.price.value.text == "0.00")
    #expect(!states.allCheck.value && !states.hasCheck.value)
    try check(1)
    #expect(states.price.value.text == "2.40")
    #expect(!states.allCheck.value && states.hasCheck.value)
    try check()
    #expect(states.price.value.text == "5.40")
    #expect(states.allCheck.value && states.canPay.value)
  }

  @Test func `S80 what a view shows holds nothing of what is kept`() throws {
    try add("A", 100)
    let row = try #require(states.list.value.first)
    let parts = Mirror(reflecting: row).children.map(\.value)
    #expect(parts.count == 5)
    #expect(!parts.contains { $0 is any Record || $0 is Kept<Line> })
  }

  @Test func `S109 what a person does to any control is a source of the component's events`()
    async throws
  {
    try add("A", 100)
    var seen: [Bool] = []
    states.allCheck.observe { isOn, _ in seen.append(isOn) }
    let view = app.port(named: "view")
    let (flips, flip) = AsyncStream.makeStream(of: Bool.self)
    for isOn in [true, false] { flip.yield(isOn) }
    flip.finish()
    try await view.send(each: flips) { isOn in
      var request = RequestCheck()
      request.off = !isOn
      return request
    }
    #expect(seen == [false, true, false])
    let (taps, tap) = AsyncStream.makeStream(of: Void.self)
    tap.yield()
    tap.finish()
    try await view.send(each: taps) { RequestCheck() }
    #expect(seen == [false, true, false, true])
  }

  @Test func `S78 a toast is said once, to whoever has made the change`() throws {
    let said = Locked<[ResponseToast]>([])
    let view = app.port(named: "other view")
    view.on(ResponseToast.self) { toast, _ in said.withLock { $0.append(toast) } }
    try add("A", 120)
    try check()
    #expect(said.withLock { $0.map(\.text) } == ["To pay: 0.00", "To pay: 1.20"])
    #expect(said.withLock { $0.allSatisfy { $0.session != view.origin } })
    let late = Locked(0)
    app.port(named: "late view").on(ResponseToast.self) { _, _ in late.withLock { $0 += 1 } }
    #expect(late.withLock { $0 } == 0)
  }

  @Test func `S76 S85 the badge has states: whether it is shown, and what stands on it`() throws {
    var (shown, texts): ([Bool], [Int]) = ([], [])
    badge.isShown.observe { value, _ in shown.append(value) }
    badge.text.observe { value, _ in texts.append(value) }
    try add("A", 100, 2)
    try add("B", 100)
    try say(RequestRemove(id: [RecordReference(1), RecordReference(2)]))
    try add("C", 100, 3)
    #expect(shown == [false, true, false, true])
    #expect(texts == [0, 2, 3])
  }

  @Test func `S85 while somebody edits, nothing can be paid`() throws {
    try add("A", 120)
    try check()
    try say(RequestEditing())
    #expect(states.editing.value && !states.canPay.value)
    try say(RequestEditing(off: true))
    #expect(!states.editing.value && states.canPay.value)
  }

  @Test func `S85 an update keeps what is selected with it, and nothing else`() throws {
    try add("A", 1)
    try add("B", 1)
    try check(1)
    try say(RequestUpdateList(id: [RecordReference(2)]))
    #expect(states.list.value.map(\.checked) == [false, true])
    try say(RequestUpdateList())
    #expect(states.list.value.map(\.checked) == [false, false])
  }
}
