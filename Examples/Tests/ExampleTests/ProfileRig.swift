import EventCommands
import EventMVVM
import EventMVVMTesting
import EventPatterns
import EventRecords
import EventValues
import SQLiteEngine
import Testing

@testable import todostream_profile

/// Profiles with controllers of a test's, and views of a test's, on a clock that stands still
/// (S89).
final class ProfileRig {
  let app: AppContext
  let clock = TestClock()
  let shown: ShownProfile
  let person: ViewPort
  private let executor = DrainExecutor()
  private let folder: TestFolder
  private let profiles = Profiles()

  /// Puts everything together round those who find users and images.
  init(_ controllers: (TestClock) -> any Plugin) throws {
    folder = try TestFolder()
    app = AppContext(environment: Environment(executor: executor, session: 1))
    let database = RecordDatabase(of: "test", path: folder.path + "/users.sqlite")
    app.add(
      RecordServer(database, [User.self], watchesExternalChanges: false),
      controllers(clock),
      profiles,
      Questions(canAsk: true)
    )
    shown = try #require(profiles.shown)
    person = app.port(named: "person")
  }

  /// Those of a script.
  convenience init(network: ScriptedNetwork = .init(), images: ScriptedImages) throws {
    try self.init { clock in
      var (network, images) = (network, images)
      (network.clock, images.clock) = (clock, clock)
      return ControllerServer(network, images)
    }
  }

  /// Lets everything happen that can without a wait.
  func drain() {
    repeat { app.stream.deliver() } while executor.drain()
  }

  func advance(seconds: Int) {
    clock.advance(by: .seconds(seconds))
    drain()
  }

  /// What comes of something that was said, as soon as it is there.
  final class Saying<Value: Sendable & Equatable> {
    fileprivate(set) var result: Result<Value, Failure>?
    fileprivate(set) var count = 0
    fileprivate(set) var conversation: Conversation?
    var value: Value? { try? result?.get() }
    var failure: Failure? {
      if case .failure(let failure)? = result { failure } else { nil }
    }
  }

  /// Says something, and lets everything happen that can without a wait.
  @discardableResult
  func say<C: Command>(_ command: C, as port: ViewPort? = nil) -> Saying<C.Reply.Value> {
    let saying = Saying<C.Reply.Value>()
    saying.conversation = (port ?? person)
      .request(command) { result, _ in
        saying.count += 1
        saying.result = Result { try result.get().result.get() }.mapError { Failure($0) }
      }
    drain()
    return saying
  }

  /// Adds a user; addresses are those of a host.
  func add(_ name: String, friends: Int = 0, avatar: String? = nil, source: String? = nil) {
    var request = RequestAddUser()
    (request.name, request.friends) = (name, Count(friends))
    request.avatar = avatar.map { "http://host/\($0)" }
    request.source = source.map { "http://host/\($0)" }
    say(request)
  }

  @discardableResult
  func show(_ number: Int) -> Saying<ProfileDisplay> {
    say(RequestShow(id: RecordReference(number)))
  }

  /// A view that is bound to what is shown, and writes down what it is told.
  func view() -> BoundView {
    let view = BoundView(shown.display)
    drain()
    return view
  }

  func leave() { app.leave() }
}

/// A view: it knows states, and nobody behind them.
final class BoundView {
  private(set) var lines: [String] = []

  init(_ display: some ReadableState<ProfileDisplay?>) {
    display.observe(owner: self) { [weak self] display, _ in
      self?.lines.append(display?.line ?? "nobody")
    }
  }
}

extension ProfileDisplay {
  /// `ANN placeholder`, `ANN image 3×2 refreshing`, `ANN error: …`.
  var line: String {
    var line = "\(name) \(avatar.kind.rawValue)"
    if let width = avatar.width, let height = avatar.height { line += " \(width)×\(height)" }
    if isRefreshing { line += " refreshing" }
    return problem.map { "\(line): \($0)" } ?? line
  }
}

// MARK: Controllers of a script

/// Finds a user after some time.
struct ScriptedNetwork: NetworkController {
  var clock = TestClock()
  var seconds = 1
  var answer: Result<User, Failure> = .success(
    User(name: "ann lee", friends: 1, avatar: "http://host/a", source: "http://host/s")
  )

  func user(at address: String) async throws -> User {
    try await clock.sleep(for: .seconds(seconds))
    return try answer.get()
  }
}

/// Finds images, each after some time.
struct ScriptedImages: ImageController {
  var clock = TestClock()
  /// How long each takes, and how wide it is.
  var script: [(seconds: Int, width: Int)]
  var failure: Failure?

  init(_ script: (seconds: Int, width: Int)..., failure: Failure? = nil) {
    self.script = script
    self.failure = failure
  }

  func images(at address: String?, _ take: @escaping @Sendable (Picture) -> Void) async throws {
    guard address != nil else { return }
    for (seconds, width) in script {
      try await clock.sleep(for: .seconds(seconds))
      take(Picture(width: width, height: 2, bytes: 9))
    }
    if let failure { throw failure }
  }
}
