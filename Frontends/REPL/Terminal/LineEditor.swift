import CEditLine
import EventCommands
import EventMVVM
import Foundation
import Platform
import Seams

/// Reads entries that a person types on a terminal, and updates the screen meanwhile.
///
/// Used by one thread, the main one; others use its ``screen``. There is one editor in a process,
/// as the signals and the terminal belong to the process. It holds the terminal until it is
/// released: between entries nothing is echoed, and typed text waits for the next entry; the
/// terminal can be lent to other programs.
///
/// libedit has the keys, the line and the history; the display is painted here, before each wait
/// for a key, since libedit counts the columns of an emoji differently from terminals and can show
/// neither colours nor hints.
///
/// Where the terminal has no escape sequences, or libedit does not know it, the conversation is
/// plain: the terminal edits the lines, and there are no colours, hints, candidates or keys.
package final class LineEditor {
  /// The options of an editor.
  package struct Options {
    /// The name of the program in `.editrc`.
    package var program: String
    /// Whether styles, hints and colours are shown.
    package var hasColor = true
    /// The history of entries.
    package var history: LineHistory

    /// Creates options with colour.
    package init(program: String, history: LineHistory = LineHistory()) {
      self.program = program
      self.history = history
    }
  }

  /// How reading an entry ended.
  package enum Entry: Equatable {
    /// A text was entered; it may have several lines, and ends with none.
    case text(String)
    /// The person dropped what was typed, by ^C.
    case interrupted
    /// The input has ended: ^D on an empty line, or the terminal is gone.
    case end
    /// The program ended it, and erased it from the screen.
    case dropped
  }

  /// How waiting for work ended.
  package enum Waiting: Equatable {
    /// The work is over.
    case over
    /// The person wants it to end, by ^C.
    case interrupted
  }

  /// The functions for the text that is being typed.
  package var assistant = LineAssistant()
  /// The history of entries.
  package let history: LineHistory
  /// The screen, for other threads.
  package let screen = LineScreen()

  let hasColor: Bool
  /// libedit; nil in a plain conversation.
  private(set) var libedit: OpaquePointer?
  private let signals: Int32
  var input = KeyInput()
  var painter = EntryPainter()
  var view = EntryView()
  private var isReading = false
  /// Whether the entry being read answers a question.
  private var isQuestion = false
  /// The outcome of reading the entry.
  var outcome: Entry?
  /// The initial text of the line.
  private var beginning = ""
  /// Whether there is no person any more: the terminal is gone, or the screen was stopped.
  package private(set) var isGone = false

  /// Takes the terminal at standard input and output.
  ///
  /// - Returns: nil if either is no terminal; nothing has been started then.
  package init?(_ options: Options) {
    history = options.history
    hasColor = options.hasColor
    guard Self.canConverse else { return nil }
    signals = ce_watch()
    guard signals >= 0 else { return nil }
    guard Self.hasEscapes else { return }
    libedit = ce_make(
      options.program,
      ce_callbacks(
        context: Unmanaged.passUnretained(self).toOpaque(),
        next: { LineEditor.from($0).next() },
        act: { LineEditor.from($0).act($1) },
        entry: { LineEditor.from($0).historyEntry(Int($1)) }
      )
    )
    guard !isPlain else { return }
    configure()
    ce_hold(libedit, CE_WAITING)
  }

  /// Whether standard input and output are a terminal.
  static var canConverse: Bool { isatty(0) == 1 && isatty(1) == 1 }

  /// Whether the terminal is said to support escape sequences.
  private static var hasEscapes: Bool {
    getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
  }

  /// Whether the terminal edits the lines, as it has no escape sequences or libedit does not know it.
  package var isPlain: Bool { libedit == nil }

  private static func from(_ context: UnsafeMutableRawPointer?) -> LineEditor {
    guard let context else { preconditionFailure("libedit has lost its editor") }
    return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
  }

  deinit {
    if let libedit { ce_free(libedit) }
    recalled.deallocate()
  }

  // MARK: Entries

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - prompt: Returns the text before its first line; called once ``LineScreen/setPrompt(_:)``
  ///     works, so that no change of it is lost.
  ///   - continuation: The text before its other lines.
  ///   - text: The initial text.
  ///   - isKept: Whether it goes into the history.
  ///   - isQuestion: Whether its prompt is unchanged, even if ``LineScreen/setPrompt(_:)`` is
  ///     called.
  /// - Returns: The entry, or how reading ended.
  package func readEntry(
    prompt: @autoclosure () -> StyledText,
    continuation: StyledText = "… ",
    text: String = "",
    isKept: Bool = true,
    isQuestion: Bool = false
  ) -> Entry {
    precondition(!isReading, "an entry is being read")
    guard !isGone else { return .end }
    isReading = true
    self.isQuestion = isQuestion
    outcome = nil
    beginning = text
    screen.takePrompts(!isQuestion)
    defer { screen.takePrompts(false) }
    view.prompt = prompt()
    view.continuation = continuation
    view.removeAids()
    dropInterrupts()
    if isPlain {
      readPlain()
    } else {
      ce_hold(libedit, CE_READING)
      view.size = TerminalSize(of: 1) ?? view.size
      ce_read(libedit)
    }
    isReading = false
    leave()
    let outcome = outcome ?? .end
    if isKept, case .text(let entry) = outcome {
      history.add(entry)
      tellProblem()
    } else if isKept, !isPlain, outcome == .interrupted, line.scalars.contains("\n") {
      // Who leaves a quote that was open by mistake finds what was typed one key up.
      history.add(line.text)
      tellProblem()
    }
    return outcome
  }

  /// Ends the entry that is being read, so that a question can be asked, unless text was
  /// typed; for a closure of ``LineScreen/wake(_:)``.
  ///
  /// - Returns: False if the question has to wait for the end of the entry.
  func makeRoomForQuestion() -> Bool {
    guard isReading, !isQuestion else { return true }
    // What was typed of a line that the terminal edits is not known.
    guard !isPlain, line.scalars.isEmpty else { return false }
    outcome = .dropped
    return true
  }

  /// Ends the question that is being asked; for a closure of ``LineScreen/wake(_:)``.
  func dropQuestion() {
    if isReading, isQuestion { outcome = .dropped }
  }

  /// Paints the final form of the entry, and restores the terminal.
  private func leave() {
    view.removeAids()
    guard !isPlain else { return screen.leave() }
    var output: [UInt8] = []
    if outcome == .dropped {
      output = painter.erase()
    } else if !painter.isEmpty || outcome != .end {
      view.isLeft = true
      output += painter.paint(view.layout(line, self), height: view.size.rows)
      if outcome == .interrupted { output += Array("^C".utf8) }
      output += painter.leave()
      view.isLeft = false
    }
    screen.paint(output)
    ce_hold(libedit, CE_WAITING)
    screen.leave()
  }

  private func tellProblem() {
    if let problem = history.takeProblem() { warn(problem) }
  }

  private func warn(_ problem: String) {
    screen.announce(Array("warning: \(escapedForTerminal(problem))\n".utf8))
  }

  // MARK: Waiting

  /// Waits until a condition holds; announcements are printed meanwhile.
  ///
  /// The condition is checked whenever the screen is woken (``LineScreen/wake(_:)``), and
  /// whenever a descriptor can be read. The status is shown once that has taken a tenth of a
  /// second: before, it would only flicker.
  package func wait(for descriptor: Int32? = nil, until isOver: () -> Bool) -> Waiting {
    precondition(!isReading, "an entry is being read")
    dropInterrupts()
    ce_hold(libedit, CE_WAITING)
    view.size = TerminalSize(of: 1) ?? view.size
    defer {
      view.status = ""
      screen.leave(painter.erase())
    }
    let shown = ContinuousClock.now + .milliseconds(100)
    while true {
      runPending()
      if isOver() { return .over }
      let left = shown - ContinuousClock.now
      if left <= .zero { paintStatus() }
      _ = poll(descriptor, timeout: left <= .zero ? -1 : Int32(left / .milliseconds(1)) + 1)
      for signal in takeSignals() {
        switch signal {
        case SIGINT: return .interrupted
        case SIGTSTP: stop(group: false)
        case SIGWINCH: resize()
        default: break
        }
      }
    }
  }

  private func paintStatus() {
    guard !isPlain, view.status.width > 0 || !painter.isEmpty else { return }
    var layout = EntryLayout(columns: view.size.columns, hasColor: hasColor)
    layout.write(view.status)
    layout.setStyle("")
    layout.cursor = layout.end
    screen.paint(painter.paint(layout, height: view.size.rows))
  }

  /// Lends the terminal to another program or to other code; announcements in the meantime are
  /// printed afterwards.
  package func lend<T>(_ body: () throws -> T) rethrows -> T {
    precondition(!isReading, "an entry is being read")
    screen.hold()
    ce_hold(libedit, CE_GIVEN_BACK)
    defer {
      dropInterrupts()
      ce_hold(libedit, CE_WAITING)
      screen.leave()
    }
    return try body()
  }

  // MARK: Waiting for a key

  /// Returns the next character for libedit; -1 if reading the entry has ended.
  func next() -> Int32 {
    insertBeginning()
    input.keys.isVi = ce_is_vi(libedit)
    while outcome == nil {
      if let scalar = input.next() {
        if input.takeDropped() { screen.paint([7]) }
        view.menu = nil
        return scalar
      }
      waitForInput()
    }
    return -1
  }

  /// Waits for more bytes, or until there are other tasks; the display is up to date
  /// meanwhile.
  func waitForInput() {
    runPending()
    guard outcome == nil else { return }
    if input.takeDropped() { screen.paint([7]) }
    if poll(0, timeout: 0) == nil {
      paint()
      if !history.isLoaded {
        history.load()
        tellProblem()
        runPending()
        paint()
      }
    }
    let ready = poll(0, timeout: input.awaitsEscape ? 30 : -1)
    for signal in takeSignals() { obey(signal) }
    switch ready {
    case .input:
      // The signal can be delivered on another thread, and be noted after the key.
      resize()
      readInput()
    case .gone: leaveForGood()
    case .timeout: input.giveUpEscape()
    case .other, nil: break
    }
  }

  private func insertBeginning() {
    guard !beginning.isEmpty else { return }
    insert(beginning)
    beginning = ""
  }

  /// Waits a number of milliseconds for more bytes; false if none have come.
  func readMore(within timeout: Int32) -> Bool {
    while outcome == nil {
      switch poll(0, timeout: timeout) {
      case .input:
        readInput()
        return true
      case .other:
        for signal in takeSignals() { obey(signal) }
      case .gone:
        leaveForGood()
      case .timeout, nil:
        return false
      }
    }
    return false
  }

  /// Reads what was typed.
  ///
  /// - Returns: False at the end of input, which a terminal that edits lines has after ^D.
  @discardableResult
  func readInput() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(0, &buffer, Seam.part(of: buffer.count, at: .read))
    if count > 0 {
      input.append(buffer[..<count])
    } else if count == 0 ? !isPlain : (errno != EINTR && errno != EAGAIN) {
      leaveForGood()
    }
    return count != 0
  }

  func leaveForGood() {
    isGone = true
    outcome = .end
  }

  func runPending() {
    let pending = screen.takePending()
    view.prompt = pending.prompt ?? view.prompt
    view.rightPrompt = pending.rightPrompt ?? view.rightPrompt
    view.status = pending.status ?? view.status
    if !pending.announcements.isEmpty {
      var output = isPlain && isReading ? Array("\n".utf8) : painter.erase()
      for announcement in pending.announcements {
        output += announcement
        if announcement.last != UInt8(ascii: "\n") { output += Array("\r\n".utf8) }
      }
      if isPlain, isReading { output += Array(view.prompt.plain.utf8) }
      screen.paint(output)
    }
    for closure in pending.closures { closure(self) }
    if pending.isStopped { leaveForGood() }
  }

  enum Ready {
    case input
    case gone
    case other
    case timeout
  }

  /// Waits for a descriptor and for signals; nil if neither is ready and no time was given.
  func poll(_ descriptor: Int32?, timeout: Int32) -> Ready? {
    var sources = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = Foundation.poll(&sources, 2, timeout)
    if count == 0 { return timeout == 0 ? nil : .timeout }
    guard count > 0 else { return .other }
    let events = sources[1].revents
    if events & Int16(POLLIN) != 0 { return .input }
    return events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 ? .gone : .other
  }

  // MARK: Signals

  func takeSignals() -> [Int32] {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(signals, &buffer, buffer.count)
    return count > 0 ? buffer[..<count].filter { $0 != 0 }.map(Int32.init) : []
  }

  private func dropInterrupts() {
    for signal in takeSignals() where signal != SIGINT { obey(signal) }
  }

  func obey(_ signal: Int32) {
    switch signal {
    case SIGINT: outcome = .interrupted
    case SIGWINCH: resize()
    case SIGTSTP: stop(group: false)
    case SIGCONT where isReading:
      ce_hold(libedit, CE_READING)
      painter.invalidate()
    default: break
    }
  }

  /// Stops the process until it is continued.
  func stop(group: Bool) {
    screen.paint(painter.leave())
    ce_stop(libedit, group)
    view.size = TerminalSize(of: 1) ?? view.size
  }

  private func resize() {
    let size = TerminalSize(of: 1) ?? view.size
    guard size != view.size else { return }
    if size.columns < view.size.columns { painter.narrow(to: size.columns, height: size.rows) }
    view.size = size
    screen.paint(painter.erase())
  }

  // MARK: The line

  /// The current line.
  var line: EditedLine {
    var count: Int32 = 0
    var cursor: Int32 = 0
    let characters = ce_line(libedit, &count, &cursor)
    return EditedLine(UnsafeBufferPointer(start: characters, count: Int(count)), Int(cursor))
  }

  /// Inserts a text at the cursor.
  func insert(_ text: String) {
    ce_insert(libedit, text.unicodeScalars.map { Int32($0.value) }.filter { $0 != 0 } + [0])
  }

  /// Paints the line, with the cursor moved out of a character that libedit treats as several.
  private func paint() {
    var line = line
    let start = line.startOfCharacter(at: line.cursor)
    if start != line.cursor {
      let goal = line.cursor > view.lastCursor ? line.endOfCharacter(at: line.cursor) : start
      ce_move(libedit, Int32(goal - line.cursor))
      line = self.line
    }
    view.lastCursor = line.cursor
    if ce_has_rung(libedit) { screen.paint([7]) }
    screen.paint(painter.paint(view.layout(line, self), height: view.size.rows))
  }

  // MARK: History

  private var recalled = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  private func historyEntry(_ index: Int) -> UnsafePointer<Int32>? {
    let entries = history.entries
    guard index < entries.count else { return nil }
    let scalars = entries[entries.count - 1 - index].unicodeScalars
    recalled.deallocate()
    recalled = .allocate(capacity: scalars.count + 1)
    var end = recalled
    for scalar in scalars {
      end.initialize(to: Int32(scalar.value))
      end += 1
    }
    end.initialize(to: 0)
    return UnsafePointer(recalled)
  }

  // MARK: .editrc

  private func configure() {
    let file = EditRC.ofUser
    for line in file.lines {
      ce_configure(libedit, line)
      if line.contains("bind") && line.contains("[") { input.keys.passesUnknown = true }
    }
    if let problem = file.problem { warn(problem) }
  }
}
