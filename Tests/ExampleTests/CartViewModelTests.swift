import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import SQLiteEngine
import Testing

@testable import todostream_cart

/// The cart's states, as a view in the same process binds to them.
@Suite(.hangLimit) struct CartViewModelTests {
  private let app = AppContext()
  private let states: CartStates
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    let model = CartViewModel()
    let database = RecordDatabase(of: "test", path: folder.path + "/cart.sqlite")
    app.add(
      RecordServer(database, [Line.self], watchesExternalChanges: false),
      model,
      BadgeViewModel()
    )
    states = try #require(model.states)
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
    var seen: [CartView.Quantity] = []
    states.list.observe { rows, _ in seen += rows.map(\.quantity) }
    var request = RequestQuantity(id: RecordReference(1))
    request.quantity = Count(7)
    try say(request)
    #expect(
      seen == [.init(number: 1, min: 1, max: 99), .init(number: 7, min: 1, max: 99)]
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

  @Test func `S77 what a view binds to can't be set by it`() {
    let shown: [Any] = [
      states.list, states.price, states.allCheck, states.hasCheck, states.editing, states.canPay,
    ]
    for state in shown { #expect(state is any ReadableState) }
    #expect(
      !shown.contains { $0 is State<[CartView.Row]> || $0 is State<Bool> || $0 is State<Amount> }
    )
  }

  @Test func `S80 what a view shows holds nothing of what is kept`() throws {
    try add("A", 100)
    let row = try #require(states.list.value.first)
    let parts = Mirror(reflecting: row).children.map(\.value)
    #expect(parts.count == 5)
    #expect(!parts.contains { $0 is any Record || $0 is Kept<Line> })
  }

  @Test func `S81 a view model may be shared, and a view that goes disturbs no other`() throws {
    var (first, second): ([Int], [Int]) = ([], [])
    let leaving = states.list.observe { rows, _ in first.append(rows.count) }
    states.list.observe { rows, _ in second.append(rows.count) }
    try add("A", 1)
    leaving.cancel()
    try add("B", 1)
    #expect(first == [0, 1])
    #expect(second == [0, 1, 2])
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
