import EventRecords
import EventCommands
import EventMVVM
import EventMVVMTesting
import JSONText
import RecordCommands
import Testing
import TodoModels
import TodoViewModels

@Suite(.hangLimit) struct StoreCareTests {
  private let milk = Todo.test(1, number: 1, revision: 4)

  @Test func `an external change is told like any other, with its origin`() {
    let test = TestContext()
    test.add(ViewModelServer())
    let change = milk.written()
    test.send(ResponseRecordChanges([change], externalOrigin: "cli"))
    test.expect(ResponseChangedTodoViewModels([change], by: "cli"))
    test.done()
  }

  @Test func `S26 a view hears of what another process writes`() throws {
    let app = try Application()
    app.add("Milk")
    let titles = Locked<[String]>([])
    let context = AppContext()
    context.stream.on(ResponseChangedTodoViewModels.self) { event, _ in
      titles.withLock { $0 += event.viewModels.map(\.title) }
    }
    let other = try Application.Neighbour(app.path, on: context)
    other.write("Bread")
    context.stream.run { !titles.withLock { $0.isEmpty } }
    #expect(titles.withLock { $0 } == ["Bread"])
  }

  // MARK: Commands

  private func text<Result: CommandResult>(_ result: Result) -> String {
    var page = Page()
    result.show(on: &page)
    return page.text
  }

  private func json<Result: CommandResult>(_ result: Result) -> String {
    var json = JSONWriter()
    result.write(to: &json)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func `doctor shows what was found, and ends like a failing store if it is bad`() {
    let good = StoreReportViewModel(StoreReport(path: "/a", findings: [.init(.warning, "small")]))
    #expect(text(good) == "/a\n  warning: small\n")
    #expect(good.exitStatus == .success)
    let bad = StoreReportViewModel(
      StoreReport(path: "/a", findings: [.init(.ok, "fine"), .init(.error, "a\u{1B}b")])
    )
    #expect(text(bad) == "/a\n  ok: fine\n  error: a\\u{1B}b\n")
    #expect(bad.exitStatus == .store)
    #expect(
      json(bad)
        == #"{"path":"/a","sound":false,"findings":[{"level":"ok","text":"fine"},"#
        + #"{"level":"error","text":"a\u001bb"}]}"#
    )
  }

  @Test func `backup says what was copied, and nothing where confirmations are left out`() {
    let copy = StoreCopyViewModel(StoreCopy(path: "/b", count: 2, revision: 5), of: "2 todos")
    #expect(text(copy) == "Copied 2 todos to /b\n")
    #expect(json(copy) == #"{"path":"/b","count":2,"revision":5}"#)
    var quiet = Page(isQuiet: true)
    copy.show(on: &quiet)
    #expect(quiet.text == "")
  }
}
