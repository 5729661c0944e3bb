import EventCommands
import EventRecords
import EventValues

/// The cart for views, independent of its records (S80).
struct CartView: EncodedResult, Decodable {
  let list: [Row]
  let price: Amount
  let allCheck: Bool
  let hasCheck: Bool
  let editing: Bool

  struct Row: Sendable, Equatable, Codable {
    let id: Int
    let title: String
    let price: Amount
    let quantity: Quantity
    let checked: Bool
  }

  /// A quantity and its limits: they change together, and so they are one value (S79).
  struct Quantity: Sendable, Equatable, Codable {
    let number: Int
    let min: Int
    let max: Int
  }

  func show(on page: inout Page) {
    for row in list {
      page.write("#\(row.id) ", .secondary)
      page.write("[\(row.checked ? "x" : " ")] \(row.quantity.number) × ")
      page.write(user: row.title)
      page.write("  \(row.price.text)", .secondary)
      page.endLine()
    }
    page.write(editing ? "editing" : "to pay: \(price.text)", .prominent)
    page.endLine()
  }
}

extension CartView {
  init(_ rows: [Row], editing: Bool) {
    let checked = rows.filter(\.checked)
    self.init(
      list: rows,
      price: checked.reduce(Amount(hundredths: 0)) { $0 + $1.price * $1.quantity.number },
      allCheck: !rows.isEmpty && checked.count == rows.count,
      hasCheck: !checked.isEmpty,
      editing: editing
    )
  }
}

extension CartView.Row {
  init(_ line: Kept<Line>) {
    let value = line.value
    self.init(
      id: line.number,
      title: value.title,
      price: value.price,
      quantity: .init(number: value.quantity, min: min(1, value.stock), max: value.stock),
      checked: value.isChecked
    )
  }
}

struct BadgeView: EncodedResult {
  let count: Int

  func show(on page: inout Page) {
    page.write("\(count)")
    page.endLine()
  }
}
