#if os(Linux)
  import EventMVVMTesting
  import Foundation
  import JSONText
  import ProcessTesting
  import Testing

  /// Well- and ill-formed requests by chance, all to one server.
  ///
  /// A thousand lines, always the same; `REQUEST_SECONDS=600` for as long as that, drawn from
  /// `REQUEST_SEED`.
  @Suite(.hangLimit(RequestAmount.limit)) struct RandomRequestTests {
    @Test func `whatever is asked, each id is answered once, and the server stays small`() throws {
      let client = try RPCClient(initialize: nil)
      let seed = RequestAmount.seed
      var chance = RequestChance(seed, methods: try client.methods())
      var tally = AnswerTally()
      let end = RequestAmount.seconds.map { ContinuousClock.now + .seconds($0) }
      while end.map({ .now < $0 }) ?? (chance.count < 1000) {
        for _ in 0..<50 {
          let (line, expected) = chance.next()
          tally.expect(expected)
          client.write(line + [0x0A])
        }
        while !tally.isComplete { tally.note(try client.read()) }
      }
      let (memory, descriptors) = (client.peakMemory, client.descriptorCount)
      let threads = client.threadCount
      // Whatever would be answered once more has had its turn by then.
      tally.expect([.string("shutdown")])
      client.write(#"{"jsonrpc":"2.0","id":"shutdown","method":"shutdown"}"#)
      client.write(#"{"jsonrpc":"2.0","method":"exit"}"#)
      while let message = try? client.read() { tally.note(message) }
      #expect(client.end() == 0, "seed \(seed)")
      #expect(tally.problems == [], "seed \(seed)")
      print(
        "\(tally.count) answers, \(memory >> 20) MiB, \(descriptors) descriptors, \(threads) threads"
      )
      #expect(memory < 256 << 20, "seed \(seed)")
      #expect(descriptors < 64, "seed \(seed)")
      #expect(threads < 32, "seed \(seed)")
    }
  }

  /// What is wrong with answers is seen.
  @Suite(.hangLimit) struct AnswerTallyTests {
    private static func problems(_ asked: [JSON], _ answers: [JSON]) -> [String] {
      var tally = AnswerTally()
      tally.expect(asked)
      for answer in answers { tally.note(answer) }
      return tally.problems + (tally.isComplete ? [] : ["incomplete"])
    }

    private static let answer: JSON = ["id": 1, "result": nil]

    @Test func `an answer to each id, in a batch too, is right, and a notification is none`() {
      let notification: JSON = ["method": "state/changed", "params": [:]]
      #expect(
        Self.problems([1, "a"], [notification, [Self.answer, ["id": "a", "error": [:]]]]) == []
      )
      #expect(
        Self.problems([nil, nil], [["id": nil, "error": [:]], ["id": "bad", "error": 1]]) == []
      )
    }

    @Test func `an answer that is missing, or comes twice, or was never asked for is seen`() {
      #expect(Self.problems([1], []) == ["incomplete"])
      #expect(Self.problems([nil], []) == ["incomplete"])
      let surplus = "answered twice, or never asked: \(Self.answer)"
      #expect(Self.problems([1], [Self.answer, Self.answer]) == [surplus])
      #expect(Self.problems(["1"], [Self.answer]) == [surplus, "incomplete"])
    }

    @Test func `an answer that is neither a result nor an error, or both, is seen`() {
      #expect(Self.problems([1], [["id": 1]]) == [#"neither or both: {"id":1}"#])
      let refused: JSON = ["id": nil, "result": 1]
      #expect(Self.problems([nil], [refused]) == ["no error: \(refused)"])
    }
  }

  /// How much is asked.
  private enum RequestAmount {
    static let seconds = number("REQUEST_SECONDS")
    static let seed = number("REQUEST_SEED") ?? 1
    static let limit = Duration.seconds(600 + (seconds ?? 0))

    private static func number(_ name: String) -> Int? {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }
  }

  /// Which ids are to be answered, and which were.
  private struct AnswerTally {
    /// How many answers came.
    private(set) var count = 0
    private(set) var problems: [String] = []
    private var waiting: Set<String> = []
    /// Messages that can't be read: each is answered under null, or under the id that can be read
    /// of it.
    private var unreadable = 0

    var isComplete: Bool { waiting.isEmpty && unreadable == 0 }

    mutating func expect(_ ids: [JSON]) {
      for id in ids {
        if id == .null { unreadable += 1 } else { waiting.insert(id.description) }
      }
    }

    mutating func note(_ message: JSON) {
      if case .array(let answers) = message { return answers.forEach { note($0) } }
      guard message["method"] == nil else { return }
      count += 1
      guard let id = message["id"] else { return problems.append("no id: \(message)") }
      if id == .null || id.description.hasPrefix("\"bad") {
        unreadable -= 1
        if unreadable < 0 { problems.append("one too many: \(message)") }
        if message["error"] == nil { problems.append("no error: \(message)") }
      } else if waiting.remove(id.description) == nil {
        problems.append("answered twice, or never asked: \(message)")
      } else if (message["result"] == nil) == (message["error"] == nil) {
        problems.append("neither or both: \(message)")
      }
    }
  }

  /// What a client may send that knows the protocol, or nearly.
  private struct RequestChance {
    /// How many lines were drawn.
    private(set) var count = 0
    private var lastID = 0
    private var chance: Chance
    private let methods: [String]
    private var additions = 0
    private var subscriptions = 0

    init(_ seed: Int, methods: [String]) {
      chance = Chance(UInt64(seed))
      // The store is not to grow without bound, nor the session to end.
      let left = ["shutdown", "exit", "store/doctor", "events/subscribe", "todo/add"]
      self.methods = methods.filter { !left.contains($0) }
    }

    /// A line, and the ids under which it is to be answered: null for what can't be read.
    mutating func next() -> (line: [UInt8], expected: [JSON]) {
      count += 1
      switch chance.pick(0...19) {
      case 0: return (Array(tell().utf8), [])
      case 1: return unreadable()
      case 2:
        let calls = (0...chance.pick(0...3)).map { _ in call() }
        return (Array("[\(calls.map(\.text).joined(separator: ","))]".utf8), calls.map(\.id))
      default:
        let call = call()
        return (Array(call.text.utf8), [call.id])
      }
    }

    private mutating func call() -> (text: String, id: JSON) {
      lastID += 1
      let id = chance.once(in: 3) ? JSON.string("id \(lastID)") : .integer(Int64(lastID))
      let method = method()
      let params = chance.once(in: 10) ? "" : #","params":\#(parameters(of: method))"#
      return (#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"\#(params)}"#, id)
    }

    private mutating func tell() -> String {
      let method = chance.once(in: 2) ? "$/cancelRequest" : "initialized"
      return
        #"{"jsonrpc":"2.0","method":"\#(method)","params":{"id":\#(chance.pick(1...lastID + 1))}}"#
    }

    private mutating func method() -> String {
      switch chance.pick(0...199) {
      case 0: return "nope"
      case 1: return "store/doctor"
      case 2 where subscriptions < 4:
        subscriptions += 1
        return "events/subscribe"
      case 3...30 where additions < 200:
        additions += 1
        return "todo/add"
      default: return one(of: methods)
      }
    }

    // MARK: Parameters

    /// Mostly what the method is about; every third time anything.
    private mutating func parameters(of method: String) -> JSON {
      if chance.once(in: 3) { return value(depth: 0) }
      let number = JSON.integer(Int64(chance.pick(1...30)))
      let text = one(of: Self.texts)
      switch method {
      case "todo/add": return ["title": text]
      case "todo/edit": return ["id": number, one(of: ["title", "subtitle", "project"]): text]
      case "todo/list": return ["words": [text], "limit": number]
      case "line/run": return ["line": .string(one(of: Self.lines))]
      case "line/complete": return ["line": .string(one(of: Self.lines))]
      case "events/subscribe": return ["types": ["ResponseChangedTodoViewModels"]]
      case "events/read": return ["from": number, "limit": number]
      case "state/subscribe", "state/unsubscribe":
        return ["name": one(of: ["todo/counts", "screens", "detail", "detail/saving"])]
      case "todo/delete", "todo/restore": return ["ids": [number]]
      case "history/undo", "history/redo", "commands", "plugins": return [:]
      default: return ["id": number]
      }
    }

    private static let texts: [JSON] = [
      "Buy milk", "", "\u{1B}[31m", "ä 買 😀", "a b", "2026-12-01", "@last", "x\ny",
    ]
    private static let lines = [
      "add 'Buy milk' --tag home", "list --limit 3", "list --ta", "undo", "edit 3 --due tomorrow",
      "done 1 2", "report", "trace", "nope", "add \"", "history 3", "help add", "move 1 before 2",
    ]
    private static let names = [
      "id", "ids", "title", "subtitle", "tags", "due", "project", "priority", "limit", "words",
      "expectedRevision", "sort", "line", "name", "from", "types", "subscription", "workDoneToken",
    ]

    private mutating func value(depth: Int) -> JSON {
      switch chance.pick(0...(depth < 3 ? 8 : 6)) {
      case 0: return .null
      case 1: return .bool(chance.once(in: 2))
      case 2: return .integer(Int64(chance.pick(-1...40)))
      case 3: return one(of: [.integer(.max), .integer(.min), .real(0.5)])
      case 4...6: return one(of: Self.texts)
      case 7: return .array((0..<chance.pick(0...3)).map { _ in value(depth: depth + 1) })
      default:
        let names = Self.names.shuffled(using: &chance).prefix(chance.pick(0...4))
        return .object(names.map { JSON.Member($0, value(depth: depth + 1)) })
      }
    }

    // MARK: What can't be read

    /// A message that is no request: answered once, under null or what can be read of its id.
    private mutating func unreadable() -> (line: [UInt8], expected: [JSON]) {
      let call = #"{"jsonrpc":"2.0","id":"bad \#(count)","method":"plugins""#
      let lines = [
        call, call + "}}", call + #","id":"bad"}"#, call + #","params":{"a":1e400}}"#,
        call + #","params":{"a":"\ud800"}}"#, call + #","params":{"a":"\u0000"}}"#,
        call + #","params":{"a":92233720368547758080}}"#, call + #","params":{"a":01}}"#,
        call + #","params":\#(String(repeating: "[", count: 200))"#, "nonsense", "{}", "[]", "7",
        #"{"jsonrpc":"1.0","id":"bad","method":"plugins"}"#,
        #"{"jsonrpc":"2.0","id":"bad","method":7}"#,
      ]
      var bytes = Array(one(of: lines).utf8)
      if chance.once(in: 4) { bytes.insert(0xFF, at: chance.pick(0...bytes.count - 1)) }
      return (bytes, [.null])
    }

    private mutating func one<T>(of values: [T]) -> T { values[chance.pick(0...values.count - 1)] }
  }

  extension RPCClient {
    /// Begins the session, and gives the methods that the server says it has.
    fileprivate func methods() throws -> [String] {
      let capabilities = try call("initialize")["result"]?["capabilities"]
      guard case .array(let names)? = capabilities?["methods"] else { return [] }
      return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
  }
#endif
