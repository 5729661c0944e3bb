public import EventMVVM

/// The services of an application, each behind a protocol, with its dependencies (S100).
///
/// A user of a service receives it at its own creation, and does not look it up. Missing and
/// circular services are reported before any is created.
///
/// ```swift
/// var services = Services()
/// services.add((any Network).self) { LoopbackNetwork() }
/// services.add((any ImageCache).self, .session) { MemoryCache() }
/// services.add((any Images).self, .session, needs: (any Network).self, (any ImageCache).self) {
///   ImageController($0, $1)
/// }
/// let scope = try services.start()
/// ```
public struct Services: Sendable {
  /// How many instances of a service there are.
  public enum Scope: Sendable {
    /// One for all users.
    case shared
    /// One for each session; see ``ServiceScope/session()``.
    case session
    /// A new one for each user.
    case fresh
  }

  struct Registration: Sendable {
    let key: ServiceKey
    let scope: Scope
    let needs: [ServiceKey]
    let make: @Sendable (ServiceScope) -> any Sendable
  }

  private(set) var registrations: [Registration] = []

  /// No services.
  public init() {}

  /// Registers a service.
  ///
  /// - Parameters:
  ///   - type: The type by which it is requested, mostly a protocol: `(any Network).self`.
  ///   - scope: How many instances there are.
  ///   - dependency: The services that it needs.
  ///   - make: Creates it from those.
  public mutating func add<Service: Sendable, each Dependency: Sendable>(
    _ type: Service.Type,
    _ scope: Scope = .shared,
    needs dependency: repeat (each Dependency).Type,
    make: @escaping @Sendable (repeat each Dependency) -> Service
  ) {
    var needs: [ServiceKey] = []
    repeat needs.append(ServiceKey(each dependency))
    registrations.append(
      Registration(key: ServiceKey(Service.self), scope: scope, needs: needs) { scope in
        make(repeat scope.get((each Dependency).self))
      }
    )
  }

  /// Checks that all services fit together, and creates the shared ones in order of dependency.
  ///
  /// - Returns: The scope in which services are found.
  /// - Throws: ``EventMVVM/ConfigurationError`` with each service that is missing, circular,
  ///   registered twice, or in the wrong scope.
  public func start() throws(ConfigurationError) -> ServiceScope {
    let problems = twice + missing + circular + misplaced
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    var byKey: [ServiceKey: Registration] = [:]
    for registration in registrations { byKey[registration.key] = registration }
    return ServiceScope(.shared, byKey, in: nil)
  }

  // MARK: Configuration errors

  private var twice: [String] {
    var seen: Set<ServiceKey> = []
    return registrations.filter { !seen.insert($0.key).inserted }
      .map { "'\($0.key.name)' is provided twice" }
  }

  private var missing: [String] {
    let known = Set(registrations.map(\.key))
    return registrations.flatMap { registration in
      registration.needs.filter { !known.contains($0) }
        .map { "'\(registration.key.name)' needs '\($0.name)', which nobody provides" }
    }
  }

  /// A shared service outlives every session, and so cannot retain what belongs to one.
  private var misplaced: [String] {
    registrations.filter { $0.scope == .shared }
      .flatMap { registration in
        needsOfSessions(registration, [])
          .map {
            "'\(registration.key.name)' is shared and needs '\($0.name)', "
              + "of which each session has its own"
          }
      }
  }

  /// The session services that a service needs, directly or through its own fresh ones.
  private func needsOfSessions(
    _ registration: Registration,
    _ path: Set<ServiceKey>
  ) -> [ServiceKey] {
    guard !path.contains(registration.key) else { return [] }
    return registrations.filter { registration.needs.contains($0.key) }
      .flatMap { need in
        switch need.scope {
        case .shared: [ServiceKey]()
        case .session: [need.key]
        case .fresh: needsOfSessions(need, path.union([registration.key]))
        }
      }
  }

  /// Each cycle once, from the service that was registered first.
  private var circular: [String] {
    var problems: [String] = []
    var done: Set<ServiceKey> = []
    func walk(_ registration: Registration, _ path: [ServiceKey]) {
      if let start = path.firstIndex(of: registration.key) {
        let names = (path[start...] + [registration.key]).map { "'\($0.name)'" }
        problems.append(names.joined(separator: " needs "))
        return
      }
      guard done.insert(registration.key).inserted else { return }
      for need in registration.needs {
        for next in registrations where next.key == need {
          walk(next, path + [registration.key])
        }
      }
    }
    for registration in registrations { walk(registration, []) }
    return problems
  }
}

/// A type by which a service is requested.
struct ServiceKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  let name: String

  init<Service>(_ type: Service.Type) {
    self.type = ObjectIdentifier(type)
    // An existential has the name of its protocol.
    name = String(describing: type).split(separator: " ").last.map(String.init) ?? ""
  }
}

/// Finds services by type; any thread.
///
/// A scope creates its services with itself, so that no thread waits for another one, and releases
/// them with itself.
///
/// ```swift
/// let services = try Self.services(HTTP()).start().session()
/// let controllers = ControllerServer(
///   services.get((any NetworkController).self),
///   services.get((any ImageController).self)
/// )
/// ```
public final class ServiceScope: Sendable {
  private let registrations: [ServiceKey: Services.Registration]
  private let outer: ServiceScope?
  private let kept: Locked<[ServiceKey: any Sendable]>

  init(
    _ scope: Services.Scope,
    _ registrations: [ServiceKey: Services.Registration],
    in outer: ServiceScope?
  ) {
    self.registrations = registrations
    self.outer = outer
    kept = Locked([:])
    for registration in registrations.values where registration.scope == scope {
      keep(registration)
    }
  }

  /// Creates the dependencies first.
  private func keep(_ registration: Services.Registration) {
    guard kept.withLock({ $0[registration.key] == nil }) else { return }
    keepNeeds(of: registration)
    let service = registration.make(self)
    kept.withLock { $0[registration.key] = service }
  }

  /// A fresh service is not stored, but its dependencies are.
  private func keepNeeds(of registration: Services.Registration) {
    for need in registration.needs {
      guard let needed = registrations[need] else { continue }
      switch (needed.scope, outer) {
      case (.fresh, _): keepNeeds(of: needed)
      case (.shared, nil), (.session, _?): keep(needed)
      case (.shared, _?), (.session, nil): break
      }
    }
  }

  /// Returns a session's own scope, with its own session services, which shares the others.
  public func session() -> ServiceScope {
    ServiceScope(.session, registrations, in: self)
  }

  /// Returns a service.
  ///
  /// To request one that was never registered, or a session's service outside a session, is a
  /// programmer's error.
  public func get<Service: Sendable>(_ type: Service.Type) -> Service {
    let key = ServiceKey(type)
    guard let registration = registrations[key] else {
      preconditionFailure("nobody provides '\(key.name)'")
    }
    let found = registration.scope == .fresh ? registration.make(self) : find(key)
    guard let service = found as? Service else {
      preconditionFailure("'\(key.name)' belongs to a session, and there is none")
    }
    return service
  }

  private func find(_ key: ServiceKey) -> (any Sendable)? {
    kept.withLock { $0[key] } ?? outer?.find(key)
  }
}
