import Completing
import EventMVVM
import EventRecords
import EventValues
import RecordCommands
import Recurring
import Scheduling

/// A book, of which there may be several copies.
struct Book: CommandRecord {
  var title = ""
  var author = ""
  var starred = false
  var uuid = UniqueID.none

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title, .searched, "What it is called")
    .field("author", \.author, [.searched, .indexed], "Who wrote it")
    .field("starred", \.starred, .indexed)
    .identity("uuid", \.uuid)
    .role(.star, \.starred)
  static let commands = RecordCommands<Self>().with(Starring())
}

/// A copy of a book; it is removed with the book.
struct Copy: CommandRecord {
  var mark = ""
  var book = Reference<Book>()
  var reservedFor: Reference<Member>?
  var uuid = UniqueID.none
  var title: String { mark }

  static let fields = Fields<Self>("copy", several: "copies")
    .field("mark", \.mark, [.searched, .unique], "What is written on its back")
    .reference("book", \.book, onRemoval: .cascade, "Of which book")
    .reference("reservedFor", \.reservedFor, onRemoval: .clear, "For whom it is kept")
    .identity("uuid", \.uuid)
  static let commands = RecordCommands<Self>(suffix: "copy")
}

/// Somebody with a card.
struct Member: CommandRecord {
  var name = ""
  var uuid = UniqueID.none
  var title: String { name }

  static let fields = Fields<Self>("member", several: "members")
    .field("name", \.name, .searched, "The name on the card")
    .identity("uuid", \.uuid)
  static let commands = RecordCommands<Self>(suffix: "member")
}

/// A copy that a member has, or had.
struct Loan: CommandRecord {
  var copy = Reference<Copy>()
  var member = Reference<Member>()
  var due: CivilTime?
  var returned: CivilTime?
  var wait: CivilTime?
  var again: Recurrence?
  var uuid = UniqueID.none
  var title: String { "\(copy.title ?? "?"), \(member.title ?? "?")" }

  static let fields = Fields<Self>("loan", several: "loans")
    .reference("copy", \.copy, onRemoval: .cascade, "Of which copy")
    .reference("member", \.member, "To whom")
    .field("wait", \.wait, "When it is fetched")
    .field("again", \.again, "How it is lent again")
    .field("due", \.due, .indexed, "When it is to be back")
    .field("returned", \.returned, .indexed)
    .identity("uuid", \.uuid)
    .role(.due, \.due)
    .role(.completion, \.returned)
    .role(.wait, \.wait)
    .role(.recurrence, \.again)
  static let commands = RecordCommands<Self>(suffix: "loan")
    .without(.add, .delete)
    .columns([\.due, \.returned, \.again])
    .with(
      Completing(
        .init("return", "Takes lent copies back.", says: "Returned", isWhole: true),
        reopen: nil
      )
    )
    .with(Scheduling())
    .with(Recurring())
    .ordered { $0.sorted(by: \.due) }

  static func check(_ change: RecordTransition<Loan>) throws(Failure) {
    guard let before = change.before, let after = change.after else { return }
    guard before.copy == after.copy, before.member == after.member else {
      throw Failure(.validation, "A loan keeps its copy and its member; lend it anew.", field: "id")
    }
  }
}
