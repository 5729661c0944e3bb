import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing

@Suite(.hangLimit) struct RecordsAloneTests {
  @Test func `a program has records without the language of commands`() throws {
    let place = try Workplace(for: "RecordsAlone")
    #expect(
      try place.start("exec RecordsAlone books.sqlite Emma").outcome()
        == .init(output: ["#1 Emma lent until 2026-12-01"])
    )
    #expect(
      try place.start("exec RecordsAlone books.sqlite Ivanhoe").outcome()
        == .init(output: ["#1 Emma lent until 2026-12-01", "#2 Ivanhoe lent until 2026-12-01"])
    )
  }

  @Test func `nothing of the language of commands is linked into it`() throws {
    let program = try Workplace.binaries(with: "RecordsAlone").appending(path: "RecordsAlone")
    let bytes = try Data(contentsOf: program, options: .mappedIfSafe)
    // The names of modules are in the names of their symbols.
    #expect(bytes.range(of: Data("EventRecords".utf8)) != nil)
    #expect(bytes.range(of: Data("EventCommands".utf8)) == nil)
    #expect(bytes.range(of: Data("RecordCommands".utf8)) == nil)
  }
}
