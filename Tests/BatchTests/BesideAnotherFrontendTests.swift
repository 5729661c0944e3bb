import EventCommands
import EventMVVM
import EventMVVMTesting
import EventRecords
import Foundation
import Platform
import RecordCommands
import SQLiteEngine
import Testing
import TodoModels
import TodoViewModels

@testable import Batch

/// A script runs as one unit while another frontend speaks on the same stream.
@Suite(.serialized, .hangLimit)
struct BesideAnotherFrontendTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("todostream-\(UUID().uuidString)")
  private let context = AppContext(environment: Environment(executor: QueueExecutor()))
  private let catalogue: Catalogue

  init() {
    var catalogue = Catalogue()
    catalogue.add(TodoCommands.group, TodoCommands.commands)
    self.catalogue = catalogue
    let store = RecordDatabase(
      of: "todostream",
      path: folder.appendingPathComponent("todos.sqlite").path,
      makesFolders: true
    )
    context.add(
      RecordServer(
        store,
        [Todo.self],
        watchesExternalChanges: true,
        readsInBackground: true,
        tellsViews: false
      ),
      ViewModelServer()
    )
  }

  /// Runs a script whose results nobody reads.
  private func run(_ script: String) -> EventCommands.ExitStatus {
    let file = folder.appendingPathComponent("script.todo")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? script.write(to: file, atomically: true, encoding: .utf8)
    var console = Console(write: writeAll)
    console.isQuiet = true
    let frontend = BatchFrontend(catalogue, console, .scripts([.file(file.path)], .allOrNothing))
    return frontend.run(context.port(named: "batch"))
  }

  private func adds(_ count: Int) -> String {
    (1...count).map { "add Todo number \($0)\n" }.joined()
  }

  /// Does something as another frontend when the script has come to its n-th result.
  private func when(_ count: Int, _ act: @escaping () -> Void) {
    var seen = 0
    context.stream.on(ResponseTodoViewModel.self) { _, _ in
      seen += 1
      if seen == count { act() }
    }
  }

  @Test func `Promise 11: another frontend's read is answered while a unit is open`() {
    var log: [String] = []
    var answered = false
    context.stream.on(ResponseUnit.self) { event, _ in log.append("unit \(event.outcome)") }
    context.port(named: "batch")
      .begin(.allOrNothing) { [self] unit, _ in
        guard let unit = try? unit.get() else { return }
        context.port(named: "other")
          .request(RequestTodoViewModels()) { result, _ in
            answered = true
            log.append("read \((try? result.get().result.get().rows.count) ?? -1)")
          }
        add(to: unit, until: { answered })
      }
    context.stream.run { log.count == 2 }
    #expect(log == ["read 0", "unit committed"])
  }

  /// Adds todos, a request a turn, and keeps the unit in the end.
  private func add(to unit: StreamUnit, until isOver: @escaping () -> Bool) {
    guard !isOver() else { return unit.commit { _, _ in } }
    var request = RequestAddTodo()
    try? request.record.set(\.title, to: "In the unit")
    unit.request(request) { [self] _, _ in add(to: unit, until: isOver) }
  }

  @Test func `Promise 11: another frontend's write runs right after the unit`() {
    let other = context.port(named: "other")
    var request = RequestAddTodo()
    try? request.record.set(\.title, to: "Mine")
    var log: [String] = []
    context.stream.on(ResponseUnit.self) { event, _ in log.append("unit \(event.outcome)") }
    when(10) {
      other.request(request) { result, _ in
        let number = try? result.get().result.get().viewModels.first?.number
        log.append("wrote #\(number ?? 0)")
      }
    }
    #expect(run(adds(100)) == .success)
    context.stream.deliver()
    #expect(log == ["unit committed", "wrote #101"])
  }

  @Test func `Promise 11: another frontend's waiting write is cancelled at once`() {
    let other = context.port(named: "other")
    var request = RequestAddTodo()
    try? request.record.set(\.title, to: "Mine")
    var log: [String] = []
    context.stream.on(ResponseUnit.self) { event, _ in log.append("unit \(event.outcome)") }
    when(10) {
      let waiting = other.request(request) { result, _ in log.append("\(result)") }
      other.cancel(waiting)
    }
    #expect(run(adds(100)) == .success)
    #expect(log.count == 2)
    #expect(log.first?.contains("cancelled") == true)
    #expect(log.last == "unit committed")
  }

  @Test func `Promise 11: a script that is taken back states no fact and stores nothing`() {
    var facts = 0
    context.stream.observeAll { event, _ in
      if type(of: event).isFact { facts += 1 }
    }
    #expect(run(adds(20) + "done 9999\n") == .failed)
    #expect(facts == 0)
    var count: Int?
    context.port(named: "other")
      .request(RequestTodoViewModels()) { result, _ in
        count = try? result.get().result.get().rows.count
      }
    context.stream.run { count != nil }
    #expect(count == 0)
  }

  @Test func `Promise 11: a script that is kept states its facts, one for each change`() {
    var facts = 0
    context.stream.on(ResponseChangedTodoViewModels.self) { event, _ in
      facts += event.viewModels.count
    }
    #expect(run(adds(20)) == .success)
    context.stream.deliver()
    #expect(facts == 20)
  }
}

/// Runs asynchronous handlers on a thread that no test can keep busy.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "reads")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
