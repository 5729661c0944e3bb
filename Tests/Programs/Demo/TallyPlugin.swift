import EventCommands
import EventMVVM
import EventValues
import JSONText

/// Asks how often each request was made in this process.
struct RequestTally: Command {
  typealias Reply = ResponseTally
  static let writes = false

  var requests: [String] = []
  var limit: Count?

  static let command = CommandSpec<Self>("tally", "Counts the requests of this process.")
    .word(\.requests, "Which, by their names", placeholder: "REQUEST")
    .option(\.limit, "How many at most")
}

/// How often requests were made.
struct ResponseTally: ViewModelEvent, Response {
  let result: Result<Tally, Failure>

  init(_ result: Result<Tally, Failure>) {
    self.result = result
  }
}

/// How often requests were made, the most frequent first.
struct Tally: CommandResult {
  struct Line: Sendable, Equatable {
    let request: String
    let count: Int
  }

  var lines: [Line]

  func show(on page: inout Page) {
    for line in lines {
      page.write("\(line.count)", .bold)
      page.write(" \(line.request)")
      page.endLine()
    }
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      for line in lines { json.member(JSONName(line.request), line.count) }
    }
  }
}

/// Counts requests of all origins.
struct TallyPlugin: CommandPlugin {
  let name = "tally"
  let group = "requests"
  let commands: [any Command.Type] = [RequestTally.self]
  private let counts = Locked<[String: Int]>([:])

  func join(_ stream: EventStream) {
    stream.observeAll { [counts] event, _ in
      guard event is any Request else { return }
      counts.withLock { $0[type(of: event).name, default: 0] += 1 }
    }
    stream.answer(RequestTally.self) { [counts] request, _ in
      try request.tally(of: counts.withLock { $0 })
    }
  }
}

extension RequestTally {
  /// What was asked for of all counts.
  func tally(of counts: [String: Int]) throws -> Tally {
    if let unknown = requests.first(where: { counts[$0] == nil }) {
      throw Failure(.notFound, "Nobody has made a \(unknown).", field: "requests")
    }
    let lines = counts.filter { requests.isEmpty || requests.contains($0.key) }
      .map { Tally.Line(request: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.request) < ($0.count, $1.request) }
    return Tally(lines: Array(lines.prefix(limit?.number ?? lines.count)))
  }
}
