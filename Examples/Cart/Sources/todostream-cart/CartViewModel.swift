import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

/// The view model of the cart: its outputs are states (S76), its inputs are requests (S77).
final class CartViewModel: Plugin {
  let name = "cart"
  private let joined = Locked<CartStates?>(nil)
  /// The states that views bind to; nil before it has joined.
  var states: CartStates? { joined.withLock { $0 } }

  func join(_ stream: EventStream) {
    let states = CartStates(stream)
    joined.withLock { $0 = states }
    stream.bridge(RequestCart.self, owner: self) { _, _, _ in
      RequestRecords<Line>()
    } reply: { _, _, lines, turn in
      states.show(lines, turn)
    }
    stream.bridge(RequestEditing.self, owner: self) { _, _, _ in
      RequestRecords<Line>()
    } reply: { _, request, lines, turn in
      states.edit(!request.off)
      return states.show(lines, turn)
    }
    change(RequestAddLine.self, states, stream) { request, store in
      try store.add(try request.line())
    }
    change(RequestQuantity.self, states, stream) { request, store in
      try store.change(store.record(request.id, of: Line.self)) {
        try $0.take(request.quantity.number)
      }
    }
    change(RequestCheck.self, states, stream) { request, store in
      let lines =
        try request.id.isEmpty ? store.records() : store.records(request.id, of: Line.self)
      for line in lines { try store.change(line) { $0.isChecked = !request.off } }
    }
    change(RequestUpdateList.self, states, stream) { request, store in
      let checked = try store.records(request.id, of: Line.self)
      for line in try store.records(Query<Line>()) {
        try store.change(line) { $0.isChecked = checked.contains(line) }
      }
    }
    change(RequestRemove.self, states, stream) { request, store in
      guard request.id.isEmpty else { return try store.remove(request.id, of: Line.self) }
      guard states.isEditing else { throw Failure(.usage, "Say which; all is for edit mode.") }
      try store.remove(Query<Line>().where(.equals(\.isChecked, true)))
    }
    joinPayment(stream, states)
    stream.follow(Line.self, owner: self) { _, lines, turn in _ = states.show(lines, turn) }
  }

  /// Replies with the cart after the change, and sends the sum once (S78).
  func change<R: Request>(
    _ type: R.Type,
    _ states: CartStates,
    _ stream: EventStream,
    _ change: @escaping @Sendable (R, inout RecordTransaction) throws -> Void
  ) where R.Reply == ResponseCart {
    stream.transaction(type) { request, store in
      try change(request, &store)
      let view = CartView(try store.records().map(CartView.Row.init), editing: states.isEditing)
      store.send(ResponseToast(store.origin, "To pay: \(view.price.text)"))
      return view
    }
  }
}

/// The states that views bind to: one state, and those derived from it; the initial values are here
/// (S86).
final class CartStates: Sendable {
  /// Changed at once, also inside a script, whose end the states wait for.
  var isEditing: Bool { mode.withLock { $0 } }
  private let mode = Locked(false)
  private let cart: State<CartView>
  let list: DerivedState<[CartView.Row]>
  let price: DerivedState<Amount>
  let allCheck: DerivedState<Bool>
  let hasCheck: DerivedState<Bool>
  let editing: DerivedState<Bool>
  /// Whether there is something to be paid, outside edit mode.
  let canPay: DerivedState<Bool>

  init(_ stream: EventStream) {
    cart = State(CartView([], editing: false), name: "cart", on: stream)
    list = cart.map("list", on: stream) { $0.list }
    price = cart.map("price", on: stream) { $0.price }
    allCheck = cart.map("allCheck", on: stream) { $0.allCheck }
    hasCheck = cart.map("hasCheck", on: stream) { $0.hasCheck }
    editing = cart.map("editing", on: stream) { $0.editing }
    canPay = cart.map("canPay", on: stream) { $0.hasCheck && !$0.editing }
  }

  /// Enters or leaves edit mode; `show` reports that.
  fileprivate func edit(_ isEditing: Bool) { mode.withLock { $0 = isEditing } }

  fileprivate func show(_ lines: [Kept<Line>], _ turn: borrowing Turn) -> CartView {
    let view = CartView(lines.map(CartView.Row.init), editing: isEditing)
    turn.set(cart, to: view)
    return view
  }
}

/// The badge at the cart's picture: a view model of its own, independent of all others.
final class BadgeViewModel: Plugin {
  let name = "badge"
  private let joined = Locked<BadgeStates?>(nil)
  /// The states that views bind to; nil before it has joined.
  var states: BadgeStates? { joined.withLock { $0 } }

  func join(_ stream: EventStream) {
    let states = BadgeStates(stream)
    joined.withLock { $0 = states }
    stream.show(states.isShown.named(.badgeShown), states.text.named(.badgeText))
    stream.bridge(RequestBadge.self, owner: self) { _, _, _ in
      RequestRecords<Line>()
    } reply: { _, _, lines, turn in
      states.show(lines, turn)
    }
    stream.follow(Line.self, owner: self) { _, lines, turn in _ = states.show(lines, turn) }
  }
}

/// The states that views of the badge bind to.
final class BadgeStates: Sendable {
  let isShown: DerivedState<Bool>
  /// The number of pieces; it stays while the badge disappears.
  let text: DerivedState<Int>
  private let count: State<Int>

  init(_ stream: EventStream) {
    count = State(0, name: "badge", on: stream)
    isShown = count.map("badgeIsEmpty", on: stream) { $0 == 0 }.not("badgeIsShown", on: stream)
    text = count.filter("badgeText", on: stream) { $0 > 0 }
  }

  fileprivate func show(_ lines: [Kept<Line>], _ turn: borrowing Turn) -> BadgeView {
    let view = BadgeView(count: lines.reduce(0) { $0 &+ $1.value.quantity })
    turn.set(count, to: view.count)
    return view
  }
}

extension RequestAddLine {
  fileprivate func line() throws -> Line {
    guard !title.isEmpty else { throw Failure(.validation, "Say what.", field: "title") }
    var line = Line(title: title, price: price, stock: stock.number)
    try line.take(quantity.number)
    return line
  }
}
