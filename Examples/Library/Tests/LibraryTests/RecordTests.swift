import EventCommands
import EventMVVMTesting
import EventRecords
import EventRecordsTesting
import RecordCommands
import Testing

@testable import library

/// The records, and what a program of several kinds is to be sure of.
@Suite(.timeLimit(.minutes(5))) struct RecordTests {
  private let test = TestContext.withRecords(Book.self, Copy.self, Member.self, Loan.self)

  init() {
    test.add(Lending())
    test.stream.answer(Library().commands)
    for types in [Book.commands.types, Copy.commands.types, Member.commands.types] {
      test.stream.answer(types)
    }
  }

  @Test func `a loan says of which copy and to whom`() throws {
    let book = try test.value(of: RequestAdd(Book(title: "Dune")))
    let ann = try test.value(of: RequestAdd(Member(name: "Ann")))
    let copy = Copy(mark: "D-1", book: Reference(book.records[0].record))
    let added = try test.value(of: RequestAdd(copy))
    var lend = RequestLend()
    lend.copy = Reference(added.records[0].record)
    lend.to = Reference(ann.records[0].record)
    let loan = try test.value(of: lend).records[0].value
    #expect(loan.title == "D-1, Ann")
    #expect(loan.copy.number == added.records[0].number)
  }
}
