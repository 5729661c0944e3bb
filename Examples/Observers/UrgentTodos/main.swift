import Foundation
import JSONText

// Gives a high priority to a todo that is added with `!!` at the end of its title, and removes the
// marks.

/// Sends requests to todostream, one message per line.
struct Requests {
  private var count = 0

  mutating func send(_ method: String, _ params: JSON = [:]) {
    count += 1
    let request: JSON = [
      "jsonrpc": "2.0", "id": .integer(Int64(count)), "method": .string(method), "params": params,
    ]
    FileHandle.standardOutput.write(Data("\(request)\n".utf8))
  }
}

var requests = Requests()
requests.send("initialize")
requests.send("events/subscribe", ["types": ["ResponseChangedTodoViewModels"]])
// The input ends with the observed process, or when all events were read.
while let line = readLine() {
  guard let message = try? JSON(parsing: line),
    case .array(let events)? = message["params"]?["events"]
  else { continue }
  for event in events {
    // Changes of another process are for its own observers.
    guard let body = event["body"], body["by"] == .null,
      case .array(let changes)? = body["changes"]
    else { continue }
    for change in changes {
      guard case .string("added")? = change["novelty"], let todo = change["todo"],
        case .string(let title)? = todo["title"], title.hasSuffix(" !!")
      else { continue }
      requests.send(
        "todo/edit",
        [
          "id": todo["id"] ?? .null, "title": .string(String(title.dropLast(3))),
          "priority": "high", "expectedRevision": todo["revision"] ?? .null,
        ]
      )
    }
  }
}
