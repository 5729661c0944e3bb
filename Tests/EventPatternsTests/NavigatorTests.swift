import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventValues
import JSONText
import Testing

/// S96: a coordinator owns the navigation, and each session its own screens.
@Suite(.hangLimit) struct NavigatorTests {
  @Test func `S96 a link opens a screen in the session that follows it, and in no other`() throws {
    let house = House()
    let (first, second) = (house.session("repl"), house.session("repl"))
    #expect(first.say(.open("room", "kitchen"))?.title == "kitchen")
    #expect(first.screens == ["kitchen"])
    #expect(second.screens == [])
    #expect(first.told == [["kitchen"]])
    #expect(second.told == [])
  }

  @Test func `S96 a flow within a flow has links of its own`() throws {
    let session = House().session("repl")
    #expect(session.say(.open("drawer", "7"))?.title == "drawer 7")
    #expect(session.say(.open("room", "kitchen"))?.title == "kitchen")
    #expect(session.screens == ["drawer 7", "kitchen"])
  }

  @Test func `S76 a view that comes late is told what is open`() throws {
    let house = House()
    let session = house.session("repl")
    _ = session.say(.open("room", "kitchen"))
    #expect(session.ask() == ["kitchen"])
  }

  @Test func `S92 a screen can come in place of the one on top`() throws {
    let session = House().session("repl")
    _ = session.say(.open("room", "kitchen"))
    _ = session.say(.open("swap", "bath"))
    #expect(session.screens == ["bath"])
    #expect(session.told == [["kitchen"], ["bath"]])
  }

  @Test func `S78 a toast reaches the view whose topmost screen it is on, once`() throws {
    let house = House()
    let (first, second) = (house.session("repl"), house.session("repl"))
    _ = first.say(.open("room", "kitchen"))
    _ = first.say(.open("room", "bath"))
    _ = second.say(.open("room", "kitchen"))
    house.knock("kitchen")
    #expect(first.toasts == [])
    #expect(second.toasts == ["Somebody knocks at the kitchen."])
    #expect(house.session("repl").toasts == [])
    _ = first.back()
    house.knock("kitchen")
    #expect(first.toasts == ["Somebody knocks at the kitchen."])
    #expect(second.toasts.count == 2)
  }

  @Test func `S76 a state of a screen is watched while it is topmost, its latest value first`() {
    let house = House()
    let (first, second) = (house.session("repl"), house.session("repl"))
    let seen = first.watch("room/light")
    #expect(seen() == ["null"])
    _ = first.say(.open("room", "kitchen"))
    house.light("kitchen", 1)
    house.light("kitchen", 1)
    #expect(seen() == ["null", "0", "1"])
    _ = first.say(.open("room", "bath"))
    house.light("kitchen", 2)
    #expect(seen() == ["null", "0", "1", "0"])
    // Another screen with an equal value says nothing new.
    _ = first.say(.open("room", "attic"))
    #expect(seen() == ["null", "0", "1", "0"])
    _ = first.back(discarding: true)
    _ = first.back()
    #expect(seen() == ["null", "0", "1", "0", "2"])
    let late = first.watch("room/light")
    #expect(late() == ["2"])
    #expect(second.watch("room/light")() == ["null"])
    _ = first.back()
    #expect(seen().last == "null" && late() == ["2", "null"])
  }

  @Test func `S14 a watch that is released leaves no subscription`() {
    let house = House()
    let session = house.session("repl")
    _ = session.say(.open("room", "kitchen"))
    let before = house.test.stream.subscriptionCount
    for _ in 1...100 { _ = session.watch("room/light")() }
    house.test.skip()
    #expect(house.test.stream.subscriptionCount == before)
  }

  @Test func `S28 what is uncovered appears again`() throws {
    let house = House()
    let session = house.session("repl")
    _ = session.say(.open("room", "kitchen"))
    _ = session.say(.open("room", "bath"))
    #expect(house.rooms.reappeared == [])
    #expect(session.back() == .success(["kitchen"]))
    #expect(house.rooms.reappeared == ["kitchen"])
  }

  @Test func `going back asks before edits are given up`() throws {
    let session = House().session("repl")
    _ = session.say(.open("room", "attic"))
    #expect(
      session.back()
        == .failure(
          Failure(
            Failure.Kind("unsaved"),
            "attic has edits that are not saved; --discard gives them up."
          )
        )
    )
    #expect(session.back(discarding: true) == .success([]))
    #expect(session.back() == .failure(Failure(.notFound, "Nothing is open.")))
    var request = RequestBack()
    let failure = Failure(Failure.Kind("unsaved"), "")
    #expect(request.secondTry(after: failure)?.question == "Discard what was edited?")
    #expect(request.secondTry(after: failure)?.command.discard == true)
    request.discard = true
    #expect(request.secondTry(after: failure) == nil)
  }

  @Test func `a link that leads nowhere is refused, and so is one where nobody looks`() throws {
    let house = House()
    let session = house.session("repl")
    #expect(
      session.failure(RequestOpen.open("cellar"))
        == Failure(
          .notFound,
          "'cellar' can't be opened; 'help open' says what can.",
          field: "route"
        )
    )
    let blind = house.session("cli", hasScreens: false)
    #expect(
      blind.failure(RequestOpen.open("room", "kitchen"))
        == Failure(.usage, "There is nobody here to whom it could be shown.")
    )
  }

  @Test func `a session has as many screens as it can have, and no more`() throws {
    let session = House().session("repl")
    for number in 1...32 { _ = session.say(.open("room", "\(number)")) }
    #expect(
      session.failure(RequestOpen.open("room", "kitchen"))
        == Failure(.usage, "32 are open; 'back' closes one.")
    )
    #expect(session.screens.count == 32)
  }

  @Test func `S12 a closed screen is gone, and what it observed with it`() throws {
    let house = House()
    let session = house.session("repl")
    _ = session.say(.open("room", "kitchen"))
    weak let screen = house.rooms.last
    #expect(screen != nil)
    _ = session.back()
    house.rooms.forget()
    #expect(screen == nil)
  }

  @Test func `nothing is kept of sessions that have ended`() throws {
    let test = TestContext()
    let navigator = Navigator([Rooms()])
    test.add(navigator)
    var ports: [ViewPort] = []
    for _ in 1...10_000 {
      let port = test.app.port(named: "editor")
      port.request(RequestScreens()) { _, _ in }
      port.request(RequestOpen.open("room", "attic")) { _, _ in }
      test.skip()
      #expect(navigator.top(of: port.origin, as: Room.self)?.title == "attic")
      port.end()
      test.skip()
      ports.append(port)
    }
    #expect(navigator.screens(Room.self).count == 0)
    #expect(!ports.contains { navigator.hasRoom(in: $0.origin) })
  }

  @Test func `S15 a session that ends leaves the screens of others alone`() throws {
    let house = House()
    let (first, second) = (house.session("repl"), house.session("repl"))
    _ = first.say(.open("room", "kitchen"))
    _ = second.say(.open("room", "bath"))
    weak let screen = house.rooms.last
    house.rooms.forget()
    second.end()
    #expect(screen == nil)
    #expect(first.ask() == ["kitchen"])
    #expect(first.told == [["kitchen"]])
    #expect(
      second.failure(RequestOpen.open("room", "bath"))
        == Failure(.usage, "There is nobody here to whom it could be shown.")
    )
  }

  @Test func `a command for a screen finds the topmost one of its kind, or says that none is open`()
    throws
  {
    let house = House()
    let session = house.session("repl")
    #expect(session.failure(RequestTitle()) == Failure(.usage, "That is not open."))
    _ = session.say(.open("room", "kitchen"))
    #expect(session.title() == "kitchen")
    #expect(
      session.inScript(RequestTitle())
        == Failure(.usage, "A script opens nothing; run it at a prompt.")
    )
    #expect(session.inScript(RequestTitle(isForScripts: true)) == nil)
  }

  @Test func `the words of a link are taken as they are, options included`() throws {
    let words = ["open", "list", "--tag", "home"].enumerated()
      .map { Word(text: $1, offset: $0, isBare: true) }
    #expect(
      try RequestOpen._read(words, other: nil).route.map(\.text) == ["list", "--tag", "home"]
    )
    #expect(throws: CommandError.self) { try RequestOpen._read([words[0]], other: nil) }
  }
}

extension RequestOpen {
  fileprivate static func open(_ words: String...) -> RequestOpen {
    var request = RequestOpen()
    request.route = words.compactMap { try? Subject(word: $0) }
    return request
  }
}

// MARK: - A house

/// A screen of the house.
private final class Room: Screen {
  let title: String
  let light: State<Int>
  private let rooms: Rooms

  init(_ title: String, _ rooms: Rooms, on stream: EventStream) {
    self.title = title
    self.rooms = rooms
    light = State(0, name: "light", on: stream)
  }

  var states: [NamedState] { [light.named(StateName("room/light", "How bright it is."))] }

  var view: ScreenView { ScreenView(kind: "room", title: title, isEdited: title == "attic") }

  func reappear(_ turn: borrowing Turn) { rooms.note(title) }
}

private struct RoomText: CommandResult {
  let title: String
  func show(on page: inout Page) { page.write(title) }
  func write(to json: inout JSONWriter) { json.value(title) }
}

/// Asks a room for its title.
private struct RequestTitle: ViewModelEvent, Request {
  typealias Reply = ResponseTitle
  var isForScripts = false
}

private struct ResponseTitle: ViewModelEvent, Response {
  let result: Result<String, Failure>
  init(_ result: Result<String, Failure>) { self.result = result }
}

private struct ResponseKnock: ModelEvent {
  let title: String
}

/// The flow of rooms; drawers are a flow within it.
private final class Rooms: Coordinator {
  let children: [any Coordinator] = [Drawers()]
  private let noted = Locked<[String]>([])
  private let latest = Locked<Room?>(nil)

  var reappeared: [String] { noted.withLock { $0 } }
  var last: Room? { latest.withLock { $0 } }

  func note(_ title: String) { noted.withLock { $0.append(title) } }
  func forget() { latest.withLock { $0 = nil } }

  func join(_ stream: EventStream, _ navigator: Navigator) {
    stream.answer(RequestTitle.self, owner: navigator) { navigator, request, turn in
      try navigator.topmost(Room.self, isForScripts: request.isForScripts, turn).title
    }
    stream.on(ResponseKnock.self) { knock, turn in
      for room in navigator.screens(Room.self) where room.title == knock.title {
        navigator.toast("Somebody knocks at the \(knock.title).", on: room, turn)
      }
    }
  }

  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    guard route.count == 2, ["room", "swap"].contains(route[0]) else { return false }
    let room = Room(route[1], self, on: turn.stream)
    latest.withLock { $0 = room }
    let replaced = route[0] == "swap" ? navigator.top(of: turn.origin, as: Room.self) : nil
    navigator.open(room, replacing: replaced, turn)
    then(.success(RoomText(title: route[1])), turn)
    return true
  }
}

private final class Drawers: Coordinator {
  func follow(
    _ route: [String],
    _ navigator: Navigator,
    _ turn: borrowing Turn,
    then: @escaping (Result<any CommandResult, Failure>, borrowing Turn) -> Void
  ) -> Bool {
    guard route.count == 2, route[0] == "drawer" else { return false }
    navigator.open(Room("drawer " + route[1], Rooms(), on: turn.stream), turn)
    then(.success(RoomText(title: route[1])), turn)
    return true
  }
}

private final class House {
  let test = TestContext()
  let rooms = Rooms()
  let navigator: Navigator

  init() {
    navigator = Navigator([rooms])
    test.add(navigator)
  }

  func knock(_ title: String) {
    test.app.stream.send(ResponseKnock(title: title))
    test.skip()
  }

  func light(_ title: String, _ level: Int) {
    for room in navigator.screens(Room.self) where room.title == title { room.light.set(level) }
    test.skip()
  }

  func session(_ name: String, hasScreens: Bool = true) -> Session {
    Session(test, name, hasScreens: hasScreens)
  }
}

/// A frontend session, and what it is told.
private final class Session {
  private let test: TestContext
  private let port: ViewPort
  private let changes = Locked<[[String]]>([])
  private let said = Locked<[String]>([])

  init(_ test: TestContext, _ name: String, hasScreens: Bool) {
    self.test = test
    port = test.app.port(named: name)
    let own = port.origin
    port.on(ResponseScreenChange.self) { [changes] change, _ in
      guard change.session == own else { return }
      changes.withLock { $0.append(change.screens.map(\.title)) }
    }
    port.on(ResponseToast.self) { [said] toast, _ in
      if toast.session == own { said.withLock { $0.append(toast.text) } }
    }
    if hasScreens { port.request(RequestScreens()) { _, _ in } }
    test.skip()
  }

  deinit { test.skip() }

  var toasts: [String] { said.withLock { $0 } }
  var told: [[String]] { changes.withLock { $0 } }
  var screens: [String] { told.last ?? [] }

  /// Watches a state for as long as what is returned, which gives its values so far, is kept.
  func watch(_ name: String) -> () -> [String] {
    let seen = Locked<[String]>([])
    let watch = port.watch(name) { value in
      seen.withLock { $0.append(String(decoding: value, as: UTF8.self)) }
    }
    test.skip()
    return { withExtendedLifetime(watch) { seen.withLock { $0 } } }
  }

  func ask() -> [String]? { try? reply(RequestScreens())?.get().views.map(\.title) }
  func say(_ link: RequestOpen) -> ScreenView? { try? reply(link)?.get().view }

  func title() -> String? { try? reply(RequestTitle())?.get() }

  func failure<R: Request & ViewModelEvent>(_ request: R) -> Failure?
  where R.Reply.Problem == Failure {
    guard case .failure(let failure) = reply(request) else { return nil }
    return failure
  }

  /// Why a script fails that says it; it is taken back.
  func inScript(_ request: RequestTitle) -> Failure? {
    let failure = Locked<Failure?>(nil)
    port.begin(.allOrNothing) { unit, _ in
      guard let unit = try? unit.get() else { return }
      unit.request(request) { result, _ in
        let answer = result.mapError(Failure.init).flatMap(\.result)
        if case .failure(let why) = answer { failure.withLock { $0 = why } }
        unit.rollBack { _, _ in }
      }
    }
    test.skip()
    return failure.withLock { $0 }
  }

  func end() {
    port.end()
    test.skip()
  }

  func back(discarding: Bool = false) -> Result<[String], Failure>? {
    var request = RequestBack()
    request.discard = discarding
    return reply(request)?.map { $0.views.map(\.title) }
  }

  private func reply<R: Request & ViewModelEvent>(
    _ request: R
  ) -> Result<R.Reply.Value, Failure>? where R.Reply.Problem == Failure {
    var answer: Result<R.Reply.Value, Failure>?
    port.request(request) { result, _ in
      answer = result.mapError(Failure.init).flatMap(\.result)
    }
    test.skip()
    return answer
  }
}
