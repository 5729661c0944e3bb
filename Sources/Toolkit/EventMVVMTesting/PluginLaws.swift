public import EventMVVM
public import Testing

/// The rules of every plugin, as a suite that a plugin's author runs in one line.
///
/// ```swift
/// @Test func `it keeps the plugin laws`() {
///   PluginLaws.check(sending: [RequestGreeting(name: "Ann")]) { Greeter() }
/// }
/// ```
public enum PluginLaws {
  /// Checks all laws on fresh plugins.
  ///
  /// - Parameters:
  ///   - events: What is sent to it, recorded and replayed.
  ///   - location: The location at which a violation is reported.
  ///   - make: Creates the plugin; called once or twice for each law.
  public static func check(
    sending events: [any Event] = [],
    _ location: SourceLocation = #_sourceLocation,
    _ make: () -> any Plugin
  ) {
    for law in violations(sending: events, make) {
      Issue.record(Comment(rawValue: law), sourceLocation: location)
    }
  }

  /// Returns the laws that a plugin violates, a sentence each.
  public static func violations(
    sending events: [any Event] = [],
    _ make: () -> any Plugin
  ) -> [String] {
    [
      hasAName(make()), joinsSilently(make()), ignoresUnknownEvents(make()),
      clashesWithNobody(make()), releasesStream(make), replays(events, make),
    ]
    .compactMap { $0 }
  }

  /// Checks that its name can be typed: lower-case letters, digits and hyphens.
  static func hasAName(_ plugin: any Plugin) -> String? {
    let isPlain = plugin.name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
    }
    guard plugin.name.isEmpty || !isPlain else { return nil }
    return "Law 1: the name '\(plugin.name)' must be lower-case letters, digits and hyphens."
  }

  /// Checks that joining sends no event.
  static func joinsSilently(_ plugin: any Plugin) -> String? {
    events(plugin) { _ in }.first.map { "Law 2: joining must send nothing, but sent \($0)." }
  }

  /// Checks that it sends no event after an event of an unknown type.
  static func ignoresUnknownEvents(_ plugin: any Plugin) -> String? {
    events(plugin) { $0.send(RequestUnknown()) }.dropFirst().first
      .map {
        "Law 3: an event of an unknown type must be left alone, but it sent \($0)."
      }
  }

  /// Checks that each request has one server.
  static func clashesWithNobody(_ plugin: any Plugin) -> String? {
    let context = AppContext()
    context.add(plugin)
    do {
      try context.check()
      return nil
    } catch {
      return "Law 4: \(error)."
    }
  }

  /// Checks that the stream ends once the application has released it (S73).
  static func releasesStream(_ make: () -> any Plugin) -> String? {
    weak var probe: Probe?
    do {
      let held = Probe()
      probe = held
      let context = AppContext()
      context.add(make())
      context.stream.observeAll { _, _ in _ = held }
    }
    return probe == nil ? nil : "Law 5: the plugin keeps the stream alive: a retain cycle."
  }

  /// Checks that a replay of what it was sent, with the answers of its services, does the same.
  static func replays(_ sent: [any Event], _ make: () -> any Plugin) -> String? {
    let recorded = deliveries(make()) { stream in
      for event in sent { stream.send(event) }
    }
    return MemoryReplay.difference(make(), replaying: recorded)
      .map { "Law 6: a replay must do what was recorded, but \($0)." }
  }

  private final class Probe {}

  private static func events(
    _ plugin: any Plugin,
    _ act: (EventStream) -> Void
  ) -> [any Event] {
    deliveries(plugin, act).map(\.event)
  }

  private static func deliveries(
    _ plugin: any Plugin,
    _ act: (EventStream) -> Void
  ) -> [MemoryReplay.Delivery] {
    let executor = DrainExecutor()
    let context = AppContext(environment: .counting(executor: executor))
    let log = Locked<[MemoryReplay.Delivery]>([])
    context.stream.observeAll(with: MemoryReplay.Log(log))
    context.add(plugin)
    act(context.stream)
    repeat { context.stream.deliver() } while executor.drain()
    return log.withLock { $0 }
  }
}

/// An event of a type unknown to every plugin.
struct RequestUnknown: ViewModelEvent {}
