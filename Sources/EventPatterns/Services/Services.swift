public import EventMVVM

/// The services of an application, each behind a protocol, with what each of them needs (S100).
///
/// A user of a service gets it at its own creation, and does not look it up. What is missing or
/// circular is known before any service is made.
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
  /// How many there are of a service.
  public enum Scope: Sendable {
    /// One, for everybody.
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

  /// Lists a service.
  ///
  /// - Parameters:
  ///   - type: What it is asked for as, a protocol mostly: `(any Network).self`.
  ///   - scope: How many there are of it.
  ///   - dependency: The services that it is made of.
  ///   - make: Makes it, given those.
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

  /// Checks that they fit together, and makes those that are shared, each after what it needs.
  ///
  /// - Returns: Where services are found.
  /// - Throws: ``EventMVVM/ConfigurationError`` with everything that is missing, circular, there
  ///   twice, or in the wrong scope.
  public func start() throws(ConfigurationError) -> ServiceScope {
    let problems = twice + missing + circular + misplaced
    guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    var byKey: [ServiceKey: Registration] = [:]
    for registration in registrations { byKey[registration.key] = registration }
    return ServiceScope(.shared, byKey, in: nil)
  }

  // MARK: What does not fit

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

  /// A shared service outlives every session, and so cannot hold on to what belongs to one.
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

  /// What a service needs of sessions, by itself or by what is made for it alone.
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

  /// Each circle once, from its service that is listed first.
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

/// A type that a service is asked for as.
struct ServiceKey: Hashable, Sendable {
  private let type: ObjectIdentifier
  let name: String

  init<Service>(_ type: Service.Type) {
    self.type = ObjectIdentifier(type)
    // An existential is called by its protocol.
    name = String(describing: type).split(separator: " ").last.map(String.init) ?? ""
  }
}

/// Where services are found, by type; any thread.
///
/// What a scope keeps is made with it, so that no thread waits for another one, and ends with it.
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

  /// Makes what is needed first.
  private func keep(_ registration: Services.Registration) {
    guard kept.withLock({ $0[registration.key] == nil }) else { return }
    keepNeeds(of: registration)
    let service = registration.make(self)
    kept.withLock { $0[registration.key] = service }
  }

  /// What is made anew is not kept, but what it needs is.
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

  /// A session's own scope: it has its own of what each session has its own of, and shares the
  /// rest.
  public func session() -> ServiceScope {
    ServiceScope(.session, registrations, in: self)
  }

  /// A service.
  ///
  /// To ask for one that was never listed, or for a session's outside of a session, is a mistake of
  /// the program's.
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
