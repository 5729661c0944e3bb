import EventMVVM
import EventRecords
import EventValues
import SQLiteEngine

/// Whether a book is in the shelf, in the order of the shelf.
enum Place: String, Choice, RankedValue, FieldOption {
  case shelf
  case lent
}

/// A book, as it is kept.
struct Book: Record {
  var title = ""
  var place = Place.shelf
  var due: CivilTime?

  static let fields = Fields<Self>("book", several: "books")
    .field("title", \.title)
    .field("place", \.place, .indexed)
    .field("due", \.due)
}

/// Adds a book to a file, and prints what is in it: records on a stream, without commands.
@main
struct RecordsAlone {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, let title = arguments.last, arguments.count == 2 else {
      print("usage: RecordsAlone FILE TITLE")
      return
    }
    let context = AppContext()
    context.add(
      RecordServer(
        RecordDatabase(of: "books", path: path),
        [Book.self],
        watchesExternalChanges: false
      )
    )
    context.add(Librarian(title))
    let port = context.port(named: "reader")
    var isOver = false
    port.request(RequestLending()) { result, _ in
      switch result.mapError({ Failure($0) }).flatMap(\.result) {
      case .success(let lines): for line in lines { print(line) }
      case .failure(let failure): print(failure.message)
      }
      isOver = true
    }
    port.run { isOver }
    context.leave()
  }
}

/// Lends the book, and asks for all books.
struct RequestLending: ViewModelEvent, Request {
  typealias Reply = ResponseLending
}

/// The books, a line for each.
struct ResponseLending: ViewModelEvent, Response, Decodable {
  let result: Result<[String], Failure>

  init(_ result: Result<[String], Failure>) { self.result = result }
}

/// Converts a request of the views to one about records.
final class Librarian: Plugin {
  let name = "librarian"
  private let title: String

  init(_ title: String) { self.title = title }

  func join(_ stream: EventStream) {
    stream.transaction(RequestLending.self) { [title] _, store in
      var book = Book()
      book.title = title
      book.place = .lent
      book.due = CivilTime("2026-12-01")
      try store.add(book)
      return try store.records(Query<Book>())
        .map { book in
          "#\(book.number) \(book.value.title) \(book.value.place) until \(book.value.due?.text ?? "")"
        }
    }
  }
}
