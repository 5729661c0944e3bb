import EventMVVMTesting
import ProcessTesting
import Testing

/// S77: what a view is given can be read, observed and derived from, and not be set.
@Suite(.hangLimit) struct ReadOnlyStateTests {
  @Test func `S77 setting what a view is given to bind to does not compile`() throws {
    let errors = try errorLines(
      """
      import EventMVVM
      import EventPatterns
      func show(_ overlay: Overlay) -> Bool { overlay.isShown.value }
      func disable(_ action: Action, _ stream: EventStream) -> DerivedState<Bool> {
        action.isExecuting.not("isEnabled", on: stream)
      }
      func set(_ overlay: Overlay) { overlay.isShown.set(true) }
      func set(_ overlay: Overlay, _ turn: borrowing ViewTurn) { turn.set(overlay.isShown, to: true) }
      func set(_ action: Action) { action.isExecuting.set(false) }
      func set(_ action: Action, _ turn: borrowing ViewTurn) { turn.set(action.isExecuting, to: true) }
      func begin(_ action: Action, _ turn: borrowing ViewTurn) throws { try action.begin(turn) }
      func end(_ action: Action, _ turn: borrowing ViewTurn) { _ = action.end(turn) }
      func set(_ state: DerivedState<Int>) { state.set(1) }
      func set(_ state: SwitchedState<Int>) { state.set(1) }
      func set(_ state: ReadOnlyState<Int>) { state.set(1) }
      func set(_ store: Store<Int>) { store.state.set(1) }
      func set(_ reactor: Reactor<Int, Int>) { reactor.state.set(1) }
      func set(_ container: StateContainer<Int>) { container.state.set(1) }
      func change(_ container: StateContainer<Int>, _ turn: borrowing ViewTurn) {
        container.change(turn) { $0 = 1 }
      }
      func say(_ port: ViewPort, _ state: State<Int>) { port.send(ResponseState(1, of: state)) }
      """
    )
    #expect(errors == [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22])
  }

  @Test func `S77 setting what the cart and the profile show does not compile in their own views`()
    throws
  {
    let errors = try errorLines(
      """
      import EventMVVM
      import EventPatterns
      @testable import todostream_cart
      @testable import todostream_profile
      func show(_ cart: CartStates) -> Bool { cart.isEditing || cart.editing.value }
      func show(_ badge: BadgeStates) -> Int { badge.text.value }
      func show(_ profile: ShownProfile) -> Bool { profile.loading.isShown.value }
      func set(_ cart: CartStates) { cart.isEditing = true }
      func edit(_ cart: CartStates) { cart.edit(true) }
      func set(_ cart: CartStates, _ turn: borrowing ViewTurn) { turn.set(cart.editing, to: true) }
      func list(_ cart: CartStates) { cart.list.set([]) }
      func price(_ cart: CartStates) { cart.price.set(cart.price.value) }
      func all(_ cart: CartStates) { cart.allCheck.set(true) }
      func has(_ cart: CartStates) { cart.hasCheck.set(true) }
      func pay(_ cart: CartStates) { cart.canPay.set(true) }
      func show(_ cart: CartStates, _ turn: borrowing Turn) { _ = cart.show([], turn) }
      func set(_ badge: BadgeStates) { badge.count.set(badge.count.value) }
      func hide(_ badge: BadgeStates) { badge.isShown.set(false) }
      func write(_ badge: BadgeStates) { badge.text.set(1) }
      func show(_ badge: BadgeStates, _ turn: borrowing Turn) { _ = badge.show([], turn) }
      func swap(_ profile: ShownProfile) { profile.viewModel = nil }
      func set(_ profile: ShownProfile) { profile.display.set(nil) }
      func load(_ profile: ShownProfile) { profile.loading.isShown.set(true) }
      func name(_ model: ProfileViewModel) { model.name.set("") }
      func refresh(_ model: ProfileViewModel) { model.isRefreshing.set(true) }
      """
    )
    #expect(errors == Array(8...25))
  }
}
