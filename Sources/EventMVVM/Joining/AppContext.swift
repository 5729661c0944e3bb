/// What everyone in an application shares: the one stream, and who has joined it (S1).
///
/// The composition root makes it, adds servers and plugins, and starts; nothing else needs it.
///
/// ```swift
/// let context = AppContext()
/// context.add(Greeter(), TallyPlugin())
/// try context.check([RequestGreeting.self, RequestTally.self])
/// ```
public final class AppContext: Sendable {
  /// The one stream.
  public let stream: EventStream
  private let members = Locked<[any Plugin]>([])
  /// The plugins that have joined and are not started yet; nil where each starts as it has joined.
  private let gathered = Locked<[any Plugin]?>(nil)

  /// Creates a context with an empty stream.
  public init(home: EventStream.Home = .thisThread, environment: Environment = Environment()) {
    stream = EventStream(home: home, environment: environment)
  }

  /// Lets servers and plugins join, in order, each in its own name; the context retains them (S13).
  public func add(_ plugins: any Plugin...) {
    for plugin in plugins {
      members.withLock { $0.append(plugin) }
      plugin.join(stream.joined(as: plugin.name))
      if gathered.withLock({ $0?.append(plugin) }) == nil { plugin.start() }
    }
  }

  /// Lets all those join that are added meanwhile before any of them starts: nothing is said from
  /// outside that one of them could miss.
  ///
  /// - Parameter body: Adds them; if it throws, none is started.
  /// - Throws: What the body throws.
  public func gather(_ body: () throws -> Void) rethrows {
    gathered.withLock { $0 = [] }
    defer { gathered.withLock { $0 = nil } }
    try body()
    for plugin in gathered.withLock({ $0 }) ?? [] { plugin.start() }
  }

  /// Finishes the plugins and servers, those that joined last first, and waits for them; called
  /// once, when the frontends have ended.
  public func leave() {
    stream.perform { [members] in
      for plugin in members.withLock({ $0 }).reversed() { plugin.leave() }
    }
  }

  /// The names of the plugins, in the order in which they joined.
  public var memberNames: [String] {
    members.withLock { $0.map(\.name) }
  }

  /// A view's port in the name of a new frontend session.
  public func port(named name: String) -> ViewPort {
    ViewPort(stream.joined(as: name))
  }

  /// Checks that the plugins fit together.
  ///
  /// - Parameter requests: The requests that must have an answerer.
  /// - Throws: ``ConfigurationError`` with every clash and every gap.
  public func check(_ requests: [any Request.Type] = []) throws(ConfigurationError) {
    let (clashes, answerers) = stream.engine.registry.withLock { ($0.clashes, $0.answerers) }
    var problems: [String] = []
    var seen: [String: any Plugin] = [:]
    for plugin in members.withLock({ $0 }) {
      guard let other = seen.updateValue(plugin, forKey: plugin.name) else { continue }
      problems.append(
        "two plugins are named '\(plugin.name)': \(type(of: other)) and \(type(of: plugin))"
      )
    }
    problems += clashes.sorted()
    for request in requests where answerers[StreamKey(request)] == nil {
      problems.append("nobody answers \(request.name)")
    }
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
  }
}

/// What does not fit among the plugins of a stream.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// Each problem, with the names of those concerned.
  public let problems: [String]

  /// Names problems.
  public init(problems: [String]) {
    self.problems = problems
  }

  /// The problems, a line each.
  public var description: String { problems.joined(separator: "\n") }
}

/// A part that joins the shared stream and knows no other part on it.
///
/// ```swift
/// struct Greeter: Plugin {
///   let name = "greeter"
///   func join(_ stream: EventStream) {
///     stream.answer(RequestGreeting.self) { request, _ in "Hello, \(request.name)" }
///   }
/// }
/// ```
public protocol Plugin: Sendable {
  /// The name by which it is listed and switched on and off.
  var name: String { get }
  /// Subscribes to what it observes; called once, in the order of the composition root.
  ///
  /// - Parameter stream: The shared stream, in the plugin's name.
  func join(_ stream: EventStream)
  /// Begins to observe what lies outside of the stream; called once, after joining: a process
  /// joins all plugins first. A plugin that only answers and observes does not need it.
  func start()
  /// Finishes what it has begun, such as writing what it keeps; called once, at the end of the
  /// process, on the stream's home thread. It is not called where the process is killed.
  func leave()
}

extension Plugin {
  /// Nothing to listen to.
  public func start() {}
  /// Nothing to finish.
  public func leave() {}
}
