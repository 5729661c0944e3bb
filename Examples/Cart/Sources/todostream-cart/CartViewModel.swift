import EventCommands
import EventMVVM
import EventPatterns
import EventRecords

/// The view model of the cart: what it shows are states (S76), what it is told are requests (S77).
final class CartViewModel: Plugin {
  let name = "cart"
  private let joined = Locked<CartStates?>(nil)
  /// What views bind to; nil before it has joined.
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
      states.isEditing.withLock { $0 = !request.off }
      return states.show(lines, turn)
    }
    change(RequestAddLine.self, states, stream) { request, _, _ in [.add(try request.line())] }
    change(RequestQuantity.self, states, stream) { request, lines, _ in
      try lines.changed([request.id]) { try $0.take(request.quantity.number) }
    }
    change(RequestCheck.self, states, stream) { request, lines, _ in
      try lines.changed(request.id.isEmpty ? nil : request.id) { $0.isChecked = !request.off }
    }
    change(RequestUpdateList.self, states, stream) { request, lines, _ in
      let others = lines.map { RecordReference($0.number) }.filter { !request.id.contains($0) }
      return try lines.changed(others) { $0.isChecked = false }
        + lines.changed(request.id) { $0.isChecked = true }
    }
    change(RequestRemove.self, states, stream) { request, lines, isEditing in
      guard request.id.isEmpty else { return request.id.map { .remove($0.number) } }
      guard isEditing else { throw Failure(.usage, "Say which; all is for edit mode.") }
      return lines.filter(\.value.isChecked).map { .remove($0.number) }
    }
    stream.follow(Line.self, owner: self) { _, lines, turn in _ = states.show(lines, turn) }
  }

  /// Answers with the cart as it is then, and says once what is to be paid (S78).
  private func change<R: CartCommand>(
    _ type: R.Type,
    _ states: CartStates,
    _ stream: EventStream,
    _ writes: @escaping (R, [Kept<Line>], Bool) throws -> [RecordWrite<Line>]
  ) {
    stream.change(type, owner: self) { _, request, lines in
      try writes(request, lines, states.isEditing.withLock { $0 })
    } reply: { _, _, lines, turn in
      let view = states.show(lines, turn)
      turn.send(ResponseToast(turn.origin, "To pay: \(view.price.text)"))
      return view
    }
  }
}

/// What views bind to: one state, and those that follow it; the initial values stand here (S86).
final class CartStates: Sendable {
  /// Known at once, also inside of a script, where states wait for its end.
  let isEditing = Locked(false)
  private let cart: State<CartView>
  let list: DerivedState<[CartView.Row]>
  let price: DerivedState<Amount>
  let allCheck: DerivedState<Bool>
  let hasCheck: DerivedState<Bool>
  let editing: DerivedState<Bool>
  /// Whether there is something to be paid, and nobody edits.
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

  func show(_ lines: [Kept<Line>], _ turn: borrowing Turn) -> CartView {
    let view = CartView(lines.map(CartView.Row.init), editing: isEditing.withLock { $0 })
    turn.set(cart, to: view)
    return view
  }
}

/// The badge at the cart's picture: a view model of its own, that knows no other.
final class BadgeViewModel: Plugin {
  let name = "badge"

  func join(_ stream: EventStream) {
    stream.bridge(RequestBadge.self, owner: self) { _, _, _ in
      RequestRecords<Line>()
    } reply: { _, _, lines, _ in
      BadgeView(count: lines.reduce(0) { $0 &+ $1.value.quantity })
    }
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
