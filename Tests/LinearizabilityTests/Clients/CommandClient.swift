import EventMVVMTesting
import Foundation
import JSONText
import ProcessTesting

/// Commands and scripts, each a process of its own, one after the other.
struct CommandClient {
  private let place: Workplace
  private var draw: Draw

  init(_ draw: Draw, store: String) throws {
    self.draw = draw
    place = try Workplace(store: store)
  }

  /// So many commands.
  mutating func commands(_ count: Int) throws -> [Operation] {
    try (0..<count)
      .flatMap { _ in
        let request = draw.chance.once(in: 6) ? draw.edit(of: [.tags]) : draw.request()
        return try run([request], request.words, request.input)
      }
  }

  /// So many scripts, all or nothing.
  mutating func scripts(_ count: Int) throws -> [Operation] {
    try (0..<count)
      .flatMap { _ in
        let script = draw.script()
        return try run([script], script.words, script.input)
      }
  }

  /// One process that carries out so many lines, each for itself.
  mutating func stream(_ count: Int) throws -> [Operation] {
    let requests = (0..<count).map { _ in draw.request() }
    let input = requests.map { $0.words.joined(separator: " ") }
    return try run(requests, ["run", "--keep-going", "-"], input)
  }

  /// Runs a process, kills some, and reads what was printed of each request.
  ///
  /// Nothing is read before the process is gone, so that nothing is still on its way.
  private mutating func run(
    _ requests: [Request],
    _ words: [String],
    _ input: [String]
  ) throws -> [Operation] {
    let death = draw.death(once: 5, within: 40_000)
    let begin = now()
    let job = try place.start(#"exec todostream --json "$@""#, words, input: input)
    if let death {
      // The moment is what is tested: any one, between two instructions.
      usleep(death)
      job.send(SIGKILL)
    }
    let outcome = try job.outcome()
    let answers = Self.answers(to: requests, outcome)
    for answer in answers { draw.learn(from: answer) }
    let end = now()
    return zip(requests, answers)
      .map { request, answer in
        Operation(
          client: draw.client,
          request: request,
          begin: begin,
          end: answer == .unknown ? .max : end,
          answer: answer
        )
      }
  }

  private static func answers(
    to requests: [Request],
    _ outcome: Job.Outcome
  ) -> [Operation.Answer] {
    let results = outcome.output.wholeLines
    let errors = outcome.errors.wholeLines.map { $0["error"] ?? $0 }
    let isKilled = outcome.status == 128 + SIGKILL
    guard requests.count > 1 else {
      if let error = errors.first { return [.init(error: error)] }
      if !results.isEmpty { return [.init(results: results)] }
      return [isKilled ? .unknown : .refused(.other("\(outcome)"))]
    }
    // A line that fails says its number; the rest prints a result each, in order.
    var rest = results[...]
    return requests.indices.map { index in
      if let error = errors.first(where: { $0["line"]?.number == index + 1 }) {
        return .init(error: error)
      }
      if let result = rest.popFirst() { return .init(results: [result]) }
      return isKilled ? .unknown : .refused(.other("\(outcome)"))
    }
  }
}

extension [String] {
  /// The JSON of each line; the last one counts only if it has an end.
  fileprivate var wholeLines: [JSON] {
    let isTorn = last == "(no newline at the end)"
    return dropLast(isTorn ? 2 : 0).map { (try? JSON(parsing: $0)) ?? .string($0) }
  }
}
