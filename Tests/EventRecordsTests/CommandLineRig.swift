import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import EventValues
import JSONText
import RecordCommands
import SQLiteEngine
import Testing

/// The derived commands of a record on an engine, as lines.
final class CommandLineRig<R: CommandRecord> {
  let test = TestContext()
  let catalogue: Catalogue

  init(_ engine: any RecordEngine = MemoryDatabase()) {
    var catalogue = Catalogue()
    catalogue.add(R.self)
    self.catalogue = catalogue
    test.now = Instant(iso8601: "2026-11-27T12:00:00.000Z") ?? test.now
    test.add(RecordServer(engine, [R.self], watchesExternalChanges: false))
    test.add(CatalogueServer(catalogue) { [] })
  }

  /// What a person is told, or the failure.
  func said(_ line: String) throws -> String {
    guard let command = try catalogue.read(line: line) else { return "" }
    do {
      return try said(command)
    } catch let failure as Failure {
      return "error: \(failure.message)\n"
    }
  }

  /// The help of a command.
  func help(of verb: String) throws -> String { try said(RequestHelp(topic: [verb])) }

  private func said<C: Command>(_ command: C) throws -> String {
    var page = Page(width: 80, clock: ReaderClock(test.now, in: .utc))
    command.show(try test.value(of: command), on: &page)
    return page.text
  }

  /// What a program gets for words.
  func json(_ words: [String]) throws -> JSON {
    var offset = 0
    let words = words.map { text in
      defer { offset += text.utf8.count + 1 }
      return Word(text: text, offset: offset, isBare: text.hasPrefix("--"))
    }
    return try json(try catalogue.read(words))
  }

  /// What a program gets for parameters.
  func json(_ verb: String, _ parameters: JSON) throws -> JSON {
    let command = try catalogue.command(Word(text: verb, offset: 0, isBare: true))
    return try json(try command.read(parameters: parameters))
  }

  private func json<C: Command>(_ command: C) throws -> JSON {
    var json = JSONWriter()
    try test.value(of: command).write(to: &json)
    return try JSON(parsing: json.bytes)
  }
}
