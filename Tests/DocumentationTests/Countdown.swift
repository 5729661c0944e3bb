import EventCommands
import EventMVVM
import JSONText

/// Counts down: a list that can be as long as one likes.
struct RequestCountdown: PartedCommand {
  typealias Reply = ResponseCountdown
  static let writes = false

  var start = 10
  var partSize: Int?

  static let command = CommandSpec<Self>("countdown", "Counts down.")
    .word(\.start, "From where")
    .unlisted(\.partSize)

  func inParts(of count: Int) -> Self {
    var copy = self
    copy.partSize = count
    return copy
  }
}

/// The numbers, or the first of them and what asks for the others.
struct ResponseCountdown: ViewModelEvent, PartedResponse {
  let result: Result<Numbers, Failure>
  private(set) var rest: RequestCountdown?

  init(_ result: Result<Numbers, Failure>) {
    self.result = result
  }

  init(_ numbers: Numbers, rest: RequestCountdown?) {
    result = .success(numbers)
    self.rest = rest
  }
}

/// Numbers, as a list.
struct Numbers: PartedResult {
  let numbers: [Int]

  func show(on page: inout Page) {
    page.write(numbers.map { "\($0)" }.joined(separator: " "))
    page.endLine()
  }

  func writeItems(to json: inout JSONWriter) {
    for number in numbers { json.value(number) }
  }
}

/// Counts.
struct Counter: Plugin {
  let name = "counter"

  func join(_ stream: EventStream) {
    stream.declareAnswerer(of: RequestCountdown.self)
    stream.on(RequestCountdown.self) { request, turn in
      let start = request.start
      let last = request.partSize.map { max(1, start - $0 + 1) } ?? 1
      let numbers = Numbers(numbers: stride(from: start, through: last, by: -1).map { $0 })
      var rest = request
      rest.start = last - 1
      turn.send(ResponseCountdown(numbers, rest: last > 1 ? rest : nil))
    }
  }
}
