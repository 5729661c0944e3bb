import Platform
import Dispatch
import EventCommands
import EventMVVM
import EventPatterns
import EventValues

/// The screen context of the session: its open screens, their text in the prompt, and the commands
/// that are available there.
///
/// The stream notifies it of each change; it updates the catalogue of commands, and a prompt that
/// waits for an entry.
final class ScreenContext: Sendable {
  private let everywhere: Catalogue
  private let program: String
  private let terminal: LineScreen
  private let port: ViewPort
  private let state: Locked<State>

  private struct State {
    var screens: [ScreenView] = []
    /// The commands that are available.
    var catalogue: Catalogue
    /// What holds for the commands that are typed.
    var context: CommandContext?
  }

  init(_ terminal: LineScreen, _ catalogue: Catalogue, _ port: ViewPort, program: String) {
    everywhere = catalogue
    self.program = program
    self.terminal = terminal
    self.port = port
    state = Locked(State(catalogue: catalogue.onScreen(nil)))
  }

  /// The commands that are available.
  var catalogue: Catalogue { state.withLock { $0.catalogue } }

  /// Whether a screen is open.
  var isOnScreen: Bool { state.withLock { !$0.screens.isEmpty } }

  /// Whether a screen has unsaved edits.
  var hasEdits: Bool { state.withLock { $0.screens.contains(where: \.isEdited) } }

  /// Declares that this session has screens, and observes their changes.
  func begin() {
    let own = port.origin
    port.on(ResponseScreenChange.self, owner: self) { here, change, _ in
      if change.session == own { here.take(change.screens) }
    }
    port.request(RequestScreens(), isHousekeeping: true) { _, _ in }
  }

  /// Waits until the screens that a command has opened and closed are known: its events are queued
  /// by the time of its answer, or by an event that is.
  func waitForChanges() {
    let isOver = DispatchSemaphore(value: 0)
    port.afterQueued { [port] in
      port.afterQueued { isOver.signal() }
    }
    isOver.wait()
  }

  /// The prompt of the topmost screen.
  var prompt: StyledText { prompt(state.withLock { $0.screens.last }) }

  /// The context that holds for the commands that are typed; nil for none.
  var context: CommandContext? {
    get { state.withLock { $0.context } }
    set {
      let screen = state.withLock { state in
        state.context = newValue
        return state.screens.last
      }
      terminal.setPrompt(prompt(screen))
    }
  }

  /// Returns a command that was typed, within the context.
  func inContext(_ command: some Command) throws(ValueError) -> any Command {
    guard let context, let contextual = command as? any ContextualCommand else { return command }
    return try contextual.within(context)
  }

  private func take(_ screens: [ScreenView]) {
    let isNew = state.withLock { state in
      guard state.screens != screens else { return false }
      if state.screens.last?.kind != screens.last?.kind {
        state.catalogue = everywhere.onScreen(screens.last?.kind)
      }
      state.screens = screens
      return true
    }
    // On the home thread alone, and so in order.
    if isNew { terminal.setPrompt(prompt(screens.last)) }
  }

  /// Returns `#3 Buy milk* ›`: a title, truncated to half of the terminal's width, and a star for
  /// edits.
  private func prompt(_ screen: ScreenView?) -> StyledText {
    var title = escapedForTerminal(screen?.title ?? program)
    let room = max(10, (TerminalSize(of: 1)?.columns ?? 80) / 2)
    if DisplayWidth.of(title) > room {
      title = DisplayWidth.prefix(of: title, columns: room - 1) + "…"
    }
    var prompt = StyledText(title, .bold)
    if let context = state.withLock({ $0.context }) { prompt.append(" [\(context.name)]", .cyan) }
    if screen?.isEdited == true { prompt.append("*", .yellow) }
    prompt.append(" › ", .bold)
    return prompt
  }
}
