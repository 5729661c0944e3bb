import EventApp
import EventCommands
import EventMVVM
import EventRecords

/// The sources' cart (S76 to S86): a domain, and nothing of a frontend.
@main
struct Cart: Domain {
  let program = Program("todostream-cart", version: "0.1.0", summary: "A shopping cart.")
  let records: [any Record.Type] = [Line.self]

  func addCommands(to catalogue: inout Catalogue) {
    catalogue.add(
      "cart",
      [
        RequestCart.self, RequestAddLine.self, RequestQuantity.self, RequestCheck.self,
        RequestUpdateList.self, RequestRemove.self, RequestEditing.self,
      ]
    )
    catalogue.add("badge", [RequestBadge.self])
    catalogue.add(wire: Wire(states: [RequestCart.self, RequestBadge.self]))
  }

  func servers(_ setting: ServerConfiguration) -> Servers {
    Servers(setting, [CartViewModel(), BadgeViewModel()])
  }
}
