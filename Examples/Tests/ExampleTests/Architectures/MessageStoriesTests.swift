import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventValues
import Testing

@testable import todostream_messages

/// One story of the message list (S103) in other architectures, and here: what a view shows, in its
/// order.
@Suite(.hangLimit) struct MessageStoriesTests {
  @Test func `S97 S103 ReSwift and a store of the stream tell the same story`() throws {
    let mailbox = CallbackMailbox()
    let store = ReSwift.messagesStore()
    var seen: [String] = []
    let screen = ReSwift.MessagesScreen(store) { seen.append($0) }
    withExtendedLifetime(screen) {
      store.dispatch(ReSwift.fetchMessages(from: mailbox))
      mailbox.answer(.success(MessagesHouse.mail))
      store.dispatch(ReSwift.MessagesAction.removed(index: 1))
      store.dispatch(ReSwift.MessagesAction.removed(index: 7))
    }
    #expect(seen == ["", " …", "", "Hello Lunch News", "Hello News"])
    #expect(try MessagesHouse.story(.reducer) == seen)
  }

  @Test func `S97 S103 in ReSwift and in a store loading is off where the mailbox fails`() throws {
    let mailbox = CallbackMailbox()
    let store = ReSwift.messagesStore()
    var seen: [String] = []
    let screen = ReSwift.MessagesScreen(store) { seen.append($0) }
    withExtendedLifetime(screen) {
      store.dispatch(ReSwift.fetchMessages(from: mailbox))
      mailbox.answer(.failure(MessagesHouse.noMailbox))
    }
    #expect(seen == ["", " …", ""])
    #expect(store.state.problem == "No mailbox.")
    #expect(try MessagesHouse.failure(.reducer) == seen)
  }

  @Test func `S99 S103 ReactorKit and a reactor of the stream tell the same story`() throws {
    let mailbox = CallbackMailbox()
    let reactor = ReactorKit.MessagesReactor(mailbox: mailbox)
    var seen: [String] = []
    reactor.state.subscribe {
      seen.append(line($0.messages.map(\.subject), isLoading: $0.isLoading))
    }
    reactor.action.onNext(.refresh)
    mailbox.answer(.success(MessagesHouse.mail))
    reactor.action.onNext(.remove(index: 1))
    // The list comes while loading is still on; here it comes behind, as the mail is kept in a file
    // first.
    #expect(seen == ["", " …", "Hello Lunch News …", "Hello Lunch News", "Hello News"])
    #expect(
      try MessagesHouse.story(.reactor) == ["", " …", "", "Hello Lunch News", "Hello News"]
    )
    #expect(reactor.currentState.messages.map(\.subject) == ["Hello", "News"])
  }

  @Test func `S99 S103 in ReactorKit and in a reactor loading is off where the mailbox fails`()
    throws
  {
    let mailbox = CallbackMailbox()
    let reactor = ReactorKit.MessagesReactor(mailbox: mailbox)
    var seen: [String] = []
    reactor.state.subscribe {
      seen.append(line($0.messages.map(\.subject), isLoading: $0.isLoading))
    }
    reactor.action.onNext(.refresh)
    mailbox.answer(.failure(MessagesHouse.noMailbox))
    // The problem is shown while loading is still on.
    #expect(seen == ["", " …", " …", ""])
    #expect(reactor.currentState.problem == "No mailbox.")
    #expect(try MessagesHouse.failure(.reactor) == ["", " …", ""])
  }

  @Test
  func `S99 S103 a reactor that asks the mailbox itself tells ReactorKit's story to the letter`() {
    let (test, mailbox) = (TestContext(), ScriptedMailbox())
    let reactor = AskingReactor.make(mailbox, on: test.stream)
    let seen = Locked<[String]>([])
    reactor.state.observe { inbox, _ in
      seen.withLock { $0.append(line(inbox.titles, isLoading: inbox.isLoading)) }
    }
    test.send(RequestFetch())
    test.skip()
    #expect(seen.withLock { $0 } == ["", " …"])
    mailbox.answer(.success(MessagesHouse.mail))
    test.skip()
    test.send(RequestRemove(index: Count(2)))
    test.skip()
    #expect(
      seen.withLock { $0 }
        == ["", " …", "Hello Lunch News …", "Hello Lunch News", "Hello News"]
    )
  }

  @Test func `S91 S99 of two fetches of such a reactor the latest counts, and the other is over`() {
    let (test, mailbox) = (TestContext(), ScriptedMailbox())
    let reactor = AskingReactor.make(mailbox, on: test.stream)
    for _ in 1...2 {
      test.send(RequestFetch())
      test.skip()
    }
    mailbox.answer(.success([MessagesHouse.mail[0]]))
    test.skip()
    #expect(reactor.state.value == AskingReactor.Inbox(isLoading: true))
    mailbox.answer(.success([MessagesHouse.mail[1]]))
    test.skip()
    #expect(reactor.state.value == AskingReactor.Inbox(titles: ["Lunch"]))
  }

  @Test func `S102 S103 three layers and the servers of the stream tell the same story`() throws {
    let mailbox = CallbackMailbox()
    let screen = LayeredScreen(mailbox)
    screen.presenter.didPullToRefresh()
    mailbox.answer(.success(MessagesHouse.mail))
    screen.presenter.didSwipe(row: 1)
    #expect(screen.seen == ["", " …", "", "Hello Lunch News", "Hello News"])
    #expect(try MessagesHouse.story(.servers) == screen.seen)
    screen.presenter.didPullToRefresh()
    mailbox.answer(.success(MessagesHouse.mail))
    #expect(screen.seen.last == "Hello News")
  }

  @Test func `S102 in three layers and here the middle one refuses a row that is not there`() throws
  {
    let screen = LayeredScreen(CallbackMailbox())
    screen.presenter.didSwipe(row: 1)
    #expect(screen.problems == ["There is no row 2."])
    let house = try MessagesHouse(.servers)
    let refusal = "There is no row 2; the list is empty."
    #expect(throws: Failure(.notFound, refusal, field: "index")) {
      try house.say(RequestRemove(index: Count(2)))
    }
  }

  @Test func `S102 in three layers and here the failure of a fetch is told, and loading is off`()
    throws
  {
    let mailbox = CallbackMailbox()
    let screen = LayeredScreen(mailbox)
    screen.presenter.didPullToRefresh()
    mailbox.answer(.failure(MessagesHouse.noMailbox))
    #expect(screen.seen == ["", " …", ""])
    #expect(screen.problems == ["No mailbox."])
    #expect(try MessagesHouse.failure(.servers) == screen.seen)
  }
}

/// The messages in ReactorKit's own way: what takes time is asked where an action is mutated.
private enum AskingReactor {
  struct Inbox: Sendable, Equatable {
    var titles: [String] = []
    var isLoading = false
  }

  enum Mutation: Sendable, Equatable {
    case loading(Bool)
    case fetched([String])
    case removed(Int)
  }

  static func make(
    _ mailbox: ScriptedMailbox,
    on stream: EventStream
  ) -> Reactor<Inbox, Mutation> {
    Reactor<Inbox, Mutation>(Inbox(), name: "inbox", on: stream) { inbox, mutation in
      switch mutation {
      case .loading(let isLoading): inbox.isLoading = isLoading
      case .fetched(let titles): inbox.titles = titles
      case .removed(let index):
        if inbox.titles.indices.contains(index) { inbox.titles.remove(at: index) }
      }
    }
    .mutating(RequestFetch.self, .latest) { _, _, emit in
      emit(.loading(true))
      if let fetched = try? await mailbox.fetch(for: nil) {
        emit(.fetched(fetched.mail.map(\.subject)))
      }
      emit(.loading(false))
    }
    .mutating(RequestRemove.self) { request, _ in [.removed(request.index.number - 1)] }
  }
}

/// A view of three layers, which writes down what it shows.
private final class LayeredScreen: ThreeLayers.MessagesView {
  let presenter: ThreeLayers.MessagesPresenter
  private(set) var seen = [""]
  private(set) var problems: [String] = []
  private var titles: [String] = []
  private var isLoading = false

  init(_ mailbox: CallbackMailbox) {
    let interactor = ThreeLayers.MessagesInteractor(ThreeLayers.MailboxRepository(mailbox))
    presenter = ThreeLayers.MessagesPresenter(interactor)
    interactor.output = presenter
    presenter.view = self
  }

  func show(titles: [String]) {
    self.titles = titles
    draw()
  }

  func showLoading(_ isLoading: Bool) {
    self.isLoading = isLoading
    draw()
  }

  func showProblem(_ text: String) { problems.append(text) }

  private func draw() {
    let drawn = line(titles, isLoading: isLoading)
    if drawn != seen.last { seen.append(drawn) }
  }
}
