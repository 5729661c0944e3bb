import EventCommands
import EventValues
import Foundation
import REPL

// A line editor with scripted answers, for tests that look at its screen.
//
// It prints each entry. What comes on the pipe at $CONTROL is done by another thread: `announce
// TEXT`, `prompt TEXT`, `right TEXT`, `status TEXT`, `go`, `stop`, `exit`, `crash HOW`.

// With `--add HISTORY COUNT TEXT` it only adds entries to a history.

if CommandLine.arguments.count == 5, CommandLine.arguments[1] == "--add" {
  let history = LineHistory(path: CommandLine.arguments[2])
  for number in 1...(Int(CommandLine.arguments[3]) ?? 1) {
    history.add("\(CommandLine.arguments[4]) \(number)")
  }
  exit(history.takeProblem() == nil ? 0 : 1)
}

let environment = ProcessInfo.processInfo.environment
var options = LineEditor.Options(
  program: "driver",
  history: LineHistory(
    path: environment["HISTORY"],
    limit: Int(environment["LIMIT"] ?? "") ?? 10_000
  )
)
options.hasColor = environment["COLOR"] != nil

guard let editor = LineEditor(options), !editor.isPlain else {
  say("no terminal")
  exit(3)
}

let verbs = ["add", "address", "list", "löschen"]

editor.assistant.isComplete = { $0.count { $0 == "\"" } % 2 == 0 }
editor.assistant.hint = { [history = editor.history] in history.continuation(of: $0) }
editor.assistant.highlight = { text in
  let verb = text.prefix { $0 != " " && $0 != "\n" }
  return verbs.contains(String(verb)) ? [StyledSpan(0..<verb.utf8.count, .cyan)] : []
}
editor.assistant.complete = { text in
  let word = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
  if text.hasPrefix("list ") {
    let names = (1...30).map { Candidate("item\($0)") }.filter { $0.word.hasPrefix(word) }
    return LineCompletion(replacing: word.utf8.count, names)
  }
  let candidates = verbs.filter { $0.hasPrefix(word) }.map { Candidate($0, "What \($0) does") }
  return LineCompletion(replacing: word.utf8.count, candidates)
}

let isGone = DispatchSemaphore(value: 0)
if let control = environment["CONTROL"] {
  let screen = editor.screen
  Thread.detachNewThread {
    guard let pipe = fopen(control, "r") else { return }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    while getline(&line, &size, pipe) > 0 {
      guard let line else { return }
      let words = String(cString: line).dropLast().split(separator: " ", maxSplits: 1)
      let rest = words.count > 1 ? String(words[1]) : ""
      switch words.first {
      case "announce": screen.announce(Array((rest + "\n").utf8))
      case "prompt": screen.setPrompt(StyledText(rest))
      case "right": screen.setRightPrompt(StyledText(rest, .dim))
      case "status": screen.setStatus(StyledText(rest))
      case "stop": screen.stop()
      case "exit": screen.wake { _ in exit(7) }
      case "crash": screen.wake { _ in Crash.happen(rest) }
      case "go":
        isGone.signal()
        screen.wake()
      default: screen.announce(Array("what?\n".utf8))
      }
    }
  }
}

func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

var prompt: StyledText = StyledText("todo> ", options.hasColor ? .bold : nil)
loop: while true {
  let text = environment["BEGINNING"] ?? ""
  switch editor.readEntry(prompt: prompt, text: text) {
  case .interrupted: say("interrupted")
  case .dropped: continue
  case .end:
    say("end")
    break loop
  case .text(let entry):
    let words = entry.split(separator: " ")
    switch words.first {
    case "wait":
      let waiting = editor.wait { isGone.wait(timeout: .now()) == .success }
      say("waited: \(waiting)")
    case "lend":
      editor.lend {
        say("lent")
        isGone.wait()
      }
      say("back")
    case "count": say("\(entry.utf8.count) bytes, \(entry.split(separator: "\n").count) lines")
    default: say("entry: \(escapedForTerminal(entry))")
    }
  }
}
