public import EventMVVM
public import Testing

/// The rules of every plugin, as a suite that a plugin's author runs in one line.
///
/// ```swift
/// @Test func `it keeps the plugin laws`() { PluginLaws.check { Greeter() } }
/// ```
public enum PluginLaws {
  /// Checks all laws on fresh plugins.
  ///
  /// - Parameters:
  ///   - location: The location at which a violation is reported.
  ///   - make: Creates the plugin; called once for each law.
  public static func check(
    _ location: SourceLocation = #_sourceLocation,
    _ make: () -> any Plugin
  ) {
    for law in violations(make) {
      Issue.record(Comment(rawValue: law), sourceLocation: location)
    }
  }

  /// Returns the laws that a plugin violates, a sentence each.
  public static func violations(_ make: () -> any Plugin) -> [String] {
    [
      hasAName(make()), joinsSilently(make()), ignoresUnknownEvents(make()),
      clashesWithNobody(make()), releasesStream(make),
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

  private final class Probe {}

  private static func events(
    _ plugin: any Plugin,
    _ act: (EventStream) -> Void
  ) -> [any Event] {
    let executor = DrainExecutor()
    let context = AppContext(environment: Environment(executor: executor))
    let log = Locked<[any Event]>([])
    context.stream.observeAll { event, _ in log.withLock { $0.append(event) } }
    context.add(plugin)
    act(context.stream)
    repeat { context.stream.deliver() } while executor.drain()
    return log.withLock { $0 }
  }
}

/// An event of a type unknown to every plugin.
struct RequestUnknown: ViewModelEvent {}
