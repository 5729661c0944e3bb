import EventMVVM
import EventMVVMTesting
import EventPatterns
import Testing

/// S100: services behind protocols, made outside and injected.
@Suite(.hangLimit) struct ServicesTests {
  @Test func `S100 a service is made of those that it needs`() throws {
    var services = Services()
    services.add((any Greeter).self, needs: (any Clock).self) { clock in Butler(clock: clock) }
    services.add((any Clock).self) { Sundial() }
    let scope = try services.start()
    #expect(scope.get((any Greeter).self).greeting == "Good noon")
  }

  @Test func `S100 what is missing is said at the start, by its name`() {
    var services = Services()
    services.add((any Greeter).self, needs: (any Clock).self) { clock in Butler(clock: clock) }
    #expect(
      throws: ConfigurationError(problems: ["'Greeter' needs 'Clock', which nobody provides"])
    ) {
      try services.start()
    }
  }

  @Test func `S100 a circle is said once, with all that are in it`() {
    var services = Services()
    services.add(A.self, needs: B.self) { _ in A() }
    services.add(B.self, needs: C.self) { _ in B() }
    services.add(C.self, needs: A.self) { _ in C() }
    #expect(throws: ConfigurationError(problems: ["'A' needs 'B' needs 'C' needs 'A'"])) {
      try services.start()
    }
  }

  @Test func `what needs itself is a circle`() {
    var services = Services()
    services.add(A.self, needs: A.self) { _ in A() }
    #expect(throws: ConfigurationError(problems: ["'A' needs 'A'"])) { try services.start() }
  }

  @Test func `what is provided twice is said`() {
    var services = Services()
    services.add(A.self) { A() }
    services.add(A.self) { A() }
    #expect(throws: ConfigurationError(problems: ["'A' is provided twice"])) {
      try services.start()
    }
  }

  @Test func `what is shared needs nothing of a session's, not even by what is fresh`() {
    var services = Services()
    services.add(A.self, needs: B.self, C.self) { _, _ in A() }
    services.add(B.self, .session) { B() }
    services.add(C.self, .fresh, needs: B.self) { _ in C() }
    let sentence = "'A' is shared and needs 'B', of which each session has its own"
    #expect(throws: ConfigurationError(problems: [sentence, sentence])) { try services.start() }
  }

  @Test func `a session has its own of what each has its own of, and shares the rest`() throws {
    var services = Services()
    services.add(A.self) { A() }
    services.add(B.self, .session) { B() }
    services.add(C.self, .fresh) { C() }
    let scope = try services.start()
    let (first, second) = (scope.session(), scope.session())
    #expect(first.get(A.self) === second.get(A.self))
    #expect(first.get(B.self) === first.get(B.self))
    #expect(first.get(B.self) !== second.get(B.self))
    #expect(first.get(C.self) !== first.get(C.self))
  }

  @Test func `what is needed by what is fresh is there before it`() throws {
    // In whatever order a dictionary has them.
    for _ in 1...20 {
      var services = Services()
      services.add(A.self, needs: C.self) { _ in A() }
      services.add(C.self, .fresh, needs: B.self) { _ in C() }
      services.add(B.self) { B() }
      _ = try services.start().get(A.self)
    }
  }

  @Test func `what belongs to a session goes with it`() throws {
    var services = Services()
    services.add(B.self, .session) { B() }
    let scope = try services.start()
    weak var gone: B?
    do {
      let session = scope.session()
      gone = session.get(B.self)
    }
    #expect(gone == nil)
  }
}

private protocol Clock: Sendable {
  var hour: Int { get }
}

private struct Sundial: Clock {
  let hour = 12
}

private protocol Greeter: Sendable {
  var greeting: String { get }
}

private struct Butler: Greeter {
  let clock: any Clock
  var greeting: String { clock.hour == 12 ? "Good noon" : "Good day" }
}

private final class A: Sendable {}
private final class B: Sendable {}
private final class C: Sendable {}
