import Foundation
import JSONText
import NIOHTTP1
import RecordingIndex

/// Finds the answer to a request that may be answered.
struct InspectorRoutes: Sendable {
  private let answers: RecordingAnswers
  private let others: RecordingAnswers?
  private let replayer: Replayer?
  private let sender: CommandSender?

  /// - Parameters:
  ///   - answers: The answers about the recording.
  ///   - others: Those about another one, to compare it with.
  ///   - replayer: Replays the recording; nil if its program is not known.
  ///   - sender: Sends commands; nil where that is not allowed.
  init(
    _ answers: RecordingAnswers,
    _ others: RecordingAnswers?,
    _ replayer: Replayer?,
    _ sender: CommandSender?
  ) {
    self.answers = answers
    self.others = others
    self.replayer = replayer
    self.sender = sender
  }

  /// Says how much of the recording is read.
  var progress: [UInt8] { answers.progress() }

  /// Answers a request; it may take a while, and reads files.
  func answer(_ request: InspectorRequest) -> Answer {
    if request.method == .POST, let action = action(request.path) {
      guard request.hasOrigin, let json = try? JSON(parsing: request.body) else {
        return .text("This is sent as JSON, by the page.", .badRequest)
      }
      return action(json)
    }
    guard request.method == .GET else {
      return .text("Only GET is answered here.", .methodNotAllowed)
    }
    if let file = PageFile.named(request.path) { return file }
    guard request.path.hasPrefix("/api/") else { return Self.nothing }
    do throws(RecordingAnswers.Refusal) {
      return try question(String(request.path.dropFirst(5)), request)
    } catch {
      var json = JSONWriter()
      json.object { json in
        json.member("error", error.text)
        json.member("column", error.column)
      }
      var answer = Answer.json(json.takeBytes())
      answer.status = .badRequest
      return answer
    }
  }

  private static let nothing = Answer.text("There is nothing here.", .notFound)

  /// What a path does with what the page sends; nil if it does nothing, or is not allowed to.
  private func action(_ path: String) -> ((JSON) -> Answer)? {
    switch path {
    case "/api/send": sender.map { sender in { send($0, by: sender) } }
    case "/api/replay": replayer.map { replayer in { replay($0, by: replayer) } }
    default: nil
    }
  }

  private func question(
    _ path: String,
    _ request: InspectorRequest
  ) throws(RecordingAnswers.Refusal) -> Answer {
    let filter = request["q"] ?? ""
    let isAll = request["all"] == "1"
    switch path {
    case "recording":
      return .json(
        answers.recording { json in
          json.member("writable", sender != nil)
          json.member("replayable", replayer != nil)
          json.member("compares", others?.index.name)
        }
      )
    case "events":
      let first = try request.number("from", or: 0, least: -1)
      let limit = try request.limit(or: 100)
      return .json(
        try answers.events(filter, all: isAll, from: first < 0 ? nil : first, limit: limit)
      )
    case "tree":
      let first = try request.number("from", or: 0)
      return .json(
        try answers.tree(try request.text("root"), from: first, limit: try request.limit(or: 500))
      )
    case "field":
      let limit = try request.limit(or: 200)
      let name = request["name"] ?? ""
      guard let state = request["state"] else {
        let number = Int64(try request.number("number", or: 0))
        return .json(
          try answers.history(of: try request.text("kind"), number, field: name, limit: limit)
        )
      }
      return .json(try answers.history(of: state, nil, field: name, limit: limit))
    case "compare":
      return .json(try compare(request))
    case "figures":
      return .json(try answers.figures(filter, all: isAll))
    case "replay":
      guard let replayer else {
        throw RecordingAnswers.Refusal("the recorded program is not known")
      }
      return .json(replayer.progress)
    case "export":
      return Answer(type: "application/jsonl", body: .file(path: answers.index.path))
        .saved(as: answers.index.name)
    case "export/otlp":
      let roots = try request.text("root").split(separator: ",").map(String.init)
      return .json(try answers.spans(ofRoots: roots)).saved(as: "spans.json")
    case "complete":
      guard let sender else { return Self.nothing }
      var json = JSONWriter()
      json.object { $0.member("candidates", sender.candidates(request["line"] ?? "")) }
      return .json(json.takeBytes())
    case "updates":
      return Answer(type: "application/jsonl", body: .updates)
    default:
      return try event(path, request)
    }
  }

  private func event(
    _ path: String,
    _ request: InspectorRequest
  ) throws(RecordingAnswers.Refusal) -> Answer {
    let parts = path.split(separator: "/")
    guard parts.count == 2, let sequence = UInt64(parts[1]) else { return Self.nothing }
    switch parts[0] {
    case "events": return .json(try answers.event(sequence))
    case "changes": return .json(try answers.changes(of: sequence))
    case "state":
      return .json(
        try answers.state(
          after: sequence,
          from: try request.number("from", or: 0),
          limit: try request.limit(or: 100),
          text: request["text"] ?? ""
        )
      )
    default: return Self.nothing
    }
  }

  /// Runs a command line, and finds the event that it was.
  private func send(_ json: JSON, by sender: CommandSender) -> Answer {
    guard case .string(let line)? = json["line"], !line.contains("\n") else {
      return .text("A command is one line.", .badRequest)
    }
    let before = answers.index.contents.count
    let (output, isFailed) = sender.run(line)
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("output", output)
      writer.member("failed", isFailed)
      writer.member(
        "seq",
        answers.firstInput(of: "inspector", after: before).map { Int64(clamping: $0) }
      )
    }
    return .json(writer.takeBytes())
  }

  /// Begins or cancels a replay, and says how far it is.
  private func replay(_ json: JSON, by replayer: Replayer) -> Answer {
    let contents = answers.index.contents
    if json["cancel"] == true {
      replayer.cancel()
    } else if case .integer(let number)? = json["until"], let last = UInt64(exactly: number) {
      let position = contents.position(of: last)
      replayer.begin(until: last, of: position.map { $0 + 1 } ?? contents.count)
    } else {
      replayer.begin(until: nil, of: contents.count)
    }
    return .json(replayer.progress)
  }

  private func compare(
    _ request: InspectorRequest
  ) throws(RecordingAnswers.Refusal) -> [UInt8] {
    let isOther = request["file"] == "other"
    if isOther || request["a"] == nil, others == nil {
      throw RecordingAnswers.Refusal("there is no other recording: give it as the second file")
    }
    if let left = request["a"] {
      return try answers.compare(
        root: left,
        with: try request.text("b"),
        of: isOther ? others : nil
      )
    }
    guard let others else { return [] }
    return answers.compare(
      with: others,
      from: try request.number("from", or: 0),
      limit: try request.limit(or: 100)
    )
  }
}

/// A request, taken apart.
struct InspectorRequest: Sendable {
  let method: HTTPMethod
  /// The path, as it is written.
  let path: String
  private let items: [URLQueryItem]
  /// Whether it names its origin, as a browser does with what a page sends.
  let hasOrigin: Bool
  /// The contents.
  let body: [UInt8]

  init(_ head: HTTPRequestHead, _ body: [UInt8]) {
    self.body = body
    hasOrigin = head.headers["origin"].count == 1
    method = head.method
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    // A form writes a blank as '+'.
    let query = parts.count == 2 ? parts[1].replacing("+", with: "%20") : ""
    items = URLComponents(string: "/?" + query)?.queryItems ?? []
  }

  /// A parameter; nil if it is not given.
  subscript(name: String) -> String? { items.first { $0.name == name }?.value }

  /// Returns a required parameter.
  func text(_ name: String) throws(RecordingAnswers.Refusal) -> String {
    guard let text = self[name], !text.isEmpty else {
      throw RecordingAnswers.Refusal("'\(name)' is missing")
    }
    return text
  }

  /// Returns a whole number.
  func number(
    _ name: String,
    or standard: Int,
    least: Int = 0
  ) throws(RecordingAnswers.Refusal) -> Int {
    guard let text = self[name] else { return standard }
    guard let number = Int(text), number >= least, number <= 1 << 53 else {
      throw RecordingAnswers.Refusal("'\(name)' is a whole number from \(least)")
    }
    return number
  }

  /// Returns how many are wanted at most.
  func limit(or standard: Int) throws(RecordingAnswers.Refusal) -> Int {
    min(try number("limit", or: standard, least: 1), 500)
  }
}
