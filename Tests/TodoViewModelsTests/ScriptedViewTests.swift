import RecordCommands
import EventCommands
import EventRecords
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct ScriptedViewTests {
  private let blank = Failure(.validation, "Please add a title.", field: "title")

  // MARK: The list

  @Test func `S28 the list asks at each appearance, and registers its observers once`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    for _ in 1...2 {
      view.appear()
      app.test.expect(RequestTodoViewModels())
      app.test.expect(RequestReadTodos.self)
      app.test.expect(ResponseTodos.self)
      app.test.expect(ResponseTodoViewModels.todos(.test(1, number: 1, revision: 1)))
    }
    app.test.done()
    #expect(view.drawn == ["all"])
    app.add("Bread")
    #expect(view.drawn == ["all", "insert 0"])
    #expect(view.heard == 1)
  }

  @Test func `S26 a view gets the changes that other views made`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    let (mine, other) = (app.view("mine"), app.view("other"))
    mine.appear()
    other.appear()
    other.actions(1)[1].use()
    other.actions(0)[0].use()
    app.add("Rye")
    app.test.skip()
    #expect(mine.drawn == ["all", "reload 1", "delete 0", "insert 0"])
    #expect(mine.list.rows.map(\.title) == ["Rye", "Milk"])
    #expect(mine.list.rows.map(\.complete) == [false, true])
    #expect(mine.list == other.list)
  }

  @Test func `S26 each view draws each change once`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    view.actions(0)[1].use()
    view.actions(0)[1].use()
    app.test.skip()
    #expect(view.drawn == ["all", "reload 0", "reload 0"])
  }

  @Test func `S26 what is taken back is no other view's business`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    app.test.stream.begin(.rehearse) { result, _ in
      guard let unit = try? result.get() else { return }
      unit.request(RequestDeleteTodoViewModel.delete(.number(1))) { _, _ in }
      unit.commit { _, _ in }
    }
    app.test.skip()
    #expect(view.drawn == ["all"])
  }

  // MARK: The editor

  @Test func `S29 adding opens an editor on a new todo`() throws {
    let app = try Application()
    let view = app.view()
    view.add()
    app.test.expect(RequestNewTodoDetailViewModel())
    app.test.expect(ResponseTodoDetailViewModel.todo(.test(1, "")))
    app.test.done()
    #expect(view.editor == TodoDetailViewModel(.test(1, "")))
  }

  @Test func `S29 selecting a row opens an editor on its detail`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    let (view, other) = (app.view("view"), app.view("other"))
    view.appear()
    app.test.skip()
    view.select(1)
    app.test.skip()
    #expect(view.editor == TodoDetailViewModel(.test(1, "Milk", number: 1, revision: 1)))
    #expect(other.editor == nil)
  }

  @Test func `S29 the actions of a row are to delete and to complete, or the reverse`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    #expect(view.actions(0).map(\.title) == ["Delete", "Complete"])
    view.actions(0)[1].use()
    #expect(view.actions(0).map(\.title) == ["Delete", "Uncomplete"])
    view.actions(0)[0].use()
    app.test.skip()
    #expect(view.list.rows == [])
  }

  @Test func `S29 an action finds out what its row shows when it is used`() throws {
    let app = try Application()
    app.add("Milk", "Bread")
    let view = app.view()
    view.appear()
    let actions = view.actions(1)
    app.prepare(RequestEditTodo.edit(1) { $0.title = .set("Oat milk") })
    app.prepare(RequestDeleteTodoViewModel.delete(.number(2)))
    actions[1].use()
    app.test.expect(
      RequestToggleCompleteTodoViewModel(.init(.test(1, "Oat milk", number: 1, revision: 3)))
    )
    app.test.skip()
    app.prepare(RequestDeleteTodoViewModel.delete(.number(1)))
    actions[0].use()
    app.test.done()
  }

  @Test func `S27 three observe an update: detail, list and server`() throws {
    let app = try Application()
    let view = app.view()
    view.add()
    view.edit { $0.title = " " }
    view.save()
    app.test.skip()
    #expect(view.problem == blank)
    #expect(view.editor != nil)
    #expect(try app.storedTitles() == [])
    view.edit { $0.title = "Milk" }
    view.save()
    app.test.skip()
    #expect(view.problem == nil)
    #expect(view.editor == nil)
    #expect(try app.storedTitles() == ["Milk"])
  }

  @Test func `S30 saving sends the edited view model`() throws {
    let app = try Application()
    let view = app.view()
    view.add()
    view.edit { $0.title = "Milk" }
    app.test.skip()
    view.save()
    var edited = TodoDetailViewModel(.test(1, ""))
    edited.title = "Milk"
    app.test.expect(RequestUpdateDetailViewModel(edited))
    app.test.skip()
    #expect(view.drawn == ["insert 0"])
  }

  @Test func `S30 a validation failure keeps the editor and the edits`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    view.select(0)
    view.edit {
      $0.title = ""
      $0.subtitle = "two"
    }
    app.test.skip()
    view.save()
    app.test.expect(RequestUpdateDetailViewModel.self)
    app.test.expect(ResponseUpdateDetailViewModel(.failure(blank)))
    app.test.done()
    #expect(view.problem == blank)
    #expect(view.editor?.title == "")
    #expect(view.editor?.subtitle == "two")
    #expect(try app.stored(1).value.title == "Milk")
  }

  @Test func `S31 cancelling closes the editor, writes nothing and says nothing`() throws {
    let app = try Application()
    app.add("Milk")
    let view = app.view()
    view.appear()
    view.select(0)
    view.edit { $0.title = "Oat milk" }
    app.test.skip()
    view.cancel()
    app.test.done()
    #expect(view.editor == nil)
    #expect(try app.stored(1) == .test(1, "Milk", number: 1, revision: 1))
  }

  @Test func `S75 the success of another view's editor leaves this one open`() throws {
    let app = try Application()
    app.add("Milk")
    let (mine, other) = (app.view("mine"), app.view("other"))
    for view in [mine, other] {
      view.appear()
      view.select(0)
      view.edit { $0.title = "Oat milk" }
    }
    #expect(mine.editor == other.editor)
    other.save()
    app.test.skip()
    #expect(other.editor == nil)
    #expect(mine.editor?.title == "Oat milk")
  }

  @Test func `S75 an editor closes with its own request, whatever it shows by then`() throws {
    let test = TestContext()
    var held: [(RequestUpdateDetailViewModel, AsyncTurn)] = []
    test.stream.on(RequestUpdateDetailViewModel.self) { request, turn in
      held.append((request, turn.hold()))
    }
    test.stream.answer(RequestNewTodoDetailViewModel.self) { _, _ in
      TodoDetailGroup(TodoDetailViewModel(.test(1)))
    }
    let view = ScriptedView(test.app.port(named: "view"))
    view.add()
    view.save()
    view.edit { $0.title = "Changed meanwhile" }
    for (request, turn) in held {
      turn.send(ResponseUpdateDetailViewModel(.success(request.detail)))
      turn.release()
    }
    held = []
    test.skip()
    #expect(view.editor == nil)
  }

  // MARK: Loading

  @Test func `S32 loading is shown from the request to its response`() throws {
    let app = try Application(isInteractive: true)
    let view = app.view()
    #expect(!view.isLoading)
    view.appear()
    #expect(view.isLoading)
    app.test.skip()
    #expect(!view.isLoading)
  }

  @Test func `S32 loading is shown for one's own request, not for another's`() throws {
    let app = try Application(isInteractive: true)
    let (mine, other) = (app.view("mine"), app.view("other"))
    other.appear()
    #expect(!mine.isLoading)
    mine.appear()
    #expect(mine.isLoading)
    app.test.skip()
    #expect(!mine.isLoading)
    #expect(!other.isLoading)
  }

  @Test func `S32 loading ends with a failure`() {
    let test = TestContext()
    let view = ScriptedView(test.app.port(named: "view"))
    var held: [AsyncTurn] = []
    test.stream.on(RequestTodoViewModels.self) { _, turn in held.append(turn.hold()) }
    view.appear()
    #expect(view.isLoading)
    held.removeFirst().send(ResponseTodoViewModels(.failure(Failure(.store, "no"))))
    test.skip()
    #expect(!view.isLoading)
  }

  @Test func `S32 loading ends when nobody answers`() {
    let test = TestContext()
    let view = ScriptedView(test.app.port(named: "view"))
    var held: [AsyncTurn] = []
    test.stream.on(RequestTodoViewModels.self) { _, turn in held.append(turn.hold()) }
    view.appear()
    #expect(view.isLoading)
    held.removeFirst().release()
    test.skip()
    #expect(!view.isLoading)
  }
}
