import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import Platform
import Testing

@testable import Batch

/// The frontend knows no domain: a second one goes through everything it can do.
@Suite(.hangLimit) struct SecondDomainTests {
  private let session = NotesSession()

  // MARK: One command

  @Test func `a command prints its result`() throws {
    #expect(try session.run("note Buy milk") == Printed("Buy milk\n"))
    #expect(try session.run("note Buy bread", .json) == Printed("[\"Buy bread\"]\n"))
    #expect(try session.run("notes") == Printed("Buy milk\nBuy bread\n"))
    #expect(
      try session.run("notes", .color)
        == Printed("\u{1B}[1mBuy milk\u{1B}[0m\n\u{1B}[1mBuy bread\u{1B}[0m\n")
    )
  }

  @Test func `a command that fails says why, and the status says of what kind`() throws {
    #expect(
      try session.run("forget 7") == Printed(errors: "error: There is no note 7.\n", .failed)
    )
    #expect(
      try session.run("forget 7", .json)
        == Printed(
          errors:
            #"{"error":{"kind":"notFound","message":"There is no note 7.","field":"number","id":7}}"#
            + "\n",
          .failed
        )
    )
  }

  @Test func `a command that nobody answers says so`() throws {
    let lonely = NotesSession(answering: false)
    #expect(
      try lonely.run("notes") == Printed(errors: "error: Nobody answered the request.\n", .failed)
    )
  }

  @Test func `what would ask a person is refused where there is none, and --yes answers`() throws {
    try session.keep("a", "b", "c")
    #expect(
      try session.run("forget 2 --all")
        == Printed(
          errors: "error: Forget so many? Nobody can be asked here; --yes answers it.\n",
          .usage
        )
    )
    #expect(try session.run("forget 2 --all", .yes) == Printed("b\nc\n"))
    #expect(try session.run("notes") == Printed("a\n"))
  }

  @Test func `what a user typed never reaches a terminal raw`() throws {
    #expect(try session.run("note '\u{1B}[31m\u{202E}'") == Printed("\\u{1B}[31m\\u{202E}\n"))
  }

  // MARK: All or nothing

  @Test func `a script prints its results in order`() throws {
    #expect(
      try session.script("note a\nnote b # two\n\nforget 1\nnotes\n") == Printed("a\nb\na\nb\n")
    )
  }

  @Test func `a script that fails is taken back, and prints no result`() throws {
    try session.keep("old")
    #expect(
      try session.script("note new\nforget 1\n  forget 7\nnote never\n")
        == Printed(
          errors: """
            notes.script:3:10: error: There is no note 7.
                forget 7
                       ^
            Nothing was changed.

            """,
          .failed
        )
    )
    #expect(try session.run("notes") == Printed("old\n"))
  }

  @Test func `with any syntax error nothing runs, and every one is reported`() throws {
    #expect(
      try session.script("note a\nnotee b\nnote \"c\nforget x\n")
        == Printed(
          errors: """
            notes.script:2:1: error: no command 'notee'; did you mean 'note'?
              notee b
              ^
            notes.script:3:6: error: the quote " is never closed
              note "c
                   ^
            notes.script:4:8: error: 'x' is not a whole number
              forget x
                     ^

            """,
          .usage
        )
    )
    #expect(try session.run("notes") == Printed(""))
  }

  @Test func `errors of a script in JSON carry file, line and column`() throws {
    #expect(
      try session.script("note a\nforget 7", options: .json)
        == Printed(
          errors:
            #"{"error":{"kind":"notFound","message":"There is no note 7.","field":"number","id":7,"#
            + #""file":"notes.script","line":2,"column":8}}"# + "\n",
          .failed
        )
    )
  }

  @Test func `a script that would ask does not begin`() throws {
    #expect(
      try session.script("note a\nforget 1 --all\n")
        == Printed(
          errors: """
            notes.script:2:1: error: Forget so many? Nobody can be asked here; --yes answers it.
              forget 1 --all
              ^

            """,
          .usage
        )
    )
    #expect(try session.script("note a\nforget 1 --all\n", options: .yes) == Printed("a\na\n"))
  }

  @Test func `several files are one script`() throws {
    #expect(try session.scripts(["note a\n", "note b", "notes\n"]) == Printed("a\nb\na\nb\n"))
    #expect(try session.scripts(["note c\n", "forget 9\n"]).status == .failed)
    #expect(try session.run("notes") == Printed("a\nb\n"))
  }

  @Test func `an option of the process is none of a line`() throws {
    #expect(
      try session.script("note a --loud\n")
        == Printed(
          errors: """
            notes.script:1:8: error: --loud belongs to the whole process, not to a line
              note a --loud
                     ^

            """,
          .usage
        )
    )
  }

  // MARK: Keep going, dry run, check

  @Test func `keep-going keeps what worked, and its status is partial`() throws {
    #expect(
      try session.script("note a\nforget 7\nnote b\nnotes\n", .keepGoing)
        == Printed(
          "a\nb\na\nb\n",
          errors: """
            notes.script:2:8: error: There is no note 7.
              forget 7
                     ^

            """,
          .partial
        )
    )
    #expect(try session.script("note c\n", .keepGoing) == Printed("c\n"))
  }

  @Test func `a dry run shows what would change, and takes it back`() throws {
    try session.keep("old")
    #expect(
      try session.script("note new\nforget 1\nnotes\n", .dryRun)
        == Printed("new\nold\nnew\n", errors: "Nothing was changed: this was a dry run.\n")
    )
    #expect(try session.run("notes") == Printed("old\n"))
    #expect(try session.script("forget 7\n", .dryRun).status == .failed)
  }

  @Test func `check only reads, and reports every error`() throws {
    #expect(try session.script("note a\nforget 7\n", .check) == Printed(""))
    let wrong = String(repeating: "x\n", count: 25)
    let all = try session.script(wrong, .check)
    #expect(all.status == .usage)
    #expect(all.errors.components(separatedBy: "error: no command 'x'").count == 26)
    #expect(try session.run("notes") == Printed(""))
  }

  @Test func `outside of a check twenty errors are enough for a person, but not for a program`()
    throws
  {
    let wrong = String(repeating: "x\n", count: 25)
    let some = try session.script(wrong)
    #expect(some.errors.components(separatedBy: "error: no command 'x'").count == 21)
    #expect(some.errors.hasSuffix("… and 5 more errors\n"))
    #expect(
      try session.script(wrong, options: .json).errors.components(separatedBy: "\n").count == 26
    )
  }

  @Test func `a file that is not there is a usage error`() throws {
    let missing = try session.run(.scripts([.file("/nowhere/x")], .allOrNothing))
    #expect(
      missing
        == Printed(errors: "error: /nowhere/x can't be read: No such file or directory\n", .usage)
    )
  }

  // MARK: The arguments of run

  @Test(
    arguments: [
      ("run", [ScriptSource.standardInput], ScriptMode.allOrNothing),
      ("run a - b", [.file("a"), .standardInput, .file("b")], .allOrNothing),
      ("run --check a", [.file("a")], .check), ("run a --dry-run", [.file("a")], .dryRun),
      ("run --keep-going -", [.standardInput], .keepGoing),
      ("run -- --check", [.file("--check")], .allOrNothing),
    ])
  func `run takes files and one mode`(
    _ line: String,
    _ sources: [ScriptSource],
    _ mode: ScriptMode
  ) throws {
    var arguments = RunArguments()
    try RunArguments.spec.read(NotesSession.words(line), from: 1, into: &arguments)
    #expect(arguments.sources == sources)
    #expect(arguments.mode == mode)
    #expect(RunArguments.spec.forgotten(in: arguments) == [])
  }

  @Test func `the domain is a plugin like any other, and its lists forget nothing`() {
    PluginLaws.check { NoteServer() }
    #expect(RequestNote.command.forgotten(in: RequestNote()) == [])
    #expect(RequestNotes.command.forgotten(in: RequestNotes()) == [])
    #expect(RequestForget.command.forgotten(in: RequestForget()) == [])
  }
}

/// What a run printed, and its status.
struct Printed: Equatable {
  let results: String
  let errors: String
  let status: EventCommands.ExitStatus

  init(_ results: String = "", errors: String = "", _ status: EventCommands.ExitStatus = .success) {
    self.results = results
    self.errors = errors
    self.status = status
  }
}

/// An application of notes, whose frontend writes into files.
final class NotesSession {
  enum Option { case json, color, yes }

  private let context = AppContext()
  private let catalogue: Catalogue
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "notes-\(UUID().uuidString)")

  init(answering: Bool = true) {
    var catalogue = Catalogue()
    catalogue.add("note", [RequestNote.self, RequestNotes.self, RequestForget.self])
    catalogue.add(processOptions: ProcessOptions.spec)
    self.catalogue = catalogue
    if answering { context.add(NoteServer()) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  static func words(_ line: String) -> [Word] {
    var tokenizer = Tokenizer(SourceText(name: "test", bytes: Array(line.utf8)))
    guard case .success(let line)? = tokenizer.next() else { return [] }
    return line.words
  }

  /// Takes notes before the test begins.
  func keep(_ notes: String...) throws {
    for note in notes { _ = try run("note \(note)") }
  }

  func run(_ line: String, _ option: Option? = nil) throws -> Printed {
    try run(.command(try catalogue.read(Self.words(line))), option)
  }

  func script(
    _ text: String,
    _ mode: ScriptMode = .allOrNothing,
    options: Option? = nil
  ) throws
    -> Printed
  {
    try scripts([text], mode, options: options)
  }

  /// Runs scripts as files; in errors each is called `notes.script`.
  func scripts(
    _ texts: [String],
    _ mode: ScriptMode = .allOrNothing,
    options: Option? = nil
  ) throws
    -> Printed
  {
    let files = try texts.enumerated()
      .map { index, text in
        let file = folder.appending(path: "\(index)/notes.script")
        let parent = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
      }
    let printed = try run(.scripts(files.map { .file($0) }, mode), options)
    let errors = files.reduce(printed.errors) { $0.replacing($1, with: "notes.script") }
    return Printed(printed.results, errors: errors, printed.status)
  }

  func run(_ job: BatchFrontend.Job, _ option: Option? = nil) throws -> Printed {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let files = [folder.appending(path: "out"), folder.appending(path: "err")]
    for file in files { try Data().write(to: file) }
    let handles = try files.map { try FileHandle(forWritingTo: $0) }
    var console = Console(write: writeAll)
    console.results = handles[0].fileDescriptor
    console.messages = handles[1].fileDescriptor
    console.isJSON = option == .json
    console.hasColor = option == .color
    console.saysYes = option == .yes
    let frontend = BatchFrontend(catalogue, console, job)
    let status = frontend.run(context.port(named: frontend.name))
    for handle in handles { try handle.close() }
    return Printed(
      try String(contentsOf: files[0], encoding: .utf8),
      errors: try String(contentsOf: files[1], encoding: .utf8),
      status
    )
  }
}

/// The options of the process that speaks of notes.
private struct ProcessOptions {
  var loud = false
  static let spec = CommandSpec<Self>("notes", "Keeps notes.").option(\.loud, "Loudly")
}
