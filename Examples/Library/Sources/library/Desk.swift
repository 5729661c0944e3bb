import EventCommands
import EventMVVM
import EventRecords
import EventValues
import RecordCommands

// The commands of the desk: each reads and writes records of several kinds, in one transaction.

/// Lends a copy.
struct RequestLend: TransactionCommand, Codable {
  typealias Reply = ResponseView<RecordGroup<Loan>>
  var copy = Reference<Copy>()
  var to = Reference<Member>()
  var alias: String?
  static let command = CommandSpec<Self>("lend", "Lends a copy, for four weeks.")
    .word(\.copy, "Which copy")
    .option(\.to, "To which member")
    .alias(\.alias, "What to call the loan from now on")

  func run(in store: inout RecordTransaction) throws -> RecordGroup<Loan> {
    let copy = try store.record(copy, field: "copy")
    let member = try store.record(to, field: "to")
    if let loan = try store.first(Loan.open(of: copy)) {
      let who = loan.value.member.title ?? "another member"
      throw Failure(.conflict, "\(copy.value.mark) is lent to \(who).", field: "copy")
    }
    if let other = copy.value.reservedFor, other != Reference(member) {
      throw Failure(
        .conflict,
        "\(copy.value.mark) is reserved for \(other.title ?? "another member").",
        field: "copy"
      )
    }
    var loan = Loan(copy: Reference(copy), member: Reference(member))
    loan.due = store.now.day.adding(days: 28).map { .day($0) }
    let added = try store.add(loan)
    try store.name(added, as: alias)
    return RecordGroup([added], store)
  }

  func show(_ loan: RecordGroup<Loan>, on page: inout Page) {
    loan.confirm({ _ in "Lent" }, on: &page)
  }
}

/// Reserves a copy.
struct RequestReserve: TransactionCommand, Codable {
  typealias Reply = ResponseView<RecordGroup<Copy>>
  var copy = Reference<Copy>()
  var `for` = Reference<Member>()
  static let command = CommandSpec<Self>("reserve", "Reserves a copy, for one member at a time.")
    .word(\.copy, "Which copy")
    .option(\.for, "For which member")

  func run(in store: inout RecordTransaction) throws -> RecordGroup<Copy> {
    let copy = try store.record(copy, field: "copy")
    let member = try store.record(`for`, field: "for")
    if let other = copy.value.reservedFor, other != Reference(member) {
      throw Failure(
        .conflict,
        "\(copy.value.mark) is reserved for \(other.title ?? "another member") already.",
        field: "copy"
      )
    }
    return RecordGroup([try store.change(copy) { $0.reservedFor = Reference(member) }], store)
  }

  func show(_ copy: RecordGroup<Copy>, on page: inout Page) {
    copy.confirm({ _ in "Reserved" }, saysFields: true, on: &page)
  }
}

/// Removes books with their copies, unless one of these is lent.
struct RequestRetire: TransactionCommand, Codable {
  typealias Reply = ResponseView<Message>
  var id = Target<Book>()
  static let command = CommandSpec<Self>(
    "retire",
    "Removes books, with their copies and past loans."
  )
  .records(\.id, "Which books")

  func run(in store: inout RecordTransaction) throws -> Message {
    let books = try store.records(id)
    for book in books {
      let copies = try store.records(Query<Copy>().where(.equals(\.book, Reference(book))))
      for copy in copies {
        guard let loan = try store.first(Loan.open(of: copy)) else { continue }
        let who = loan.value.member.title ?? "another member"
        throw Failure(
          .conflict,
          "\(book.value.title) can't be retired: \(copy.value.mark) is lent to \(who).",
          field: "id",
          id: book.number
        )
      }
      try store.remove(book)
    }
    return Message("Retired " + books.map(\.value.title).joined(separator: ", "))
  }
}

/// Says what is overdue.
struct RequestOverdue: ReadingCommand, Codable {
  typealias Reply = ResponseView<ListedRecords<Loan>>
  static let command = CommandSpec<Self>("overdue", "Lists what is to be back by now.")

  func run(in store: borrowing RecordTransaction) throws -> ListedRecords<Loan> {
    let today = CivilTime.day(store.now.day)
    let overdue = Query<Loan>().where(.all(.isNil(\.returned), .less(\.due, than: today)))
    var views: [RecordView<Loan>] = []
    for loan in try store.records(overdue.sorted(by: \.due)) {
      views.append(RecordView(loan, store))
    }
    return ListedRecords(records: views, isList: true)
  }
}

extension Loan {
  /// Finds the present loan of a copy.
  static func open(of copy: Kept<Copy>) -> Query<Loan> {
    Query().where(.all(.equals(\.copy, Reference(copy)), .isNil(\.returned)))
  }
}
