import EventCommands
import EventMVVM
import EventRecords
import EventValues

// The events about a cart (S85): the requests of views, and the events that they observe.

typealias ResponseCart = ResponseView<CartView>

/// A request whose reply is the cart.
protocol CartCommand: Command where Reply == ResponseCart {}

struct RequestCart: CartCommand, WatchedState, Codable {
  static let writes = false
  static let stateName = "cart"
  static let summary = "What is in the cart."
  static let command = CommandSpec<Self>("list", "Shows what is in the cart.")
}

struct RequestAddLine: CartCommand, Codable {
  var title = ""
  var price = Amount(hundredths: 0)
  var quantity = Count(1)
  var stock = Count(99)
  static let command = CommandSpec<Self>("add", "Puts something into the cart.")
    .word(\.title, "What")
    .option(\.price, "What one costs")
    .option(\.quantity, "How many")
    .option(\.stock, "How many there are to be had")
}

struct RequestQuantity: CartCommand, Codable {
  var id = RecordReference(0)
  var quantity = Count(1)
  static let command = CommandSpec<Self>("quantity", "Says how many to buy.")
    .word(\.id, "Of what")
    .word(\.quantity, "How many")
}

/// `checkItem` and `checkAll`.
struct RequestCheck: CartCommand, Codable {
  var id: [RecordReference] = []
  var off = false
  static let command = CommandSpec<Self>("check", "Checks what is to be bought, or unchecks it.")
    .word(\.id, "Which; all unless told")
    .option(\.off, "Unchecks it")
}

/// `updateListNoSelect` and `updateListAndSelect`.
struct RequestUpdateList: CartCommand, Codable {
  var id: [RecordReference] = []
  static let command = CommandSpec<Self>("update", "Reads the cart anew.")
    .word(\.id, "What is checked from now on; nothing unless told")
}

/// `deleteItem` and `deleteItems`.
struct RequestRemove: CartCommand, Codable {
  var id: [RecordReference] = []
  static let command = CommandSpec<Self>("remove", "Takes something out of the cart.")
    .word(\.id, "Which; while editing, all that is checked unless told")
}

/// `enterEditMode` and `leaveEditMode`.
struct RequestEditing: CartCommand, Codable {
  static let writes = false
  var off = false
  static let command = CommandSpec<Self>("editing", "Enters edit mode, or leaves it.")
    .option(\.off, "Leaves it")
}

struct RequestBadge: Command, WatchedState, Codable {
  typealias Reply = ResponseView<BadgeView>
  static let writes = false
  static let stateName = "badge"
  static let summary = "How many pieces are in the cart."
  static let command = CommandSpec<Self>("badge", "Counts what is in the cart.").method("show")
}
