import EventCommands
import EventMVVM
import EventRecords
import EventValues

/// A stored line of the cart.
struct Line: Record {
  var title = ""
  var price = Amount(hundredths: 0)
  var quantity = 1
  /// The number of available pieces.
  var stock = 99
  var isChecked = false

  static let fields = Fields<Self>("line").field("title", \.title).field("price", \.price)
    .field("quantity", \.quantity).field("stock", \.stock).field("isChecked", \.isChecked)

  static func measures(from before: Line?, to after: Line?, at time: Instant) -> [Measure] {
    let change = (after?.quantity ?? 0) - (before?.quantity ?? 0)
    return change == 0 ? [] : [Measure(.level("pieces"), change, at: time, by: [])]
  }

  /// Sets the quantity, if so many are available.
  mutating func take(_ number: Int) throws {
    guard number > 0, number <= min(stock, 9999) else {
      throw Failure(.validation, "There are \(min(stock, 9999)) of '\(title)'.", field: "quantity")
    }
    quantity = number
  }
}
