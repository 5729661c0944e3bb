import Foundation

// The server beside clangd, which answers a method that it does not know, and cat, which gives the
// same frames back: in turn, in one run.
//
//   ServerBenchmark PROGRAM [ROUNDS]

signal(SIGPIPE, SIG_IGN)
guard CommandLine.arguments.count > 1 else { stop("which program?") }
let program = CommandLine.arguments[1]
let rounds = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 5
let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let store = folder.appending(path: "todos.sqlite").path

/// Where a program is found.
func find(_ name: String) -> String? {
  let paths = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
  return paths.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}

/// Runs our program to its end, and gives the microseconds that it took.
func run(_ words: [String], output: URL? = nil) throws -> Double {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = ["--store", store] + words
  if let output {
    try Data().write(to: output)
    process.standardOutput = try FileHandle(forWritingTo: output)
  } else {
    process.standardOutput = FileHandle.nullDevice
  }
  let start = now()
  try process.run()
  process.waitUntilExit()
  return now() - start
}

func script(_ name: String, lines: Int) throws -> String {
  let file = folder.appending(path: name)
  let text = (1...lines).map { "add \"Buy milk number \($0)\" --tag home\n" }.joined()
  try text.write(to: file, atomically: true, encoding: .utf8)
  return file.path
}

func startServer() throws -> Server {
  let server = try Server(program, ["--store", store, "serve", "--stdio"])
  server.call(1, "initialize")
  return server
}

_ = try run(["--quiet", "run", try script("ten-thousand.todo", lines: 10_000)])
let ours = try startServer()
let echo = try Server("/bin/cat", [])
let clangd = try find("clangd").map { try Server($0, ["--log=error"]) }
clangd?.call(1, "initialize", #"{"processId":null,"rootUri":null,"capabilities":{}}"#)

// MARK: Answers

var (unknown, theirs, echoed, shown) = (Statistics(), Statistics(), Statistics(), Statistics())
for _ in 1...rounds {
  echoed.add(echo, count: 50_000) { Server.request($0, "nope") }
  if let clangd { theirs.add(clangd, count: 50_000) { Server.request($0, "nope") } }
  unknown.add(ours, count: 50_000) { Server.request($0, "nope") }
  shown.add(ours, count: 20_000) {
    Server.request($0, "todo/show", #"{"id":\#($0 % 10_000 + 1)}"#)
  }
}
print(
  "In turn, \(rounds) rounds; medians. Pipelined: everything is written while answers are read."
)
print("\n" + String(repeating: " ", count: 44) + "  p50, µs   thousand/s   processor, µs")
echoed.show("cat, the same frames")
theirs.show("clangd, an unknown method")
unknown.show("todostream, an unknown method")
shown.show("todostream, todo/show")

// MARK: A long list

var ratios: [Double] = []
var (lists, processes): ([Double], [Double]) = ([], [])
let listed = folder.appending(path: "list.json")
for round in 1...rounds * 2 {
  let start = now()
  let text = ours.call(round, "todo/list")
  let time = now() - start
  precondition(text.utf8.count > 1_000_000, "that was no list")
  let process = try run(["--json", "list", "--all"], output: listed)
  lists.append(time)
  processes.append(process)
  ratios.append(time / process)
}
print(
  "\ntodo/list of 10 000: \((lists.median / 1000).text) ms; list --json: "
    + "\((processes.median / 1000).text) ms"
)
clangd?.end()
echo.end()
ours.end()

// MARK: Subscribers

/// Asks for todos, and counts the events that come: a request and a response for each.
///
/// A thousand at a time: this reader is slower than the server, and would fall behind.
func eventRate(_ count: Int) throws -> Double {
  let server = try startServer()
  server.call(2, "events/subscribe")
  let start = now()
  var events = 0
  for first in stride(from: 1, through: count, by: 1000) {
    let last = min(first + 999, count)
    server.writeAside(
      (first...last).flatMap { Server.request($0, "todo/show", #"{"id":\#($0 % 10_000 + 1)}"#) }
    )
    while events < last * 2, let message = server.read() {
      let text = String(decoding: message, as: UTF8.self)
      precondition(!text.contains("events/overflow"), "a reader fell behind")
      if text.contains("events/append") { events += text.split(separator: "\"seq\":").count - 1 }
    }
  }
  let time = now() - start
  server.end()
  return Double(events) / time * 1e6
}

/// A script of another process, while nobody reads what a server says of it.
func scriptTime(_ path: String, besideSubscriber: Bool) throws -> Double {
  let server = besideSubscriber ? try startServer() : nil
  server?.call(2, "events/subscribe")
  let time = try run(["--quiet", "run", path])
  server?.process.terminate()
  server?.end()
  return time
}

let eventsPerSecond = try (1...rounds).map { _ in try eventRate(20_000) }.median
let long = try script("long.todo", lines: 20_000)
var slowdowns: [Double] = []
for _ in 1...rounds {
  let alone = try scriptTime(long, besideSubscriber: false)
  slowdowns.append(try scriptTime(long, besideSubscriber: true) / alone)
}
print("events to a subscriber that reads: \(eventsPerSecond.text) a second")

// MARK: Limits

print("\n" + "limits".padding(toLength: 66, withPad: " ", startingAt: 0) + "       is   at most")
if clangd != nil {
  limit(
    "unknown method: clangd's rate by ours",
    theirs.rate.median / unknown.rate.median,
    atMost: 1
  )
  limit(
    "todo/show: processor time by clangd's",
    shown.processor.median / theirs.processor.median,
    atMost: 3
  )
} else {
  print("clangd is not on the path: nothing to compare with")
}
limit("todo/list of 10 000: time by that of list --json", ratios.median, atMost: 2)
limit("10 000 events a second by those that reach a reader", 10_000 / eventsPerSecond, atMost: 1)
limit("script beside a subscriber that does not read: times alone", slowdowns.median, atMost: 1.25)
