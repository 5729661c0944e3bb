import EventCommands
import EventMVVM
import EventPatterns
import EventRecords
import EventValues

// Payment: a person has to agree, and it is in progress until then.

struct RequestPay: CartCommand, Codable {
  static let command = CommandSpec<Self>("pay", "Pays for what is checked, which then is gone.")
}

/// Asks to remove the checked lines, at the price that the person has agreed to.
struct RequestPaid: ViewModelEvent, Request, Codable {
  typealias Reply = ResponseCart
  let price: Amount
}

extension StateName {
  static let price = StateName("cart/price", "What is to be paid.")
  static let canPay = StateName("cart/canPay", "Whether there is something to be paid now.")
  static let paying = StateName("cart/paying", "Whether it is being paid.", progress: "paying")
  static let badgeShown = StateName("badge/shown", "Whether the cart has a badge.")
  static let badgeText = StateName("badge/text", "How many pieces the badge says, or said last.")
}

extension CartViewModel {
  /// Asks the person, and removes the paid lines; one payment at a time (S83, S91).
  func joinPayment(_ stream: EventStream, _ states: CartStates) {
    let paying = Action("pay", on: stream)
    stream.show(
      states.price.named(.price),
      states.canPay.named(.canPay),
      paying.isExecuting.named(.paying)
    )
    stream.declareAnswerer(of: RequestPay.self)
    stream.on(RequestPay.self, owner: self) { _, _, turn in
      Self.pay(paying, turn) { result, turn in turn.send(ResponseCart(result)) }
    }
    change(RequestPaid.self, states, stream) { request, store in
      let checked = Query<Line>().where(.equals(\.isChecked, true))
      let view = CartView(try store.records(checked).map(CartView.Row.init), editing: false)
      guard view.price == request.price, view.hasCheck else {
        throw Failure(.conflict, "The cart has changed meanwhile; nothing was paid.")
      }
      try store.remove(checked)
    }
  }

  private typealias Ending = (Result<CartView, Failure>, borrowing Turn) -> Void

  private static func pay(_ paying: Action, _ turn: borrowing Turn, then: @escaping Ending) {
    do {
      try paying.begin(turn)
    } catch {
      return then(.failure(error), turn)
    }
    let end: Ending = { result, turn in
      _ = paying.end(turn)
      then(result, turn)
    }
    turn.request(RequestCart()) { result, turn in
      do {
        try agree(try result.get().result.get(), turn, then: end)
      } catch {
        end(.failure(Failure(error)), turn)
      }
    }
  }

  private static func agree(
    _ cart: CartView,
    _ turn: borrowing Turn,
    then: @escaping Ending
  ) throws(Failure) {
    guard cart.hasCheck, !cart.editing else { throw Failure(.usage, "There is nothing to pay.") }
    let question = RequestDecision(turn.origin, "Pay \(cart.price.text)?", choices: ["yes", "no"])
    turn.request(question) { result, turn in
      do {
        guard try result.get().result.get() == "yes" else {
          throw Failure(.cancelled, "Nothing was paid.")
        }
        turn.request(RequestPaid(price: cart.price)) { result, turn in
          then(result.mapError(Failure.init).flatMap(\.result), turn)
        }
      } catch {
        then(.failure(Failure(error)), turn)
      }
    }
  }
}
