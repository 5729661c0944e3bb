import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import Foundation
import SQLiteEngine
import Testing

@testable import todostream_cart

/// One story of the cart (S85) with bindings, and here: what each output says, in its order.
@Suite(.hangLimit) struct CartStoriesTests {
  @Test func `S76 S85 MVVM with bindings and the states of the cart tell the same story`() throws {
    let theirs = Combine.CartViewModel()
    let badge = Combine.BadgeViewModel(theirs.$list)
    try theirs.add(.init(id: 1, title: "A", price: amount(120), stock: 9, quantity: 2))
    try theirs.add(.init(id: 2, title: "B", price: amount(300), stock: 9, quantity: 1))
    var seen = Seen()
    let bindings = [
      theirs.$price.sink { seen.price.append($0.text) },
      theirs.$allCheck.sink { seen.allCheck.append($0) },
      theirs.$hasCheck.sink { seen.hasCheck.append($0) },
      theirs.$editing.sink { seen.editing.append($0) },
      theirs.$canPay.sink { seen.canPay.append($0) },
    ]
    let toasts = theirs.toast.sink { seen.toasts.append($0) }
    try theirs.checkItem(1, true)
    theirs.checkAll(true)
    try theirs.setQuantity(3, of: 2)
    theirs.enterEditMode()
    theirs.updateListAndSelect([2])
    try theirs.deleteItems()
    theirs.leaveEditMode()
    theirs.updateListNoSelect()
    withExtendedLifetime((bindings, toasts)) {}
    #expect(seen == Self.story)
    #expect(theirs.list.map(\.title) == ["A"])
    #expect(badge.count == 2)
    let ours = try CartHouse()
    try ours.tellStory()
    #expect(ours.seen.withLock { $0 } == Self.story)
    #expect(ours.titles == ["A"])
    #expect(try ours.say(RequestBadge()).count == 2)
  }

  @Test func `S85 with bindings and here a wrong quantity is refused in the same words`() throws {
    let theirs = Combine.CartViewModel()
    try theirs.add(.init(id: 1, title: "A", price: amount(120), stock: 9, quantity: 2))
    let refusal = Failure(.validation, "There are 9 of 'A'.", field: "quantity")
    for quantity in [0, 10] {
      #expect(throws: refusal) { try theirs.setQuantity(quantity, of: 1) }
    }
    #expect(throws: Failure(.usage, "Say which; all is for edit mode.")) {
      try theirs.deleteItems()
    }
    #expect(throws: Failure(.notFound, "There is no line 4.")) { try theirs.deleteItem(4) }
    try theirs.deleteItem(1)
    #expect(theirs.list == [])
    let ours = try CartHouse()
    try ours.add("A", 120, 2)
    for quantity in [0, 10] {
      #expect(throws: refusal) {
        try ours.say(RequestQuantity(id: RecordReference(1), quantity: Count(quantity)))
      }
    }
    #expect(throws: Failure(.usage, "Say which; all is for edit mode.")) {
      try ours.say(RequestRemove())
    }
  }

  private static let story = Seen(
    price: ["0.00", "2.40", "5.40", "11.40", "9.00", "0.00"],
    allCheck: [false, true, false],
    hasCheck: [false, true, false],
    editing: [false, true, false],
    canPay: [false, true, false],
    toasts: [
      "To pay: 2.40", "To pay: 5.40", "To pay: 11.40", "To pay: 9.00", "To pay: 0.00",
      "To pay: 0.00",
    ]
  )
}

/// What a view was told.
private struct Seen: Equatable {
  var price: [String] = []
  var allCheck: [Bool] = []
  var hasCheck: [Bool] = []
  var editing: [Bool] = []
  var canPay: [Bool] = []
  var toasts: [String] = []
}

private func amount(_ hundredths: Int) -> Amount { Amount(hundredths: hundredths) }

/// The cart on a stream, with a store of its own and a view that writes down what it is told.
private final class CartHouse {
  let seen = Locked(Seen())
  private let app = AppContext()
  private let states: CartStates
  private let folder = FileManager.default.temporaryDirectory.path + "/cart-\(UUID().uuidString)"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let model = CartViewModel()
    let database = RecordDatabase(of: "test", path: folder + "/cart.sqlite")
    app.add(
      RecordServer(database, [Line.self], watchesExternalChanges: false),
      model,
      BadgeViewModel()
    )
    states = try #require(model.states)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var titles: [String] { states.list.value.map(\.title) }

  @discardableResult
  func say<R: Command>(_ request: R) throws -> R.Reply.Value {
    var answer: Result<R.Reply, Interruption>?
    app.port(named: "view").request(request) { result, _ in answer = result }
    return try #require(answer).get().result.get()
  }

  func add(_ title: String, _ hundredths: Int, _ quantity: Int) throws {
    let price = Amount(hundredths: hundredths)
    try say(
      RequestAddLine(title: title, price: price, quantity: Count(quantity), stock: Count(9))
    )
  }

  func tellStory() throws {
    try add("A", 120, 2)
    try add("B", 300, 1)
    let seen = seen
    states.price.observe { value, _ in seen.withLock { $0.price.append(value.text) } }
    states.allCheck.observe { value, _ in seen.withLock { $0.allCheck.append(value) } }
    states.hasCheck.observe { value, _ in seen.withLock { $0.hasCheck.append(value) } }
    states.editing.observe { value, _ in seen.withLock { $0.editing.append(value) } }
    states.canPay.observe { value, _ in seen.withLock { $0.canPay.append(value) } }
    app.stream.on(ResponseToast.self) { toast, _ in
      seen.withLock { $0.toasts.append(toast.text) }
    }
    try say(RequestCheck(id: [RecordReference(1)]))
    try say(RequestCheck())
    try say(RequestQuantity(id: RecordReference(2), quantity: Count(3)))
    try say(RequestEditing())
    try say(RequestUpdateList(id: [RecordReference(2)]))
    try say(RequestRemove())
    try say(RequestEditing(off: true))
    try say(RequestUpdateList())
  }
}
