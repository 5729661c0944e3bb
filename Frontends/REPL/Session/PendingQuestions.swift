import EventCommands
import EventMVVM
import EventPatterns

/// The questions to which the person at this session owes an answer, in order (S83).
///
/// A question that arrives while an entry is being typed is shown above the prompt, and is asked
/// after that entry; else it is asked at once.
final class PendingQuestions: Sendable {
  private struct State {
    var pending: [ResponseQuestion] = []
    /// The question that is being asked.
    var asked: Int?
  }

  private let screen: LineScreen
  private let port: ViewPort
  private let state = Locked(State())

  init(_ screen: LineScreen, _ port: ViewPort) {
    self.screen = screen
    self.port = port
  }

  func begin() {
    let own = port.origin
    port.on(ResponseQuestion.self, owner: self) { questions, question, _ in
      if question.session == own { questions.take(question) }
    }
    port.on(ResponseQuestionClosed.self, owner: self) { questions, closed, _ in
      if closed.session == own { questions.close(closed.id) }
    }
  }

  /// Whether there is none that was not asked yet.
  var isEmpty: Bool { state.withLock { $0.pending.isEmpty } }

  /// Returns the next question, which is being asked from now on.
  func next() -> ResponseQuestion? {
    state.withLock { state in
      guard !state.pending.isEmpty else { return nil }
      let question = state.pending.removeFirst()
      state.asked = question.id
      return question
    }
  }

  /// Whether a question is being asked, and needs an answer.
  func isAsked(_ question: ResponseQuestion) -> Bool {
    state.withLock { $0.asked == question.id }
  }

  /// Answers the question that was asked, or declines it.
  func answer(_ question: ResponseQuestion, _ value: String?) {
    guard state.withLock({ $0.asked == question.id }) else { return }
    state.withLock { $0.asked = nil }
    port.request(RequestAnswer(question.id, value)) { _, _ in }
  }

  private func take(_ question: ResponseQuestion) {
    state.withLock { $0.pending.append(question) }
    screen.wake { [screen] editor in
      guard !editor.makeRoomForQuestion() else { return }
      screen.announce(Array((escapedForTerminal(question.text) + "\n").utf8))
    }
  }

  private func close(_ id: Int) {
    state.withLock { $0.pending.removeAll { $0.id == id } }
    screen.wake { [weak self] editor in
      guard let self, state.withLock({ $0.asked == id }) else { return }
      state.withLock { $0.asked = nil }
      editor.dropQuestion()
    }
  }
}
