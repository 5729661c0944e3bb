import Platform
import EventCommands
import EventMVVM

/// Shows what others do above the prompt, and how things stand at its right.
final class AnnouncementReader: Sendable {
  private let screen: LineScreen
  private let catalogue: Catalogue
  private let port: ViewPort
  private let hasColor: Bool
  /// The words of each status, and whether it is being asked for, or is to be asked for once more.
  private let state: Locked<State>

  private struct State {
    var texts: [StatusText?]
    var asked = 0
    var isStale = false
  }

  init(_ screen: LineScreen, _ catalogue: Catalogue, _ port: ViewPort, hasColor: Bool) {
    self.screen = screen
    self.catalogue = catalogue
    self.port = port
    self.hasColor = hasColor
    state = Locked(State(texts: catalogue.statuses.map { _ in nil }))
  }

  func begin() {
    let own = port.origin
    for announcement in catalogue.announcements {
      announcement.observe(through: port) { [weak self] event, origin in
        // A person's own changes are in the result, but not what else is wrong.
        guard origin != own || event is any TroubleNotice else { return }
        self?.show(event)
      }
    }
    ask()
  }

  private func show(_ event: any Announcement) {
    var page = Page(hasColor: hasColor, width: TerminalSize(of: 1)?.columns)
    event.announce(on: &page)
    if !page.bytes.isEmpty { screen.announce(page.bytes) }
    ask()
  }

  /// Asks how things stand; many askings at once are one.
  func ask() {
    let isFree = state.withLock { state in
      state.isStale = state.asked > 0
      if !state.isStale { state.asked = catalogue.statuses.count }
      return !state.isStale
    }
    guard isFree else { return }
    for (index, status) in catalogue.statuses.enumerated() { ask(status, index) }
  }

  private func ask<S: StatusRequest>(_ type: S.Type, _ index: Int) {
    port.request(S()) { [weak self] result, _ in
      self?.take(try? result.get().result.get(), index)
    }
  }

  private func take(_ text: StatusText?, _ index: Int) {
    let (texts, asksAgain) = state.withLock { state in
      state.texts[index] = text
      state.asked -= 1
      return (state.texts, state.asked == 0 && state.isStale)
    }
    var prompt = StyledText()
    for text in texts.compactMap(\.self) {
      if prompt.width > 0 { prompt.append("  ") }
      for piece in text.pieces { prompt.append(piece.text, piece.style) }
    }
    screen.setRightPrompt(prompt)
    if asksAgain { ask() }
  }
}
