import Batch
import EventCommands
import EventMVVM
import EventRecords
import EventValues
import Platform
import SQLiteEngine
import TodoModels

/// Any bytes as a script: through the tokenizer, the parser, the servers, onto the screen.
func checkCommands(_ bytes: [UInt8]) {
  checkRuns(bytes)
  checkCompletion(bytes)
}

// MARK: - Running

/// What came of a script.
private struct Run {
  let status: ExitStatus
  let results: String
  let messages: String
  let todos: [Kept<Todo>]?
}

private let script = MemoryFile()
private let results = MemoryFile()
private let messages = MemoryFile()

private let catalogue: Catalogue = {
  var catalogue = Session.catalogue
  catalogue.add(RunArguments.spec)
  catalogue.add(processOptions: ProcessOptions.spec)
  return catalogue
}()

/// Options that no line may have.
private struct ProcessOptions {
  var store: String?
  var json = false
  var quiet = false
  static let spec = CommandSpec<Self>("fuzz", "Reads scripts.")
    .option(\.store, "A file")
    .option(\.json, "JSON")
    .option(\.quiet, "Nothing")
}

/// The examples as they are stored.
private let examples: [Kept<Todo>] = [Todo].examples.enumerated()
  .map { Kept($0 + 1, $1, revision: $0 + 1) }

private func run(_ mode: ScriptMode, isJSON: Bool, _ world: World) -> Run {
  results.clear()
  messages.clear()
  var console = Console(write: writeAll)
  console.isJSON = isJSON
  console.results = results.output
  console.messages = messages.output
  let session = Session(MemoryDatabase(), world, catalogue)
  session.add(.examples)
  let job = BatchFrontend.Job.scripts([.file(script.path)], mode)
  let status = BatchFrontend(catalogue, console, job).run(session.port)
  return Run(
    status: status,
    results: results.text,
    messages: messages.text,
    todos: session.todos()
  )
}

/// Runs the script in each way, and holds the ways against each other.
private func checkRuns(_ bytes: [UInt8]) {
  script.fill(bytes)
  let world = World.of(bytes)
  let check = run(.check, isJSON: false, world)
  let whole = run(.allOrNothing, isJSON: true, world)
  let rehearsed = run(.dryRun, isJSON: true, world)
  let each = run(.keepGoing, isJSON: false, world)
  for run in [check, each] {
    requireSafe(run.results, "what is printed")
    requireSafe(run.messages, "what is reported")
  }
  for line in (whole.results + whole.messages).split(separator: "\n") {
    requireJSON(String(line), "a line")
  }
  require(check.status == .success || whole.status == .usage, "it was refused, and runs")
  require(check.todos == examples, "a check changes todos")
  require(whole.status == .success || whole.todos == examples, "it failed, and changed todos")
  require(whole.status == .success || whole.results == "", "it failed, and printed results")
  require(whole.status == .success || whole.messages != "", "it failed, and says nothing")
  require(rehearsed.todos == examples, "a rehearsal changes todos")
  require(rehearsed.status == whole.status, "a rehearsal ends differently")
  require(rehearsed.results == whole.results, "a rehearsal prints other results")
  require(rehearsed.messages == whole.messages, "a rehearsal reports other errors")
  require(![4, 130].contains(each.status.code), "the exit status is \(each.status.code)")
}

// MARK: - Completion

/// Completes each word of the first lines, and asks the domain where it might know more.
private func checkCompletion(_ bytes: [UInt8]) {
  let session = Session(MemoryDatabase(), World.of(bytes))
  session.add(.examples)
  for line in Tokenizer.lines(SourceText(name: "", bytes: bytes)).lines.prefix(4) {
    // The same words as the process's own.
    var arguments = RunArguments()
    try? RunArguments.spec.read(line.words, from: 0, into: &arguments)
    for (index, word) in line.words.prefix(8).enumerated() {
      complete(Array(line.words[..<index]), word.text, session)
      complete(Array(line.words[...index]), "", session)
    }
  }
}

private func complete(_ words: [Word], _ prefix: String, _ session: Session) {
  let completion = catalogue.completion(after: words, prefix: prefix)
  for candidate in completion.candidates {
    // What stands before the value of `--sort=title` is no part of a candidate.
    let word = completion.lead + candidate.word
    require(word.hasPrefix(prefix), "\(word) does not begin with \(prefix)")
  }
  if let live = completion.live { ask(live, session) }
}

private func ask<R: CandidateRequest>(_ request: R, _ session: Session) {
  if case .failure(let failure) = session.reply(request) {
    fatalError("completion fails: \(failure.message)")
  }
}
