import EventCommands
import EventMVVM
import EventMVVMTesting
import Foundation
import ProcessTesting
import Testing
@testable import todostream

@testable import EventApp

/// The work of plugins and frontends ends with the session, in order.
@Suite(.hangLimit) struct SessionTasksTests {
  private let notes = Locked<[String]>([])
  private let folder = FileManager.default.temporaryDirectory.path + "/tasks-\(UUID().uuidString)"

  /// Runs a session of a frontend that ends at once.
  private func run(
    _ kind: ProcessSession.Kind,
    _ plugins: [OptionalPlugin],
    _ frontends: [any ProgramFrontend] = [],
    patience: Double = 60
  ) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.frontends += frontends
    let invocation = try Invocation(application, ["list"].words, plugins)
    let composition = try Composition(invocation, kind)
    // Where the machine is busy, a second may be too short for tasks that heed their end.
    let status = try composition.run(Console { _, _ in nil }, patience: patience) { _ in Over() }
    #expect(status == .success)
  }

  @Test(arguments: [ProcessSession.Kind.job(.writes), .service])
  func `a task that never ends has ended before its plugin finishes and the store is closed`(
    _ kind: ProcessSession.Kind
  ) throws {
    let timer = Timer(notes) { [notes] stream in
      try? await TestClock().sleep(for: .seconds(60))
      notes.withLock { $0.append("task ends") }
      stream.send(RequestCheer())
    }
    try run(kind, [.on(Cheerleader()), .on(timer), .on(Audience(notes))])
    #expect(
      notes.withLock { $0 } == [
        "begin", "task ends", "cheer", "finish", "audience finishes", "audience leaves", "leave",
      ]
    )
  }

  @Test func `the tasks of frontends end first, those of one of them the last one first`() throws {
    let timer = Timer(notes) { [notes] _ in
      try? await TestClock().sleep(for: .seconds(60))
      notes.withLock { $0.append("task ends") }
    }
    try run(.service, [.on(timer)], [Band(notes)])
    #expect(
      notes.withLock { $0 } == [
        "begin", "band ends", "band finishes", "task ends", "finish", "leave",
      ]
    )
  }

  @Test func `one that heeds no cancellation does not hold up the end`() throws {
    let gate = Gate()
    let timer = Timer(notes) { [notes] _ in
      while !gate.isOpen { await Task.yield() }
      notes.withLock { $0.append("task ends") }
    }
    try run(.job(.writes), [.on(timer)], patience: 1)
    #expect(notes.withLock { $0 } == ["begin", "finish", "leave"])
    gate.open()
    try waitUntil("the task ends") { notes.withLock { $0.last } == "task ends" }
  }

  @Test func `a task that is started when all are cancelled does not run`() async {
    let session = ProcessSession("test", version: "1", Catalogue())
    session.cancelTasks()
    session.task { [notes] in notes.withLock { $0.append("task") } }
    #expect(!session.endTasks {})
    #expect(notes.withLock { $0 } == [])
  }

  @Test func `one that wants no jobs begins in a session that lasts alone`() throws {
    let timer = Timer(notes, wantsJobs: false) { _ in }
    try run(.job(.writes), [.on(timer)])
    #expect(notes.withLock { $0 } == ["leave"])
    try run(.service, [.on(timer)])
    #expect(notes.withLock { $0 } == ["leave", "begin", "finish", "leave"])
  }

  @Test func `a replay starts plugins, and does not let them begin`() throws {
    let cheerleader = Cheerleader()
    var application = Application(Todos(), paths: UserPaths(Todos().program, in: folder))
    application.plugins = [.on(cheerleader)]
    let setup = ReplaySetup(
      plugins: ["cheerleader"],
      isLasting: true,
      environment: Environment(session: 1)
    )
    _ = try Composition(application, setup, store: folder + "/todos.sqlite")
    #expect(cheerleader.calls == ["join", "start"])
  }
}

/// Ends at once.
private struct Over: Frontend {
  let name = "over"
  func run(_ port: ViewPort) -> EventCommands.ExitStatus { .success }
}

/// Has a task in its session.
private struct Timer: ProgramPlugin {
  let name = "timer"
  let wantsJobs: Bool
  private let notes: Locked<[String]>
  private let body: @Sendable (EventStream) async -> Void

  init(
    _ notes: Locked<[String]>,
    wantsJobs: Bool = true,
    body: @escaping @Sendable (EventStream) async -> Void
  ) {
    (self.notes, self.wantsJobs, self.body) = (notes, wantsJobs, body)
  }

  private func note(_ call: String) { notes.withLock { $0.append(call) } }

  func join(_ stream: EventStream) {}

  /// Tests block threads of the pool that tasks would need.
  func prepare(
    _ session: ProcessSession,
    _ environment: inout Environment
  ) -> (any SessionRecording)? {
    environment.executor = QueueExecutor()
    return nil
  }

  func begin(_ session: ProcessSession) throws {
    note("begin")
    guard let stream = session.stream else { throw Failure(.usage, "There is no stream.") }
    guard stream.name(of: stream.origin) == name else { throw Failure(.usage, "Not in its name.") }
    session.task { [body] in await body(stream) }
  }

  func finish(_ session: ProcessSession) { note("finish") }
  func leave() { note("leave") }
}

/// Notes cheers, and its own end.
private struct Audience: ProgramPlugin {
  let name = "audience"
  private let notes: Locked<[String]>

  init(_ notes: Locked<[String]>) { self.notes = notes }

  func join(_ stream: EventStream) {
    stream.on(ResponseWhistle.self) { [notes] _, _ in notes.withLock { $0.append("cheer") } }
  }

  func finish(_ session: ProcessSession) { notes.withLock { $0.append("audience finishes") } }
  func leave() { notes.withLock { $0.append("audience leaves") } }
}

/// A frontend with a task in its session.
private struct Band: ProgramFrontend {
  let name = "band"
  private let notes: Locked<[String]>

  init(_ notes: Locked<[String]>) { self.notes = notes }

  func begin(_ session: ProcessSession, _ ports: @escaping SessionPorts) {
    session.task { [notes] in
      try? await TestClock().sleep(for: .seconds(60))
      notes.withLock { $0.append("band ends") }
    }
  }

  func finish(_ session: ProcessSession) { notes.withLock { $0.append("band finishes") } }
}

private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
