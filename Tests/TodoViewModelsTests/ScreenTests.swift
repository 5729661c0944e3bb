import RecordCommands
import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import Testing
import TodoModels
@testable import TodoViewModels

/// The screens of the todo domain, as any frontend has them.
@Suite(.hangLimit) struct ScreenTests {
  private let milk = Todo.test(1, number: 1, revision: 1)

  // MARK: Opening

  @Test func `S15 with two sessions open, one request opens one detail`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let (first, second) = (SessionWithScreens(app), SessionWithScreens(app))
    first.say(RequestTodoDetailViewModel.show(.number(1)))
    #expect(first.titles == ["#1 Milk"])
    #expect(second.titles == [])
  }

  @Test func `S15 two lists that are open at once do not disturb each other`() throws {
    let app = try Application(screens: true)
    app.prepare(RequestAddTodo.add("Milk") { $0.tags = [Tag("home")] })
    app.prepare(RequestAddTodo.add("Bread") { $0.tags = [Tag("shop")] })
    let session = SessionWithScreens(app)
    session.open("list", "--tag", "home")
    session.open("list", "--tag", "shop")
    #expect(session.titles == ["list --tag home (1)", "list --tag shop (1)"])
    app.prepare(RequestAddTodo.add("Jam") { $0.tags = [Tag("shop")] })
    #expect(session.titles == ["list --tag home (1)", "list --tag shop (2)"])
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    #expect(session.titles == ["list --tag home (1)", "list --tag shop (2)", "#1 Milk"])
  }

  @Test func `S29 a detail response opens the editor, and a group or a script opens none`() throws {
    let app = try Application(screens: true)
    app.add("Milk", "Bread")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.numbers(1, 2)))
    #expect(session.titles == [])
    session.inUnit(RequestTodoDetailViewModel.show(.number(1)))
    #expect(session.titles == [])
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.say(RequestNewTodoDetailViewModel())
    #expect(session.titles == ["new todo"])
  }

  @Test func `S29 another detail comes in place of one without edits, and on top of one with`()
    throws
  {
    let app = try Application(screens: true)
    app.add("Milk", "Bread")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.say(RequestTodoDetailViewModel.show(.number(2)))
    #expect(session.titles == ["#2 Bread"])
    session.set { $0.title = .set("Rye") }
    session.say(RequestTodoDetailViewModel.show(.number(2)))
    #expect(session.titles == ["#2 Rye"])
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    #expect(session.titles == ["#2 Rye", "#1 Milk"])
  }

  @Test func `S96 links lead to a todo, a new one, and a list`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.open("list")
    session.open("new")
    session.open("#1")
    #expect(session.titles == ["list (1)", "#1 Milk"])
    #expect(
      session.failure(RequestOpen.link("9"))
        == Failure(.notFound, "There is no todo #9.", field: "id", id: 9)
    )
    #expect(
      session.failure(RequestOpen.link("list", "--tga"))
        == Failure(.usage, "list has no option '--tga'; did you mean '--tag'?")
    )
    #expect(
      session.failure(RequestOpen.link("milk"))
        == Failure(.notFound, "'milk' can't be opened; 'help open' says what can.", field: "route")
    )
  }

  @Test func `S62 S63 an open list follows moves, and its view applies what has changed`() throws {
    let app = try Application(screens: true)
    app.add("A", "B", "C", "D")
    let session = SessionWithScreens(app)
    session.open("list", "--sort", "manual")
    session.showRows()
    #expect(session.appliedTitles == ["D", "C", "B", "A"])
    app.prepare(RequestMoveTodo.move(1, .before, 4))
    #expect(session.appliedTitles == ["A", "D", "C", "B"])
    app.prepare(RequestDeleteTodoViewModel.delete(.number(3)))
    app.prepare(RequestAddTodo.add("E"))
    app.prepare(RequestMoveTodo.move(4, .after, 2))
    #expect(session.appliedTitles == ["E", "A", "B", "D"])
    #expect(session.rows == session.appliedTitles)
  }

  @Test func `S63 a change of the rows is told as a batch with a move`() throws {
    let app = try Application(screens: true)
    app.add("A", "B")
    let session = SessionWithScreens(app)
    session.open("list", "--sort", "manual")
    let told = Locked<[ListChanges<TodoViewModel>]>([])
    let watch = app.test.app.stream.on(ResponseRowChanges<Todo>.self) { event, _ in
      told.withLock { $0.append(event.changes) }
    }
    app.prepare(RequestMoveTodo.move(1, .before, 2))
    watch.cancel()
    let changes = try #require(told.withLock { $0 }.first)
    #expect(changes.moved.count == 1)
    #expect(changes.inserted.isEmpty && changes.removed.isEmpty)
    #expect(changes.reloaded.map(\.row.title) == ["A"])
  }

  // MARK: Editing

  @Test func `S30 saving stores what was edited, and nothing else, and closes`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    try session.set {
      $0.tags = [Tag("home")]
      $0.project = .set(try Project(word: "errands"))
    }
    session.say(RequestToggleDetail())
    #expect(session.titles == ["#1 Oat milk"])
    #expect(session.views.last?.isEdited == true)
    #expect(try app.stored(1) == milk)
    session.say(RequestSaveDetail())
    #expect(session.titles == [])
    #expect(
      try app.stored(1)
        == .test(1, "Oat milk", number: 1, revision: 2) {
          $0.tags = ["home"]
          $0.project = "errands"
          $0.completedAt = .start
        }
    )
  }

  @Test func `S27 S30 a validation failure is the answer, and keeps the editor and the edits`()
    throws
  {
    let app = try Application(screens: true)
    let session = SessionWithScreens(app)
    session.say(RequestNewTodoDetailViewModel())
    session.set { $0.subtitle = .set("notes") }
    #expect(
      session.failure(RequestSaveDetail())
        == Failure(.validation, "Please add a title.", field: "title")
    )
    #expect(session.titles == ["new todo"])
    session.set { $0.title = .set("Milk") }
    #expect(session.titles == ["new: Milk"])
    session.say(RequestSaveDetail())
    #expect(session.titles == [])
    #expect(try app.stored(1).value.subtitle == "notes")
  }

  @Test func `S31 cancelling closes, writes nothing, and forges no success`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    app.test.skip()
    session.say(RequestCancelDetail(), keepingLog: true)
    app.test.expect(RequestCancelDetail.self)
    app.test.expect(ResponseScreenChange.self)
    app.test.expect(ResponseDraft.self)
    app.test.done()
    #expect(session.titles == [])
    #expect(try app.stored(1) == milk)
  }

  @Test func `S46 each of the three switches turns round`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    for field in [DetailSwitch.priority, DetailSwitch.deleted] { session.toggle(field) }
    #expect(session.titles == ["#1 Milk (deleted)"])
    session.toggle(.deleted)
    session.toggle(.completed)
    session.toggle(.completed)
    session.say(RequestSaveDetail())
    #expect(try app.stored(1) == .test(1, number: 1, revision: 2) { $0.priority = .high })
  }

  @Test func `S71 what somebody else wrote is a conflict, which keeps the editor and the edits`()
    throws
  {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Soy milk") })
    let failure = session.failure(RequestSaveDetail())
    #expect(failure?.kind == .conflict)
    #expect(failure?.expected == "Milk")
    #expect(failure?.actual == "Soy milk")
    #expect(session.titles == ["#1 Oat milk"])
    #expect(try app.stored(1).value.title == "Soy milk")
    let second = try #require(failure.flatMap { RequestSaveDetail().secondTry(after: $0) })
    #expect(second.question == "Overwrite it?")
    session.say(second.command)
    #expect(try app.stored(1).value.title == "Oat milk")
    #expect(session.titles == [])
  }

  @Test func `S26 what somebody else changes shows up beside the edits`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Soy milk") })
    #expect(session.titles == ["#1 Soy milk"])
    session.set { $0.subtitle = .set("notes") }
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Rice milk") })
    #expect(session.titles == ["#1 Rice milk"])
    session.say(RequestSaveDetail())
    #expect(
      try app.stored(1) == .test(1, "Rice milk", number: 1, revision: 4) { $0.subtitle = "notes" }
    )
  }

  @Test func `S75 another's answer of the same todo does not close the editor`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let (first, second) = (SessionWithScreens(app), SessionWithScreens(app))
    for session in [first, second] {
      session.say(RequestTodoDetailViewModel.show(.number(1)))
      session.set { $0.title = .set("Oat milk") }
    }
    first.say(RequestSaveDetail())
    #expect(first.titles == [])
    #expect(second.titles == ["#1 Oat milk"])
  }

  // MARK: Validation

  @Test(arguments: [true, false])
  func `S50 a new todo and an edited one wait, open, for whoever validates them`(
    _ isNew: Bool
  ) throws {
    let validator = SlowValidator()
    if isNew {
      validator.say(RequestNewTodoDetailViewModel())
    } else {
      validator.say(RequestTodoDetailViewModel.show(.number(1)))
    }
    validator.set("taken")
    let first = validator.save()
    #expect(validator.titles == [isNew ? "new: taken" : "#1 taken"])
    #expect(first() == nil)
    #expect(validator.set("other") == Failure(.usage, "'save' is under way; wait for its end."))
    validator.answer(.failure(Failure(.validation, "It is taken.")))
    #expect(first() == .failure(Failure(.validation, "It is taken.")))
    #expect(validator.titles == [isNew ? "new: taken" : "#1 taken"])
    validator.set("free")
    let second = validator.save()
    #expect(validator.titles == [isNew ? "new: free" : "#1 free"])
    validator.answer(.success(milk))
    #expect(second() == .success(["Milk"]))
    #expect(validator.titles == [])
    #expect(
      validator.log == [
        "RequestSaveDetail", "RequestUpdateDetailViewModel", "ResponseUpdateDetailViewModel",
        "ResponseTodoViewModel", "RequestSaveDetail", "RequestUpdateDetailViewModel",
        "ResponseUpdateDetailViewModel", "ResponseTodoViewModel",
      ]
    )
  }

  @Test func `S51 editing what an editor shows sends nothing but what it shows then`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    var names: [String] = []
    app.test.stream.observeAll { event, _ in names.append(type(of: event).name) }
    session.set { $0.title = .set("Oat milk") }
    session.toggle(.completed)
    session.toggle(.priority)
    session.toggle(.deleted)
    session.say(RequestShowDetail())
    let shown = ["ResponseState<Contents>", "ResponseScreenChange", "ResponseDraft"]
    #expect(
      names == ["RequestSetDetail"] + shown + ["RequestToggleDetail"] + shown
        + ["RequestToggleDetail"] + shown + ["RequestToggleDetail"] + shown
        + ["RequestShowDetail", "ResponseDraft"]
    )
  }

  @Test func `S78 commands of a screen that is not on top are refused`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.open("list")
    let refusal = Failure(.usage, "No todo is open; 'open' and its number open one.")
    #expect(session.failure(RequestSaveDetail()) == refusal)
    #expect(session.failure(RequestToggleDetail()) == refusal)
    #expect(session.failure(RequestCancelDetail()) == refusal)
    session.say(RequestBack())
    #expect(
      session.failure(RequestRows<Todo>())
        == Failure(.usage, "No list is open; 'open list' opens one.")
    )
  }

  @Test func `S78 a script has no screens: what it would do to them could not be taken back`()
    throws
  {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    session.inUnit(RequestSaveDetail())
    session.inUnit(RequestCancelDetail())
    session.inUnit(RequestBack())
    session.inUnit(RequestToggleDetail())
    #expect(session.titles == ["#1 Oat milk"])
    #expect(try app.stored(1) == milk)
  }

  @Test func `S71 what arrives late does not take the detail or the list back`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.open("list")
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Soy milk") })
    app.prepare(
      ResponseChangedTodoViewModels.todos(
        Todo.test(1, "Old milk", number: 1, revision: 1).written(from: milk)
      )
    )
    #expect(session.titles == ["list (1)", "#1 Soy milk"])
    session.say(RequestCancelDetail())
    #expect(session.rows == ["Soy milk"])
  }

  @Test func `a detail whose addition was taken back says so, and how to have it again`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    let gone = RecordTransition(1, from: milk.value, to: nil, revision: 2)
    app.prepare(ResponseChangedTodoViewModels.todos(gone))
    #expect(session.titles == ["#1 Oat milk (deleted)"])
    #expect(
      session.failure(RequestSaveDetail())
        == Failure(
          .notFound,
          "The addition of #1 was undone; 'redo' does it again, 'cancel' discards the edits.",
          field: "id",
          id: 1
        )
    )
    #expect(session.titles == ["#1 Oat milk (deleted)"])
  }

  @Test func `a new todo has no more tags than any other, and is not deleted before it is there`()
    throws
  {
    let app = try Application(screens: true)
    let session = SessionWithScreens(app)
    session.say(RequestNewTodoDetailViewModel())
    for half in 0..<2 {
      session.set {
        $0.title = .set("Milk")
        $0.tags = (0..<60).map { Tag("t\(half * 60 + $0)") }
      }
    }
    #expect(
      session.failure(RequestSaveDetail())?.message
        == "A todo has at most 100 tags; 120 were given."
    )
    var request = RequestToggleDetail()
    request.field = .deleted
    #expect(
      session.failure(request)
        == Failure(
          .usage,
          "A new todo can't be deleted; 'cancel' gives it up.",
          field: "field"
        )
    )
  }

  @Test func `an edited detail that is asked for again comes to the top, and is not opened twice`()
    throws
  {
    let app = try Application(screens: true)
    app.add("Milk", "Bread")
    let session = SessionWithScreens(app)
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    session.set { $0.title = .set("Oat milk") }
    session.say(RequestTodoDetailViewModel.show(.number(2)))
    #expect(session.titles == ["#1 Oat milk", "#2 Bread"])
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    #expect(session.titles == ["#2 Bread", "#1 Oat milk"])
  }

  // MARK: Lists

  @Test func `S45 an open list follows what is added, changed and deleted`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.open("list")
    app.add("Bread")
    #expect(session.titles == ["list (2)"])
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") })
    #expect(session.rows == ["Bread", "Oat milk"])
    app.prepare(RequestDeleteTodoViewModel.delete(.number(2)))
    #expect(session.titles == ["list (1)"])
    #expect(session.rows == ["Oat milk"])
  }

  @Test func `S28 a list that appears again asks again`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    session.open("list", "milk")
    session.say(RequestTodoDetailViewModel.show(.number(1)))
    app.test.skip()
    session.say(RequestCancelDetail(), keepingLog: true)
    app.test.expect(RequestCancelDetail.self)
    app.test.expect(RequestTodoViewModels.self)
    app.test.skip()
  }

  @Test func `a list that is filtered shows what fits, and no more than it may`() throws {
    let app = try Application(screens: true)
    app.add("Milk", "Bread", "Jam")
    let session = SessionWithScreens(app)
    session.open("list", "--limit", "2")
    #expect(session.rows == ["Jam", "Bread"])
    app.prepare(RequestDeleteTodoViewModel.delete(.number(3)))
    #expect(session.rows == ["Bread", "Milk"])
    session.open("list", "--done")
    #expect(session.titles.last == "list --done (0)")
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    #expect(session.rows == ["Milk"])
  }

  @Test func `S111 opening makes the server of one view model, and closing it ends it`() throws {
    let app = try Application(screens: true)
    app.add("Milk")
    let session = SessionWithScreens(app)
    let before = app.test.stream.subscriptionCount
    for _ in 1...40 {
      session.say(RequestTodoDetailViewModel.show(.number(1)))
      session.say(RequestCancelDetail())
    }
    // Those that have ended are removed by the dozen: of servers that went on there were hundreds.
    let most = before + 40
    #expect(app.test.stream.subscriptionCount < most)
    for _ in 1...40 { session.say(RequestTodoDetailViewModel.show(.number(1))) }
    #expect(session.titles == ["#1 Milk"])
    #expect(app.test.stream.subscriptionCount < most)
    for _ in 1...40 {
      let other = SessionWithScreens(app)
      other.say(RequestTodoDetailViewModel.show(.number(1)))
      #expect(other.titles == ["#1 Milk"])
      other.end()
    }
    #expect(app.test.stream.subscriptionCount < most + 80)
  }

  @Test func `S108 views change the order and the filter of the open list, in its own session`()
    throws
  {
    let app = try Application(screens: true)
    app.add("Milk", "Bread", "Jam")
    app.prepare(RequestCompleteTodo.complete(.number(2)))
    let (session, other) = (SessionWithScreens(app), SessionWithScreens(app))
    session.open("list", "--open", "--sort", "created")
    other.open("list")
    session.showRows()
    session.arrange { ($0.sort, $0.only) = (RecordSort("title"), .any) }
    #expect(session.titles == ["list --sort title (3)"])
    #expect(session.appliedTitles == ["Bread", "Jam", "Milk"])
    session.arrange { $0.only = .done }
    #expect(session.titles == ["list --sort title --done (1)"])
    #expect(session.appliedTitles == ["Bread"])
    session.inUnit(RequestRows<Todo>.arranged { $0.only = .open })
    #expect(session.rows == ["Bread"])
    app.prepare(RequestCompleteTodo.complete(.number(1)))
    #expect(session.appliedTitles == ["Bread", "Milk"])
    #expect(other.rows == ["Jam"])
  }
}

extension RequestOpen {
  static func link(_ words: String...) -> RequestOpen { link(words) }

  static func link(_ words: [String]) -> RequestOpen {
    var request = RequestOpen()
    request.route = words.compactMap { try? Subject(word: $0) }
    return request
  }
}

extension RequestRows<Todo> {
  fileprivate static func arranged(_ change: (inout RequestRows<Todo>) -> Void) -> RequestRows<Todo>
  {
    var request = RequestRows<Todo>()
    change(&request)
    return request
  }
}

/// The screens before somebody far away, who validates and stores when the test says so.
private final class SlowValidator {
  private let test = TestContext()
  private let port: ViewPort
  private let shown = Locked<[String]>([])
  private let asked = Locked<[(RequestUpdateDetailViewModel, AsyncTurn)]>([])
  private let said = Locked<[String]>([])

  init() {
    test.add(Navigator([RecordCoordinator<Todo>()]))
    port = test.app.port(named: "view")
    test.stream.answer(RequestNewTodoDetailViewModel.self) { _, _ in
      TodoDetailGroup(TodoDetailViewModel(new: Todo.test(1, "").value))
    }
    test.stream.answer(RequestTodoDetailViewModel.self) { _, _ in
      TodoDetailGroup(TodoDetailViewModel(.test(1, number: 1, revision: 1)))
    }
    test.stream.on(RequestUpdateDetailViewModel.self) { [asked] request, turn in
      let held = turn.hold()
      asked.withLock { $0.append((request, held)) }
    }
    port.on(ResponseScreenChange.self) { [shown] change, _ in
      shown.withLock { $0 = change.screens.map(\.title) }
    }
    say(RequestScreens())
    let saving = ["RequestSaveDetail", "RequestUpdate", "ResponseUpdate", "ResponseTodoViewModel"]
    test.stream.observeAll { [said] event, _ in
      let name = type(of: event).name
      if saving.contains(where: name.hasPrefix) { said.withLock { $0.append(name) } }
    }
  }

  deinit { test.skip() }

  var titles: [String] { shown.withLock { $0 } }
  var log: [String] { said.withLock { $0 } }

  func say<R: Request & ViewModelEvent>(_ request: R) {
    port.request(request) { _, _ in }
    test.skip()
  }

  /// Edits the title; returns why that is not possible.
  @discardableResult
  func set(_ title: String) -> Failure? {
    var (request, failure): (RequestSetDetail, Failure?) = (RequestSetDetail(), nil)
    request.title = .set(title)
    port.request(request) { result, _ in
      if case .failure(let why)? = try? result.get().result { failure = why }
    }
    test.skip()
    return failure
  }

  /// Begins to save; what is returned gives the titles that are stored then, or why none is.
  func save() -> () -> Result<[String], Failure>? {
    let answer = Locked<Result<[String], Failure>?>(nil)
    port.request(RequestSaveDetail()) { result, _ in
      let stored = result.mapError(Failure.init).flatMap(\.result)
      answer.withLock { $0 = stored.map { $0.viewModels.map(\.title) } }
    }
    test.skip()
    return { answer.withLock { $0 } }
  }

  /// Answers what was asked first.
  func answer(_ verdict: Result<Kept<Todo>, Failure>) {
    guard let (request, turn) = asked.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else {
      Issue.record("nothing is to be validated")
      return
    }
    turn.send(ResponseUpdateDetailViewModel(verdict.map { _ in request.detail }))
    if case .success(let todo) = verdict { turn.send(ResponseTodoViewModel.todo(todo)) }
    turn.release()
    test.skip()
  }
}

/// A session of a frontend with screens, and what it is told of them.
private final class SessionWithScreens {
  private let app: Application
  private let port: ViewPort
  private let shown = Locked<[ScreenView]>([])
  private let applied = Locked<[TodoViewModel]?>(nil)

  init(_ app: Application) {
    self.app = app
    port = app.test.app.port(named: "repl")
    let own = port.origin
    port.on(ResponseScreenChange.self) { [shown] change, _ in
      if change.session == own { shown.withLock { $0 = change.screens } }
    }
    port.on(ResponseRowChanges<Todo>.self) { [applied] event, _ in
      guard event.session == own else { return }
      applied.withLock { rows in
        if var shown = rows {
          event.changes.apply(to: &shown)
          rows = shown
        }
      }
    }
    port.request(RequestScreens()) { _, _ in }
    app.test.skip()
  }

  /// The titles of a view that was given the rows once, and has applied changes to them since.
  var appliedTitles: [String]? { applied.withLock { $0?.map(\.title) } }

  /// Gives a view the rows of the list that is open.
  func showRows() {
    let rows = (try? app.reply(RequestRows<Todo>(), in: port)?.get().rows) ?? []
    applied.withLock { $0 = rows }
  }

  var views: [ScreenView] { shown.withLock { $0 } }
  var titles: [String] { views.map(\.title) }
  var rows: [String]? { try? app.reply(RequestRows<Todo>(), in: port)?.get().rows.map(\.title) }

  func say<R: Request & ViewModelEvent>(_ request: R, keepingLog: Bool = false) {
    port.request(request) { _, _ in }
    keepingLog ? app.test.drain() : app.test.skip()
  }

  func open(_ words: String...) { say(RequestOpen.link(words)) }

  func end() {
    port.end()
    app.test.skip()
  }

  func arrange(_ change: (inout RequestRows<Todo>) -> Void) {
    say(RequestRows<Todo>.arranged(change))
  }

  func set(_ edit: (inout RequestSetDetail) throws -> Void) rethrows {
    var request = RequestSetDetail()
    try edit(&request)
    say(request)
  }

  func toggle(_ field: DetailSwitch?) {
    var request = RequestToggleDetail()
    request.field = field
    say(request)
  }

  func failure<R: Request & ViewModelEvent>(_ request: R) -> Failure?
  where R.Reply.Problem == Failure {
    guard case .failure(let failure) = app.reply(request, in: port) else { return nil }
    return failure
  }

  func inUnit<R: Request & ViewModelEvent>(_ request: R) {
    port.begin(.allOrNothing) { result, _ in
      guard case .success(let unit) = result else { return }
      unit.request(request) { _, _ in unit.commit { _, _ in } }
    }
    app.test.skip()
  }
}
