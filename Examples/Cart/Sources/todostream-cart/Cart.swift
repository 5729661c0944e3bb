import EventApp
import EventCommands
import EventMVVM
import EventRecords
import StandardParts

/// The sources' cart (S76 to S86): a domain without any frontend.
@main
struct Cart: Domain {
  let program = Program("todostream-cart", version: "0.1.0", summary: "A shopping cart.")
  let records: [any Record.Type] = [Line.self]
  let parts = Parts.standard()

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(
      "cart",
      [
        RequestCart.self, RequestAddLine.self, RequestQuantity.self, RequestCheck.self,
        RequestUpdateList.self, RequestRemove.self, RequestEditing.self, RequestPay.self,
      ]
    )
    catalogue.add("badge", [RequestBadge.self])
    catalogue.add(
      wire: Wire(
        states: [RequestCart.self, RequestBadge.self],
        cells: [.price, .canPay, .paying, .badgeShown, .badgeText]
      )
    )
  }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [CartViewModel(), BadgeViewModel()])
  }
}
