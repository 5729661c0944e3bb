import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Foundation
import JSONText
import RecordCommands
import SQLiteEngine
import TodoModels

@testable import TodoViewModels
@testable import UndoHistory

/// Two processes on one store in a folder of its own, gone with its test (S74).
final class SharedStore {
  /// What came of an operation.
  struct Outcome {
    var failure: Failure?
    /// Whether it has changed anything for good.
    var isStep = false
    /// What an undo or a redo says.
    var report: ReversalReport?
  }

  private let folder: String
  private let clock = Locked(Instant(milliseconds: 1_763_632_800_000))
  private let catalogue: Catalogue
  private var mine: Process
  private let theirs: Process

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/todos-" + UniqueID.random().text
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    var catalogue = Catalogue()
    catalogue.add(TodoCommands.group, TodoCommands.commands)
    catalogue.add("history", UndoHistory().commands)
    self.catalogue = catalogue
    mine = Process("cli", folder, clock)
    theirs = Process("other", folder, clock)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A context of its own, so with a session of its own.
  private struct Process {
    let context: AppContext
    let port: ViewPort

    init(_ name: String, _ folder: String, _ clock: Locked<Instant>) {
      context = AppContext(environment: Environment(now: { clock.withLock { $0 } }))
      let database = RecordDatabase(of: "todostream", path: folder + "/todos.sqlite")
      let server = RecordServer(
        database,
        [Todo.self],
        watchesExternalChanges: false,
        tellsViews: false
      )
      context.add(server, ViewModelServer(), UndoHistory())
      port = context.port(named: name)
    }
  }

  // MARK: Doing

  /// Carries an operation out; the clock goes on by a second.
  func run(_ operation: Operation) throws -> Outcome {
    clock.withLock { $0 = Instant(milliseconds: $0.milliseconds + 1000) }
    switch operation {
    case .restart:
      mine = Process("cli", folder, clock)
      return Outcome()
    case .command(let line, let person):
      return ask(try command(line), process(person))
    case .script(let lines, let isRehearsed, let person):
      let commands = try lines.map(command)
      return run(commands, isRehearsed ? .rehearse : .allOrNothing, process(person))
    }
  }

  private func process(_ person: Operation.Person) -> Process {
    person == .me ? mine : theirs
  }

  private func command(_ line: String) throws -> any Command {
    let source = SourceText(name: "line", bytes: Array(line.utf8))
    return try catalogue.read(Tokenizer.lines(source).lines[0].words)
  }

  private func ask<C: Command>(_ command: C, _ process: Process) -> Outcome {
    var outcome = Outcome(failure: Failure(.unanswered, "there was no answer"))
    process.port.request(command) { result, _ in outcome = Outcome(result) }
    process.context.stream.deliver()
    return outcome
  }

  /// A script: up to the first failure, and then nothing of it is kept.
  private func run(
    _ commands: [any Command],
    _ mode: StreamUnit.Mode,
    _ process: Process
  ) -> Outcome {
    var outcome = Outcome()
    process.port.begin(mode) { result, _ in
      switch result {
      case .failure(let failure): outcome.failure = failure
      case .success(let unit):
        Self.step(commands[...], unit, outcome) { outcome = $0 }
      }
    }
    process.context.stream.deliver()
    if mode == .rehearse { outcome.isStep = false }
    return outcome
  }

  private static func step(
    _ commands: ArraySlice<any Command>,
    _ unit: StreamUnit,
    _ sum: Outcome,
    _ end: @escaping (Outcome) -> Void
  ) {
    guard let command = commands.first else {
      return unit.commit { result, _ in
        var sum = sum
        if case .failure(let failure) = result { sum.failure = failure }
        end(sum)
      }
    }
    ask(command, unit) { outcome in
      guard outcome.failure == nil else {
        return unit.rollBack { _, _ in end(outcome) }
      }
      var sum = sum
      sum.isStep = sum.isStep || outcome.isStep
      step(commands.dropFirst(), unit, sum, end)
    }
  }

  private static func ask<C: Command>(
    _ command: C,
    _ unit: StreamUnit,
    _ then: @escaping (Outcome) -> Void
  ) {
    unit.request(command) { result, _ in then(Outcome(result)) }
  }

  // MARK: Looking

  /// What `list --all` shows to somebody, a line each, without the revisions, which go on, and with
  /// the places by hand.
  ///
  /// In ASCII, as two spellings of a character are equal to Swift.
  func state(seenBy person: Operation.Person = .me) throws -> Timeline.State {
    var request = RequestTodoViewModels()
    request.filter.all = true
    return try value(of: request, person).rows
      .map { row in
        var json = JSONWriter()
        row.writeItem(to: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        let line =
          text[..<(text.lastIndex(of: ",") ?? text.endIndex)] + (row.value.place?.text ?? "")
        guard !line.utf8.allSatisfy({ $0 < 0x80 }) else { return String(line) }
        return line.unicodeScalars
          .map { $0.isASCII ? "\($0)" : $0.escaped(asASCII: true) }.joined()
      }
  }

  /// The steps, newest first.
  func steps() throws -> [Step] {
    var request = RequestHistory()
    request.limit = try Count(word: "1000000")
    return try value(of: request, .me).entries.map(\.step)
  }

  /// What the doctor finds wrong.
  func damages() throws -> [String] {
    var json = JSONWriter()
    try value(of: RequestDoctor(), .me).write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self).split(separator: "{\"level\":").dropFirst()
      .filter { !$0.hasPrefix("\"ok\"") }.map(String.init)
  }

  /// Whether anybody finds a todo by its number.
  func finds(_ number: String) throws -> Bool {
    ask(try command("show \(number)"), process(.me)).failure == nil
  }

  private func value<R: Request & ViewModelEvent>(
    of request: R,
    _ person: Operation.Person
  ) throws -> R.Reply.Value {
    var answer: Result<R.Reply, Interruption>?
    process(person).port.request(request) { result, _ in answer = result }
    process(person).context.stream.deliver()
    guard let answer else { throw Failure(.unanswered, "there was no answer") }
    return try answer.get().result.get()
  }
}

extension SharedStore.Outcome {
  fileprivate init<R: Response>(_ result: Result<R, Interruption>) {
    do {
      let value = try result.get().result.get()
      report = value as? ReversalReport
      isStep = (value as? RecordGroup<Todo>)?.changes.contains(true) ?? false
    } catch {
      failure = Failure(error)
    }
  }
}
