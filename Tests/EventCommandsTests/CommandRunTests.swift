import EventCommands
import EventMVVM
import EventMVVMTesting
import EventValues
import Testing

/// Bakes cakes: it asks about many, checks the flour, and tries again with less sugar.
private struct RequestBake: Command {
  typealias Reply = ResponseView<Message>
  var cakes = 1
  var sugar = 3
  var isForPersons = false

  static let command = CommandSpec<Self>("bake", "Bakes cakes.")
    .word(\.cakes, "How many")
    .option(\.sugar, "How sweet")
    .unlisted(\.isForPersons)

  var question: String? { cakes > 2 ? "Bake \(cakes) cakes?" : nil }
  var check: (any CheckRequest)? { RequestFlour(cakes: cakes) }

  func secondTry(after failure: Failure) -> SecondTry<Self>? {
    guard failure.kind == .conflict else { return nil }
    var less = self
    less.sugar = 0
    return SecondTry("Without sugar?", less, isForPersons: isForPersons)
  }
}

private struct RequestFlour: CheckRequest {
  typealias Reply = ResponseCheck
  static let writes = false
  let cakes: Int
}

private struct Bakery: Plugin {
  let name = "bakery"

  func join(_ stream: EventStream) {
    stream.answer(RequestFlour.self) { request, _ in
      guard request.cakes < 9 else { throw Failure(.notFound, "There is no flour.") }
      return true
    }
    stream.answer(RequestBake.self) { request, _ in
      guard request.sugar == 0 else { throw Failure(.conflict, "There is no sugar.") }
      return Message("Baked \(request.cakes).")
    }
  }
}

/// What all faces do alike.
@Suite(.hangLimit) struct CommandRunTests {
  /// Runs a command, and notes what is asked; answers are given in order.
  private func run(
    _ line: String,
    saysYes: Bool = false,
    answers: [CommandRun.Answer]? = nil,
    isForPersons: Bool = false
  ) throws -> [String] {
    let context = AppContext()
    context.add(Bakery())
    var catalogue = Catalogue()
    catalogue.add("", [RequestBake.self])
    var command = try #require(try catalogue.read(line: line) as? RequestBake)
    command.isForPersons = isForPersons
    let port = context.port(named: "oven")
    let log = Locked<[String]>([])
    let left = Locked(answers ?? [])
    let ask: CommandRun.Asking = { question, then in
      log.withLock { $0.append((question.failure.map { $0.message + " " } ?? "") + question.text) }
      then(left.withLock { $0.removeFirst() })
      return nil
    }
    let ending = CommandRun(
      through: port,
      Rendering(),
      saysYes: saysYes,
      ask: answers == nil ? nil : ask
    )
    .run(command, on: port)
    return log.withLock { $0 } + [ending.text.trimmingSuffix("\n")]
  }

  @Test func `what would be asked is refused where nobody can be asked, before any check`() throws {
    let refusal = "Nobody can be asked here; --yes answers it."
    #expect(try run("bake 3") == ["error: Bake 3 cakes? \(refusal)"])
    #expect(try run("bake 9") == ["error: Bake 9 cakes? \(refusal)"])
  }

  @Test func `nobody is asked about what fails`() throws {
    #expect(try run("bake 9", answers: []) == ["error: There is no flour."])
  }

  @Test func `a person declines, or agrees`() throws {
    #expect(try run("bake 3", answers: [.no]) == ["Bake 3 cakes?", "Nothing was changed."])
    #expect(
      try run("bake 3 --sugar 0", answers: [.yes]) == ["Bake 3 cakes?", "Baked 3."]
    )
  }

  @Test func `a second try follows a failure, if somebody agrees`() throws {
    let offer = "There is no sugar. Without sugar?"
    #expect(try run("bake 1") == ["error: There is no sugar."])
    #expect(try run("bake 1", answers: [.yes]) == [offer, "Baked 1."])
    #expect(try run("bake 1", answers: [.no]) == [offer, "Nothing was changed."])
    #expect(try run("bake 1", saysYes: true) == ["Baked 1."])
  }

  @Test func `yes to all does not answer for persons`() throws {
    #expect(try run("bake 1", saysYes: true, isForPersons: true) == ["error: There is no sugar."])
    #expect(
      try run("bake 1", saysYes: true, answers: [.yes], isForPersons: true)
        == ["There is no sugar. Without sugar?", "Baked 1."]
    )
  }

  @Test func `another command can be run instead`() throws {
    var other = RequestBake()
    other.sugar = 0
    #expect(
      try run("bake 3", answers: [.instead(other)]) == ["Bake 3 cakes?", "Baked 1."]
    )
  }

  @Test func `what is cancelled before it begins is not sent`() throws {
    let context = AppContext()
    context.add(Bakery())
    let port = context.port(named: "oven")
    let run = CommandRun(through: port, Rendering())
    run.cancel()
    #expect(run.run(RequestBake(), on: port).text == "error: Cancelled before it began.\n")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
