import EventValues
import Platform
import EventCommands
import EventMVVM
import EventPatterns
import JSONText

/// Shows announcements above the prompt, and the status at its right.
final class AnnouncementReader: Sendable {
  private let screen: LineScreen
  private let catalogue: Catalogue
  private let port: ViewPort
  private let hasColor: Bool
  /// Whether toasts, which this session alone is shown, are JSON.
  let isJSON: Locked<Bool>
  /// The words of each status, and whether a request for it is in progress, or must be repeated.
  private let state: Locked<State>
  private let watches = Locked<[NamedStateWatch]>([])

  private struct State {
    var texts: [StatusText?]
    var asked = 0
    var isStale = false
    /// The work in progress, by the names of its states.
    var underWay: [String: String] = [:]

    /// The text at the right of the prompt.
    var prompt: StyledText {
      var prompt = StyledText()
      for words in underWay.values.sorted() {
        if prompt.width > 0 { prompt.append("  ") }
        prompt.append(words + " …", .yellow)
      }
      for text in texts.compactMap(\.self) where !text.pieces.isEmpty {
        if prompt.width > 0 { prompt.append("  ") }
        for piece in text.pieces { prompt.append(piece.text, piece.style) }
      }
      return prompt
    }
  }

  init(_ screen: LineScreen, _ catalogue: Catalogue, _ port: ViewPort, _ rendering: Rendering) {
    self.screen = screen
    self.catalogue = catalogue
    self.port = port
    hasColor = rendering.hasColor
    isJSON = Locked(rendering.isJSON)
    state = Locked(State(texts: catalogue.wire.statuses.map { _ in nil }))
  }

  func begin() {
    let own = port.origin
    for announcement in catalogue.announcements {
      announcement.observe(through: port) { [weak self] event, origin in
        // A person's own changes are in the result, but other problems are not.
        guard origin != own || event is any TroubleNotice else { return }
        self?.show(event)
      }
    }
    port.on(ResponseToast.self, owner: self) { reader, toast, _ in
      if toast.session == own { reader.show(toast) }
    }
    let signs = catalogue.wire.cells.compactMap { cell in
      cell.progress.map { progress in
        port.watch(cell.name) { [weak self] value in
          self?.hear(cell.name, value == Array("true".utf8) ? progress : nil)
        }
      }
    }
    watches.withLock { $0 = signs }
    ask()
  }

  /// The text in place of the prompt while a person waits.
  var waitingSign: StyledText {
    let words = state.withLock { $0.underWay.values.sorted().first }
    return words.map { WaitingSign.underWay($0) } ?? WaitingSign.working
  }

  /// Updates the work in progress on the topmost screen, or in the program.
  private func hear(_ name: String, _ progress: String?) {
    let (isNew, prompt) = state.withLock { state in
      let isNew = state.underWay[name] != progress
      state.underWay[name] = progress
      return (isNew, state.prompt)
    }
    guard isNew else { return }
    screen.setRightPrompt(prompt)
    // On the waiting thread, and so after the values that it has set.
    screen.wake { [weak self, screen] _ in
      if let self { screen.setStatus(waitingSign) }
    }
  }

  /// Shows a line above the prompt.
  private func show(_ toast: ResponseToast) {
    guard !isJSON.withLock({ $0 }) else {
      var json = JSONWriter()
      json.object { json in
        json.key(JSONName(ResponseToast.notification))
        json.object { toast.writeParameters(to: &$0) }
      }
      return screen.announce(json.bytes + Array("\n".utf8))
    }
    var page = Page(hasColor: hasColor, width: TerminalSize(of: 1)?.columns, clock: .ofProcess)
    page.write(user: toast.text, .cyan)
    page.endLine()
    screen.announce(page.bytes)
  }

  private func show(_ event: any Announcement) {
    var page = Page(hasColor: hasColor, width: TerminalSize(of: 1)?.columns, clock: .ofProcess)
    event.announce(on: &page)
    screen.announce(page.bytes)
    ask()
  }

  /// Requests the status; several calls at once are combined.
  func ask() {
    let isFree = state.withLock { state in
      state.isStale = state.asked > 0
      if !state.isStale { state.asked = catalogue.wire.statuses.count }
      return !state.isStale
    }
    guard isFree else { return }
    for (index, status) in catalogue.wire.statuses.enumerated() { ask(status, index) }
  }

  private func ask<S: StatusRequest>(_ type: S.Type, _ index: Int) {
    port.request(S(), isHousekeeping: true) { [weak self] result, _ in
      self?.take(try? result.get().result.get(), index)
    }
  }

  private func take(_ text: StatusText?, _ index: Int) {
    let (prompt, asksAgain) = state.withLock { state in
      state.texts[index] = text
      state.asked -= 1
      return (state.prompt, state.asked == 0 && state.isStale)
    }
    screen.setRightPrompt(prompt)
    if asksAgain { ask() }
  }
}
