/// What all parts of an application share: the one stream, and the plugins on it (S1).
///
/// The composition root creates it, adds servers and plugins, and starts; nothing else needs it.
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
  /// Plugins that have joined and are not started yet; nil where each starts as soon as it joins.
  private let gathered = Locked<[any Plugin]?>(nil)

  /// Creates a context with an empty stream.
  public init(home: EventStream.Home = .thisThread, environment: Environment = Environment()) {
    stream = EventStream(home: home, environment: environment)
  }

  /// Adds servers and plugins, in order, each under its own name; the context retains them (S13).
  public func add(_ plugins: any Plugin...) {
    for plugin in plugins {
      members.withLock { $0.append(plugin) }
      plugin.join(stream.joined(as: plugin.name))
      if gathered.withLock({ $0?.append(plugin) }) == nil { plugin.start() }
    }
  }

  /// Adds all plugins that the body adds before any of them starts, so that no input is sent before
  /// all of them observe.
  ///
  /// - Parameter body: Adds the plugins; if it throws, none is started.
  /// - Throws: What the body throws.
  public func gather(_ body: () throws -> Void) rethrows {
    gathered.withLock { $0 = [] }
    defer { gathered.withLock { $0 = nil } }
    try body()
    for plugin in gathered.withLock({ $0 }) ?? [] { plugin.start() }
  }

  /// Finishes the plugins and servers, in reverse order of joining, and waits for them; called
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

  /// Returns a view's port for a new frontend session of that name.
  public func port(named name: String) -> ViewPort {
    ViewPort(stream.joined(as: name))
  }

  /// Checks that the plugins fit together.
  ///
  /// - Parameter requests: The requests that must have a server.
  /// - Throws: ``ConfigurationError`` with every conflict and every gap.
  public func check(_ requests: [any Request.Type] = []) throws(ConfigurationError) {
    let (clashes, answerers) = stream.router.registry.withLock { ($0.clashes, $0.answerers) }
    var problems: [String] = []
    var seen: [String: any Plugin] = [:]
    for plugin in members.withLock({ $0 }) {
      guard let other = seen.updateValue(plugin, forKey: plugin.name) else { continue }
      problems.append(
        "two plugins are named '\(plugin.name)': \(type(of: other)) and \(type(of: plugin))"
      )
    }
    problems += clashes.sorted()
    for request in requests where !answerers.contains(where: { $0.key == .init(request) }) {
      problems.append("nobody answers \(request.name)")
    }
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
  }
}

/// The conflicts and gaps among the plugins of a stream.
///
/// ```swift
/// #expect(throws: ConfigurationError.self) { try context.check([RequestGreeting.self]) }
/// ```
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
  /// Each problem, with the names of the plugins concerned.
  public let problems: [String]

  /// Creates an error with these problems.
  public init(problems: [String]) {
    self.problems = problems
  }

  /// The problems, a line each.
  public var description: String { problems.joined(separator: "\n") }
}

/// A part that joins the shared stream and depends on no other part of it.
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
  /// - Parameter stream: The shared stream, as a handle with the plugin's origin.
  func join(_ stream: EventStream)
  /// Begins to observe what is outside the stream; called once, after joining: a process joins all
  /// plugins first. A plugin that only answers and observes does not need it.
  func start()
  /// Finishes what it has begun, such as writing its data; called once, at the end of the process,
  /// on the stream's home thread. It is not called where the process is killed.
  func leave()
}

extension Plugin {
  /// Does nothing.
  public func start() {}
  /// Does nothing.
  public func leave() {}
}
