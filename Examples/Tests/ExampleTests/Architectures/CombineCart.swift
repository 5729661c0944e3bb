import EventCommands
import EventMVVM
import EventValues

/// The cart (S85) as somebody who knows MVVM with bindings writes it.
extension Combine {
  struct CartRow: Equatable {
    let id: Int
    let title: String
    let price: Amount
    let stock: Int
    var quantity: Int
    var checked = false
  }

  final class CartViewModel {
    @Published private(set) var list: [CartRow] = []
    @Published private(set) var price = Amount(hundredths: 0)
    @Published private(set) var allCheck = false
    @Published private(set) var hasCheck = false
    @Published private(set) var editing = false
    @Published private(set) var canPay = false
    let toast = PassthroughSubject<String, Never>()

    init() {
      $list.map(Self.price).removeDuplicates().assign(to: &$price)
      $list.map { !$0.isEmpty && $0.allSatisfy(\.checked) }.removeDuplicates()
        .assign(to: &$allCheck)
      $list.map { $0.contains(where: \.checked) }.removeDuplicates().assign(to: &$hasCheck)
      $hasCheck.combineLatest($editing).map { $0 && !$1 }.removeDuplicates()
        .assign(to: &$canPay)
    }

    func add(_ row: CartRow) throws {
      guard !row.title.isEmpty else {
        throw Failure(.validation, "Say what.", field: "title")
      }
      try Self.check(row.quantity, of: row)
      change { $0.append(row) }
    }

    func setQuantity(_ quantity: Int, of id: Int) throws {
      let index = try index(of: id)
      try Self.check(quantity, of: list[index])
      change { $0[index].quantity = quantity }
    }

    func checkItem(_ id: Int, _ checked: Bool) throws {
      let index = try index(of: id)
      change { $0[index].checked = checked }
    }

    func checkAll(_ checked: Bool) {
      change { rows in
        for index in rows.indices { rows[index].checked = checked }
      }
    }

    func updateListAndSelect(_ ids: [Int]) {
      change { rows in
        for index in rows.indices { rows[index].checked = ids.contains(rows[index].id) }
      }
    }

    func updateListNoSelect() {
      updateListAndSelect([])
    }

    func deleteItem(_ id: Int) throws {
      let index = try index(of: id)
      change { $0.remove(at: index) }
    }

    func deleteItems() throws {
      guard editing else { throw Failure(.usage, "Say which; all is for edit mode.") }
      change { $0.removeAll(where: \.checked) }
    }

    func enterEditMode() {
      editing = true
    }

    func leaveEditMode() {
      editing = false
    }

    private func change(_ body: (inout [CartRow]) -> Void) {
      var rows = list
      body(&rows)
      list = rows
      toast.send("To pay: \(price.text)")
    }

    private func index(of id: Int) throws -> Int {
      guard let index = list.firstIndex(where: { $0.id == id }) else {
        throw Failure(.notFound, "There is no line \(id).")
      }
      return index
    }

    private static func check(_ quantity: Int, of row: CartRow) throws {
      guard quantity > 0, quantity <= min(row.stock, 9999) else {
        throw Failure(
          .validation,
          "There are \(min(row.stock, 9999)) of '\(row.title)'.",
          field: "quantity"
        )
      }
    }

    private static func price(of rows: [CartRow]) -> Amount {
      rows.filter(\.checked).reduce(Amount(hundredths: 0)) { $0 + $1.price * $1.quantity }
    }
  }

  final class BadgeViewModel {
    @Published private(set) var count = 0

    init(_ list: some Publisher<[CartRow], Never>) {
      list.map { $0.reduce(0) { $0 + $1.quantity } }.removeDuplicates().assign(to: &$count)
    }
  }
}
