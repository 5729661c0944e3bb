import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import JSONText
import Testing

/// S60: an account that is over interrupts a conversation, and signing in resumes it.
@Suite(.hangLimit) struct AuthenticationTests {
  @Test func `it keeps the plugin laws`() {
    PluginLaws.check { Authentication(Porter(), hasLastingSessions: true) }
    PluginLaws.check { Office() }
  }

  @Test func `S60 a command that needs somebody fails at once, and goes on when somebody is`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    #expect(guest.fetch("a") == .failure(Self.waits("fetch")))
    #expect(guest.screens == ["sign in: fetch"])
    #expect(
      guest.signIn() == #"{"account":"ann","resumed":[{"command":"fetch","result":"a for ann"}]}"#
    )
    #expect(guest.screens == [])
    #expect(guest.fetch("b") == .success("b for ann"))
    #expect(hotel.office.asked == ["a for nobody", "a for ann", "b for ann"])
  }

  @Test func `S60 an account that is over by the clock interrupts, and the service is not asked`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    hotel.porter.lifetime = 60_000
    _ = guest.signIn()
    #expect(guest.fetch("a") == .success("a for ann"))
    hotel.test.now = hotel.test.now.adding(milliseconds: 59_999)
    #expect(guest.fetch("b") == .success("b for ann"))
    hotel.test.now = hotel.test.now.adding(milliseconds: 1)
    #expect(guest.fetch("c") == .failure(Self.waits("fetch")))
    #expect(hotel.office.asked == ["a for ann", "b for ann"])
    #expect(guest.signIn()?.contains(#""result":"c for ann""#) == true)
  }

  @Test func `S60 with a session end its account and what waits, and not those of others`() {
    let hotel = Hotel()
    let (guest, other, waiting) = (hotel.guest(), hotel.guest(), hotel.guest())
    _ = guest.signIn()
    _ = other.signIn()
    _ = waiting.fetch("a")
    for left in [guest, waiting] { left.port.end() }
    hotel.test.skip()
    #expect(other.fetch("b") == .success("b for ann"))
    #expect(
      guest.say(RequestSignOut()) == .failure(Failure(.notFound, "Nobody is signed in."))
    )
    #expect(waiting.signIn() == #"{"account":"ann","resumed":[]}"#)
    #expect(hotel.office.asked == ["a for nobody", "b for ann"])
  }

  @Test func `S60 the service says that an account is over before the clock does`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.signIn()
    hotel.office.isClosed = true
    #expect(guest.fetch("a") == .failure(Self.waits("fetch")))
    hotel.office.isClosed = false
    #expect(
      guest.signIn() == #"{"account":"ann","resumed":[{"command":"fetch","result":"a for ann"}]}"#
    )
  }

  @Test func `S60 a second failure does not loop`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    hotel.office.isClosed = true
    _ = guest.fetch("a")
    _ = guest.fetch("b")
    let refusal =
      #"{"kind":"account","message":"Signed in, and 'fetch' still wants somebody to sign in."}"#
    #expect(
      guest.signIn()
        == #"{"account":"ann","resumed":[{"command":"fetch","error":\#(refusal)},"#
        + #"{"command":"fetch","error":\#(refusal)}]}"#
    )
    #expect(hotel.office.asked == ["a for nobody", "b for nobody", "a for ann", "b for nobody"])
    #expect(guest.screens == [])
    hotel.office.isClosed = false
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 what waits goes on in its order, each once`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    _ = guest.send("b")
    #expect(guest.fetch("a") == .failure(Self.waits("fetch")))
    #expect(guest.screens == ["sign in: fetch, send"])
    #expect(
      guest.signIn()
        == #"{"account":"ann","resumed":[{"command":"fetch","result":"a for ann"},"#
        + #"{"command":"send","result":"b for ann"}]}"#
    )
  }

  @Test func `S60 a wrong secret keeps what waits`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    #expect(guest.signIn("wrong") == "error: That is not the secret of ann.")
    #expect(guest.screens == ["sign in: fetch"])
    #expect(guest.signIn()?.contains("a for ann") == true)
    #expect(guest.signIn("") == "error: sign-in needs a name, and the file that the secret is in.")
  }

  @Test func `S60 cancelling gives up what waits, and closes the screen`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    _ = guest.send("b")
    #expect(guest.say(RequestCancelSignIn()) == .success("Gave up fetch, send."))
    #expect(guest.screens == [])
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
    #expect(
      guest.say(RequestCancelSignIn())
        == .failure(Failure(.usage, "Nothing waits for somebody to sign in."))
    )
  }

  @Test func `S60 closing the screen gives up what waits`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    #expect(guest.say(RequestBack()) == .success("[]"))
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 a screen above the one that shows it gives up what waits`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.say(RequestRoom(title: "letter A"))
    _ = guest.send("a")
    #expect(guest.screens == ["letter A", "sign in: send"])
    _ = guest.say(RequestRoom(title: "letter B"))
    #expect(guest.screens == ["letter A", "letter B"])
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
    #expect(guest.screens == ["letter A", "letter B"])
    #expect(hotel.office.asked == ["a for nobody"])
  }

  @Test func `S60 what waits is shown where no other screen has room`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    for number in 1...Navigator.mostScreens { _ = guest.say(RequestRoom(title: "\(number)")) }
    _ = guest.send("a")
    #expect(guest.screens.count == 33)
    #expect(guest.screens.last == "sign in: send")
    _ = guest.say(RequestBack())
    #expect(guest.screens.last == "32")
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 cancelling gives up what waits without a screen as well`() {
    let hotel = Hotel()
    let guest = hotel.guest(hasScreens: false)
    _ = guest.fetch("a")
    #expect(guest.say(RequestCancelSignIn()) == .success("Gave up fetch."))
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
    #expect(
      guest.say(RequestCancelSignIn())
        == .failure(Failure(.usage, "Nothing waits for somebody to sign in."))
    )
  }

  @Test func `S60 signing out gives up what waits`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    #expect(guest.say(RequestSignOut()) == .success("Gave up fetch."))
    #expect(guest.screens == [])
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 what was said as somebody else is given up, and said to be`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    hotel.porter.lifetime = 60_000
    _ = guest.signIn()
    hotel.test.now = hotel.test.now.adding(milliseconds: 60_000)
    _ = guest.send("a")
    let given = #"{"kind":"account","message":"It was said as ann, and is given up."}"#
    #expect(
      guest.signIn("bob.secret", as: "bob")?
        .hasSuffix(#""resumed":[{"command":"send","error":\#(given)}]}"#) == true
    )
    #expect(guest.screens == [])
    #expect(hotel.office.asked == [])
    #expect(guest.fetch("b") == .success("b for bob"))
  }

  @Test func `S60 whom a session acts for is said as it is`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    hotel.porter.lifetime = 60_000
    _ = guest.signIn()
    hotel.porter.isSlow = true
    let answer = Locked<String?>(nil)
    let conversation = guest.beginSignIn(answer)
    hotel.test.skip()
    guest.port.cancel(conversation)
    hotel.porter.goOn()
    hotel.test.skip()
    #expect(answer.withLock { $0 } == "error: Cancelled; ann stays signed in.")
    #expect(guest.fetch("a") == .success("a for ann"))
    #expect(hotel.accounts == ["ann"])
    hotel.porter.isSlow = false
    hotel.test.now = hotel.test.now.adding(milliseconds: 60_000)
    _ = guest.fetch("b")
    #expect(hotel.accounts == ["ann", "nobody"])
    _ = guest.signIn()
    hotel.office.isClosed = true
    _ = guest.fetch("c")
    #expect(hotel.accounts == ["ann", "nobody", "ann", "nobody"])
    hotel.office.isClosed = false
    _ = guest.signIn()
    _ = guest.say(RequestSignOut())
    #expect(hotel.accounts == ["ann", "nobody", "ann", "nobody", "ann", "nobody"])
  }

  @Test func `S60 what fails for an account that is gone does not end the one that came meanwhile`()
  {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.signIn()
    hotel.porter.lifetime = 60_000
    let answer = Locked<Result<String, Failure>?>(nil)
    guest.port.request(RequestWait()) { result, _ in answer.withLock { $0 = words(result) } }
    hotel.test.skip()
    _ = guest.signIn()
    hotel.office.goOn()
    hotel.test.skip()
    #expect(
      answer.withLock { $0 }
        == .failure(
          Failure(.account, "Another person has signed in meanwhile; 'wait' can be typed again.")
        )
    )
    #expect(guest.screens == [])
    #expect(guest.fetch("a") == .success("a for ann"))
  }

  @Test func `S60 who cancels the signing in is not signed in, and nothing goes on`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    hotel.porter.isSlow = true
    let answer = Locked<String?>(nil)
    let conversation = guest.beginSignIn(answer)
    hotel.test.skip()
    guest.port.cancel(conversation)
    hotel.porter.goOn()
    hotel.test.skip()
    #expect(answer.withLock { $0 } == "error: Cancelled; nobody is signed in.")
    #expect(guest.screens == [])
    hotel.porter.isSlow = false
    #expect(hotel.office.asked == ["a for nobody"])
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 each session is signed in by itself`() {
    let hotel = Hotel()
    let (first, second) = (hotel.guest(), hotel.guest())
    _ = first.signIn()
    #expect(first.fetch("a") == .success("a for ann"))
    #expect(second.fetch("b") == .failure(Self.waits("fetch")))
    #expect(first.screens == [])
    #expect(second.screens == ["sign in: fetch"])
    #expect(first.say(RequestSignOut()) == .success("Signed out ann."))
    #expect(first.fetch("c") == .failure(Self.waits("fetch")))
    #expect(second.signIn()?.contains("b for ann") == true)
    #expect(
      hotel.guest().say(RequestSignOut()) == .failure(Failure(.notFound, "Nobody is signed in."))
    )
  }

  @Test func `S60 a session without screens waits as well`() {
    let hotel = Hotel()
    let guest = hotel.guest(hasScreens: false)
    #expect(guest.fetch("a") == .failure(Self.waits("fetch")))
    #expect(guest.screens == [])
    #expect(guest.signIn()?.contains("a for ann") == true)
  }

  @Test func `S60 a script waits for nobody, and says what to do`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    let begun = Locked<StreamUnit?>(nil)
    guest.port.begin(.allOrNothing) { result, _ in begun.withLock { $0 = try? result.get() } }
    hotel.test.skip()
    let answers = Locked<[Result<String, Failure>]>([])
    let unit = begun.withLock { $0 }
    unit?.request(RequestFetch("a")) { result, _ in answers.withLock { $0.append(words(result)) } }
    hotel.test.skip()
    unit?
      .request(RequestSignIn.ann("ann.secret")) { result, _ in
        answers.withLock { $0.append(words(result)) }
      }
    hotel.test.skip()
    unit?.request(RequestFetch("b")) { result, _ in answers.withLock { $0.append(words(result)) } }
    hotel.test.skip()
    unit?.commit { _, _ in }
    hotel.test.skip()
    #expect(
      answers.withLock { $0 } == [
        .failure(
          Failure(.account, "Sign in first: a line 'sign-in NAME FILE' before this one does.")
        ),
        .success(#"{"account":"ann","resumed":[]}"#), .success("b for ann"),
      ]
    )
    #expect(guest.screens == [])
  }

  @Test func `S60 where sessions do not last nothing waits`() {
    let hotel = Hotel(hasLastingSessions: false)
    let guest = hotel.guest(hasScreens: false)
    #expect(guest.fetch("a") == .failure(.needsAccount))
    #expect(guest.signIn() == #"{"account":"ann","resumed":[]}"#)
  }

  @Test func `S60 no more waits than may`() {
    let hotel = Hotel()
    let guest = hotel.guest()
    for number in 1...Authentication.mostWaiting { _ = guest.fetch("\(number)") }
    #expect(
      guest.fetch("one more")
        == .failure(
          Failure(.account, "Sign in; 16 commands wait for it, and 'fetch' does not.")
        )
    )
    #expect(guest.signIn()?.contains("one more") == false)
    #expect(hotel.office.asked.count == 33)
  }

  @Test func `S60 where nobody knows accounts the service decides`() {
    let hotel = Hotel(isGuarded: false)
    let guest = hotel.guest(hasScreens: false)
    #expect(guest.fetch("a") == .failure(.needsAccount))
    hotel.office.isOpenToAll = true
    #expect(guest.fetch("a") == .success("a for nobody"))
  }

  @Test func `S60 a person reads who it is, and what came of what waited`() throws {
    let hotel = Hotel()
    let guest = hotel.guest()
    _ = guest.fetch("a")
    hotel.office.isClosed = true
    var page = Page()
    let answer = guest.reply(RequestSignIn.ann("ann.secret"))
    try? answer?.get().show(on: &page)
    #expect(
      page.text == """
        Signed in as ann
        error: fetch: Signed in, and 'fetch' still wants somebody to sign in.

        """
    )
    #expect(try answer?.get().exitStatus == .failed)
  }

  private static func waits(_ verb: String) -> Failure {
    Failure(.account, "Sign in; '\(verb)' goes on then.")
  }
}

// MARK: - A hotel

/// Knows the secret of ann.
private final class Porter: Authenticator {
  private let state = Locked<(lifetime: Int64?, isSlow: Bool)>((nil, false))
  private let (opens, opening) = AsyncStream.makeStream(of: Never.self)

  var lifetime: Int64? {
    get { state.withLock { $0.lifetime } }
    set { state.withLock { $0.lifetime = newValue } }
  }
  var isSlow: Bool {
    get { state.withLock { $0.isSlow } }
    set { state.withLock { $0.isSlow = newValue } }
  }

  func goOn() { opening.finish() }

  func account(named name: String, secret: String, at time: Instant) async throws -> Account {
    if isSlow { for await _ in opens {} }
    guard secret == "\(name).secret" else {
      throw Failure(.validation, "That is not the secret of \(name).", field: "secret")
    }
    return Account(name, until: lifetime.map { time.adding(milliseconds: $0) })
  }
}

/// Serves whoever is signed in.
private final class Office: Plugin {
  let name = "office"
  private let state = Locked<(asked: [String], isClosed: Bool, isOpenToAll: Bool)>(
    ([], false, false)
  )

  var asked: [String] { state.withLock { $0.asked } }
  var isClosed: Bool {
    get { state.withLock { $0.isClosed } }
    set { state.withLock { $0.isClosed = newValue } }
  }
  var isOpenToAll: Bool {
    get { state.withLock { $0.isOpenToAll } }
    set { state.withLock { $0.isOpenToAll = newValue } }
  }

  private let (opens, opening) = AsyncStream.makeStream(of: Never.self)
  func goOn() { opening.finish() }

  func join(_ stream: EventStream) {
    stream.answerAsync(RequestGate.self) { [opens] _, _ in
      for await _ in opens {}
      return true
    }
    stream.answer(RequestWait.self, owner: self) { _, _, _, turn, answer in
      turn.request(RequestGate()) { _, turn in answer(.failure(.needsAccount), turn) }
    }
    stream.answer(RequestFetch.self, owner: self) { office, request, account, turn, answer in
      answer(office.serve(request.text, account), turn)
    }
    stream.answer(RequestSend.self, owner: self) { office, request, account, turn, answer in
      answer(office.serve(request.text, account), turn)
    }
  }

  private func serve(_ text: String, _ account: Account?) -> Result<Words, Failure> {
    let words = "\(text) for \(account?.name ?? "nobody")"
    return state.withLock { state in
      state.asked.append(words)
      guard !state.isClosed, account != nil || state.isOpenToAll else {
        return .failure(.needsAccount)
      }
      return .success(Words(text: words))
    }
  }
}

private struct Words: CommandResult {
  let text: String
  func show(on page: inout Page) { page.write(text) }
  func write(to json: inout JSONWriter) { json.value(text) }
}

private struct RequestFetch: Command {
  typealias Reply = ResponseView<Words>
  var text = ""
  static let command = CommandSpec<Self>("fetch", "Fetches.").text(\.text, "What")
  init() {}
  init(_ text: String) { self.text = text }
}

/// Opens a screen.
private struct RequestRoom: Command {
  typealias Reply = ResponseView<Words>
  var title = ""
  static let command = CommandSpec<Self>("room", "Opens a list, or one thing to see and edit it.")
    .text(\.title, "What it is")
}

private final class Room: Screen {
  let view: ScreenView
  init(_ title: String) { view = ScreenView(kind: "room", title: title) }
}

private final class RoomFlow: Coordinator {
  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.answer(RequestRoom.self, owner: navigator) { navigator, request, turn in
      navigator.open(Room(request.title), turn)
      return Words(text: request.title)
    }
  }
}

private struct RequestWait: Command {
  typealias Reply = ResponseView<Words>
  static let command = CommandSpec<Self>("wait", "Waits.")
}

private struct RequestGate: ModelEvent, Request {
  typealias Reply = ResponseGate
}

private struct ResponseGate: ModelEvent, Response {
  let result: Result<Bool, Failure>
  init(_ result: Result<Bool, Failure>) { self.result = result }
}

private struct RequestSend: Command {
  typealias Reply = ResponseView<Words>
  var text = ""
  static let command = CommandSpec<Self>("send", "Sends.").text(\.text, "What")
}

extension RequestSignIn {
  fileprivate static func ann(_ secret: String, as name: String = "ann") -> RequestSignIn {
    var request = RequestSignIn()
    request.name = name
    request.secret = secret
    return request
  }
}

/// What a reply says as JSON, a text without its quotes.
private func words<R: Response>(_ result: Result<R, Interruption>) -> Result<String, Failure>
where R.Value: CommandResult, R.Problem == Failure {
  result.mapError(Failure.init).flatMap(\.result).map(\.text)
}

extension CommandResult {
  fileprivate var text: String {
    var json = JSONWriter()
    write(to: &json)
    let text = String(decoding: json.bytes, as: UTF8.self)
    if case .string(let words)? = try? JSON(parsing: text) { return words }
    if case .string(let words)? = (try? JSON(parsing: text))?["message"] { return words }
    return text
  }
}

private final class Hotel {
  let test = TestContext()
  let porter = Porter()
  let office = Office()
  private let said = Locked<[String]>([])
  /// Whom sessions were said to act for.
  var accounts: [String] { said.withLock { $0 } }

  init(hasLastingSessions: Bool = true, isGuarded: Bool = true) {
    test.add(office, Navigator([SignInFlow(), RoomFlow()]))
    test.stream.on(ResponseAccountChange.self, owner: self) { hotel, change, _ in
      hotel.said.withLock { $0.append(change.name ?? "nobody") }
    }
    if isGuarded { test.add(Authentication(porter, hasLastingSessions: hasLastingSessions)) }
  }

  func guest(hasScreens: Bool = true) -> Guest { Guest(test, hasScreens: hasScreens) }
}

/// A frontend session.
private final class Guest {
  let port: ViewPort
  private let test: TestContext
  private let shown = Locked<[String]>([])

  init(_ test: TestContext, hasScreens: Bool) {
    self.test = test
    port = test.app.port(named: "guest")
    let own = port.origin
    port.on(ResponseScreenChange.self) { [shown] change, _ in
      guard change.session == own else { return }
      shown.withLock { $0 = change.screens.map(\.title) }
    }
    if hasScreens { port.request(RequestScreens()) { _, _ in } }
    test.skip()
  }

  deinit { test.skip() }

  var screens: [String] { shown.withLock { $0 } }

  func fetch(_ text: String) -> Result<String, Failure>? { say(RequestFetch(text)) }
  func send(_ text: String) -> Result<String, Failure>? { say(RequestSend(text: text)) }

  func signIn(_ secret: String = "ann.secret", as name: String = "ann") -> String? {
    let answer = Locked<String?>(nil)
    _ = beginSignIn(answer, secret, as: name)
    test.skip()
    return answer.withLock { $0 }
  }

  func beginSignIn(
    _ answer: Locked<String?>,
    _ secret: String = "ann.secret",
    as name: String = "ann"
  ) -> Conversation {
    port.request(RequestSignIn.ann(secret, as: name)) { result, _ in
      switch words(result) {
      case .success(let text): answer.withLock { $0 = text }
      case .failure(let failure): answer.withLock { $0 = "error: \(failure.message)" }
      }
    }
  }

  func say<C: Command>(_ command: C) -> Result<String, Failure>? { reply(command)?.map(\.text) }

  func reply<C: Command>(_ command: C) -> Result<C.Reply.Value, Failure>? {
    var answer: Result<C.Reply.Value, Failure>?
    port.request(command) { result, _ in
      answer = result.mapError(Failure.init).flatMap(\.result)
    }
    test.skip()
    return answer
  }
}
