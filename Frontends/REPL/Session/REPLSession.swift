import EventValues
import Platform
import EventCommands
import EventMVVM
import EventPatterns
import Foundation

/// One session at a terminal, from its first prompt to its end.
final class REPLSession {
  private let editor: LineEditor
  private let catalogue: Catalogue
  private let options: REPLOptions
  private let port: ViewPort
  private let here: ScreenContext
  private let announcements: AnnouncementReader
  private let questions: PendingQuestions
  private var rendering: Rendering
  private var isOver = false
  /// Whether something is shown in place of an answer: then no other question is asked.
  private var isLooking = false

  init(_ editor: LineEditor, _ catalogue: Catalogue, _ options: REPLOptions, _ port: ViewPort) {
    self.editor = editor
    self.catalogue = catalogue
    self.options = options
    self.port = port
    rendering = options.rendering
    here = ScreenContext(editor.screen, catalogue, port, program: options.program)
    announcements = AnnouncementReader(editor.screen, catalogue, port, rendering)
    questions = PendingQuestions(editor.screen, port)
    editor.assistant = CommandAssistant(here, port, editor.history).assistant
  }

  /// Reads lines with the commands of the topmost screen.
  private var reader: ScriptReader {
    ScriptReader(here.catalogue) { HomeFolder.expanding($0) }
  }

  /// Reads scripts, which have no screens.
  private var scriptReader: ScriptReader { ScriptReader(catalogue) }

  func run() -> ExitStatus {
    here.begin()
    announcements.begin()
    questions.begin()
    startUp()
    greet()
    if let link = options.opening { open(link) }
    while !isOver {
      askPending()
      switch editor.readEntry(prompt: here.prompt) {
      case .text(let text): run(text)
      case .interrupted, .dropped: continue
      case .end: goBack()
      }
    }
    return .success
  }

  private func open(_ link: RequestOpen) {
    switch perform(link) {
    case .printed(let printout): showResult(printout.bytes)
    case .failed(let failure): show("error: " + escapedForTerminal(failure.message))
    case .declined: break
    }
  }

  /// Closes the topmost screen; without one, ends the session.
  private func goBack() {
    guard here.isOnScreen else {
      isOver = true
      return
    }
    _ = closeScreen()
  }

  /// Closes the topmost screen, if the person agrees to what is lost or saves it.
  ///
  /// - Returns: Whether it is closed.
  private func closeScreen() -> Bool {
    switch perform(RequestBack()) {
    case .printed(let printout):
      showResult(printout.bytes)
      return true
    case .failed(let failure):
      if failure.kind != .cancelled { show("error: " + escapedForTerminal(failure.message)) }
    case .declined: break
    }
    return false
  }

  // MARK: Entries

  /// Runs an entry: a line of the REPL's own, or commands as in a script.
  private func run(_ typed: String) {
    let text = Habit.line(typed, in: catalogue)
    if let own = OwnCommand.typed(text, in: catalogue) { return run(own) }
    let source = SourceText(name: "<terminal>", bytes: Array(text.utf8))
    var commands = ScriptCommands(of: source, reader)
    while let command = commands.next() {
      switch command {
      case .success(let command): guard run(command) else { return }
      case .failure(let problem): return show(problem.diagnostic)
      }
      // It may have opened or closed a screen, whose commands apply to the next line.
      commands.reader = reader
    }
  }

  /// Runs a command to its end.
  ///
  /// - Returns: Whether the lines after it are run as well.
  private func run(_ command: ScriptCommand) -> Bool {
    let meant: any Command
    do throws(ValueError) { meant = try here.inContext(command.command) } catch {
      show("error: " + escapedForTerminal("in this context: \(error.message)"))
      return false
    }
    switch perform(meant) {
    case .printed(let printout):
      showResult(printout.bytes)
      return true
    case .failed(let failure): show(command.problem(failure).diagnostic)
    case .declined: show("Nothing was changed.")
    }
    return false
  }

  /// Runs a command and waits for its end; ^C cancels it.
  ///
  /// Its questions are asked here, on the thread of the terminal.
  private func perform(_ command: some Command) -> CommandRun.Ending {
    typealias Asked = (question: CommandRun.Question, then: @Sendable (CommandRun.Answer) -> Void)
    let ended = Locked<CommandRun.Ending?>(nil)
    let asked = Locked<Asked?>(nil)
    let screen = editor.screen
    rendering.width = TerminalSize(of: 1)?.columns
    let run = CommandRun(through: port, rendering, saysYes: options.saysYes) { question, then in
      asked.withLock { $0 = (question, then) }
      screen.wake()
      return nil
    }
    run.begin(command) { ending in
      ended.withLock { $0 = ending }
      screen.wake()
    }
    while true {
      wait(until: { ended.withLock { $0 != nil } || asked.withLock { $0 != nil } }) { run.cancel() }
      here.waitForChanges()
      announcements.ask()
      if let (question, then) = asked.withLock({ $0.take() }) {
        then(answer(to: question))
      } else if let ending = ended.withLock({ $0 }) {
        return ending
      }
    }
  }

  /// Waits for the end of some work, and shows that it is in progress; ^C cancels it.
  ///
  /// Questions to the person in the meantime are asked at once.
  private func wait(until isOver: () -> Bool, cancel: () -> Void) {
    repeat {
      editor.screen.setStatus(announcements.waitingSign)
      while editor.wait(until: { isOver() || !isLooking && !questions.isEmpty }) == .interrupted {
        cancel()
        editor.screen.setStatus(WaitingSign.cancelling)
      }
      if !isOver(), !isLooking { askPending() }
    } while !isOver()
  }

  /// Asks the questions to which the person owes an answer.
  private func askPending() {
    while let question = questions.next() {
      switch choice(question) {
      case .text(let answer): questions.answer(question, answer)
      case .interrupted, .end: questions.answer(question, nil)
      case .dropped: break
      }
      if editor.isGone { isOver = true }
    }
  }

  /// Reads the answer to a question: one of its choices, of which a prefix is enough.
  private func choice(_ question: ResponseQuestion) -> LineEditor.Entry {
    var prompt = StyledText(question.text, .yellow)
    if let choices = question.choices {
      prompt.append(" [\(choices.joined(separator: "/"))]", .yellow)
    }
    prompt.append(" ")
    while true {
      let entry = editor.readEntry(prompt: prompt, isKept: false, isQuestion: true)
      guard case .text(let typed) = entry, let choices = question.choices else { return entry }
      if let choice = choices.first(where: { $0 == typed }) { return .text(choice) }
      let meant = choices.filter { !typed.isEmpty && $0.lowercased().hasPrefix(typed.lowercased()) }
      if meant.count == 1 { return .text(meant[0]) }
      look(typed, "The answer is one of \(choices.joined(separator: ", ")).")
      guard questions.isAsked(question) else { return .dropped }
    }
  }

  /// Runs what was typed in place of an answer, if it is a command that only reads, such as `list`.
  ///
  /// - Parameters:
  ///   - typed: The line.
  ///   - advice: What to answer.
  private func look(_ typed: String, _ advice: String) {
    guard !typed.isEmpty else { return }
    var commands = ScriptCommands(
      of: SourceText(name: "<terminal>", bytes: Array(typed.utf8)),
      reader
    )
    guard case .success(let command)? = commands.next(), !type(of: command.command).writes else {
      return show("\(advice) A command that only shows something can be run before.")
    }
    isLooking = true
    _ = run(command)
    isLooking = false
  }

  /// Asks a person about a command.
  private func answer(to question: CommandRun.Question) -> CommandRun.Answer {
    if let failure = question.failure { show("error: " + escapedForTerminal(failure.message)) }
    let other = question.instead.flatMap { line in
      (try? here.catalogue.read(line: line)).flatMap { $0 }
    }
    let name = other.map { type(of: $0).verb }
    let choices = name.map { "y/N/\($0)" } ?? "y/N"
    let prompt = StyledText("\(question.text) [\(choices)] ", .yellow)
    while true {
      let entry = editor.readEntry(prompt: prompt, isKept: false, isQuestion: true)
      // Without a person no question is asked again.
      if editor.isGone { isOver = true }
      guard case .text(let answer) = entry else { return .no }
      let word = answer.withoutBlanksAround.lowercased()
      guard !"yes".hasPrefix(word) || word.isEmpty else { return .yes }
      guard !"no".hasPrefix(word) else { return .no }
      if let other, name?.hasPrefix(word) == true { return .instead(other) }
      look(answer, "The answer is y or n\(name.map { ", or \($0)" } ?? "").")
    }
  }

  // MARK: Lines of its own

  private func run(_ own: OwnCommand) {
    switch own {
    case .quit: quit()
    case .help: show(OwnCommand.overview)
    case .mode(let isJSON):
      rendering.isJSON = isJSON
      announcements.isJSON.withLock { $0 = isJSON }
    case .read(let path): read(path)
    case .context(let name): choose(context: name)
    case .unknown(let message): show("error: " + escapedForTerminal(message))
    }
  }

  /// Chooses what lists and additions are about, or shows what there is to choose.
  private func choose(context name: String?) {
    let contexts = here.catalogue.contexts
    let names = contexts.map(\.name)
    guard !contexts.isEmpty else {
      return show(
        "There are no contexts; [contexts] of the configuration file has them: work = \"+work\""
      )
    }
    guard let name else {
      let now =
        here.context.map { "The context is '\($0.name)': \($0.filter)" } ?? "There is no context"
      return show(
        escapedForTerminal(
          "\(now). 'context NAME' chooses \(names.joined(separator: ", ")) or none."
        )
      )
    }
    guard name != "none" else {
      here.context = nil
      return show("No context any more.")
    }
    guard let context = contexts.first(where: { $0.name == name }) else {
      let hint = closest(to: name, among: names).map { "did you mean '\($0)'?" }
      return show(
        escapedForTerminal(
          "error: no context '\(name.quotable)'; \(hint ?? "there are \(names.joined(separator: ", "))")"
        )
      )
    }
    here.context = context
    show(escapedForTerminal("What is listed and added is \(context.filter)."))
    show("'context none' ends that.")
  }

  /// Ends the session, after closing its screens down to the last one with edits: each names what
  /// would be lost.
  private func quit() {
    while here.hasEdits {
      guard closeScreen() else { return }
    }
    isOver = true
  }

  /// Runs a script as one: all of it, or nothing.
  private func read(_ path: String) {
    do {
      read([try load(path)])
    } catch {
      show("error: " + escapedForTerminal(error.message))
    }
  }

  /// Reads a file, which may be a pipe without a writer; ^C ends that.
  private func load(_ path: String) throws(Failure) -> SourceText {
    let file = try ScriptFile(HomeFolder.expanding(path) ?? path)
    var result: Result<SourceText, Failure>?
    editor.screen.setStatus(WaitingSign.working)
    _ = editor.wait(for: file.descriptor) {
      do throws(Failure) {
        if let text = try file.read() { result = .success(text) }
      } catch {
        result = .failure(error)
      }
      return result != nil
    }
    guard let result else { throw Failure(.cancelled, "Interrupted.") }
    return try result.get()
  }

  private func read(_ sources: [SourceText]) {
    // Problems that are not shown are only counted: a script may have any number of errors.
    var (shown, more): ([String], Int) = ([], 0)
    var questions = ScriptQuestions()
    let script = scriptReader.read(sources, asks: { questions.add($0) }) { problem in
      if shown.count < 20 { shown.append(problem.diagnostic.rendered()) } else { more += 1 }
    }
    if more > 0 { shown.append("… and \(more) more error\(more == 1 ? "" : "s")") }
    guard shown.isEmpty else { return show(shown.joined(separator: "\n")) }
    guard !script.lines.isEmpty else { return }
    if let text = questions.text, !options.saysYes,
      case .no = answer(to: CommandRun.Question(text))
    {
      return show("Nothing was changed.")
    }
    run(script)
  }

  /// Says to whom never typed a line here how to begin.
  private func greet() {
    guard let path = options.historyPath, !rendering.isJSON, access(path, F_OK) != 0 else { return }
    let first = catalogue.commands.first.map { "Try '\($0.shortUsage)'; " } ?? ""
    show("\(first)'help' says more, ^D leaves.")
  }

  /// Runs the startup file, if there is one; the prompt follows even if it fails.
  ///
  /// No command names it, so only the user may be able to change it.
  private func startUp() {
    guard let path = options.startupPath, access(path, F_OK) == 0 else { return }
    if let doubt = Trust.doubt(aboutFile: path) {
      return show("warning: " + escapedForTerminal("'\(path)' is not run: \(doubt)"))
    }
    do {
      let files = try ScriptSource.load([.file(path)]).map { try StartupFile($0) }
      for own in files.flatMap(\.own) { run(own) }
      read(files.map(\.commands))
      for opening in files.flatMap(\.openings) { run(opening) }
    } catch let problem as Problem {
      show(problem.diagnostic.rendered())
    } catch {
      show("error: " + escapedForTerminal(Failure(error).message))
    }
  }

  private func run(_ script: Script) {
    let run = ScriptRun(
      script,
      .allOrNothing,
      scriptReader,
      rendering,
      saysYes: options.saysYes,
      port
    )
    let screen = editor.screen
    let progress = ScriptProgress(script.lines.count, on: screen, now: port.environment.now)
    run.begin { update in
      switch update {
      case .reached(let count): progress.advance(to: count)
      case .failed(let problem): screen.announce(Array((problem.diagnostic.rendered() + "\n").utf8))
      case .over: screen.wake()
      case .printed: break
      }
    }
    wait(until: { run.ending != nil }) { run.cancel() }
    here.waitForChanges()
    announcements.ask()
    switch run.ending {
    case .ran(let printout, _)?: return showResult(printout.bytes)
    case .failed(let failure)?: show("error: " + escapedForTerminal(failure.message))
    case .cancelled?: show("error: Interrupted.")
    case .rolledBack?, .brokenOff?, nil: break
    }
    show("Nothing was changed.")
  }

  // MARK: Showing

  /// Shows a result, with the user's pager if it is longer than the screen.
  private func showResult(_ bytes: [UInt8]) {
    guard let size = TerminalSize(of: 1),
      bytes.count(where: { $0 == UInt8(ascii: "\n") }) >= size.rows,
      !editor.isPlain, let pager = Pager(), editor.lend({ pager.show(bytes) })
    else { return editor.screen.announce(bytes) }
  }

  /// Shows lines without control characters.
  private func show(_ text: String) {
    editor.screen.announce(Array((text + "\n").utf8))
  }

  private func show(_ diagnostic: Diagnostic) {
    show(diagnostic.rendered(namesPlace: false))
  }
}
