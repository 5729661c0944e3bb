import Foundation
import ProcessTesting
import Testing

/// A conversation with the shell, as a text file: commands, and beneath each what it must print.
///
/// ```
/// -- Prose, for the reader.
/// $ a command, for /bin/sh
/// > its next line
/// < a line of its standard input; nothing is there to be read unless there is one
/// what it prints on standard output
/// ! what it prints on standard error
/// ? its exit status, unless that is 0
/// ```
///
/// Blank lines before a command or prose are for the eye. A line of output that could be mistaken
/// for any of these has a `\` before it. In output `{uuid}` stands for any UUID, `{time}` for any
/// instant, `{any}` for any text, and `{folder}` for the folder that all commands of the file run
/// in, which is empty at first.
struct Transcript: Sendable {
  /// A command, and what must come of it.
  struct Step: Sendable {
    /// The line in the file.
    let line: Int
    var command: String
    var input: [String] = []
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  let name: String
  let steps: [Step]

  init(name: String, steps: [Step]) {
    self.name = name
    self.steps = steps
  }

  init(name: String, text: String) {
    self.name = name
    var steps: [Step] = []
    for (index, line) in text.physicalLines.enumerated() {
      let (mark, rest) = Self.split(line)
      if mark == "$" {
        steps.append(Step(line: index + 1, command: rest))
      } else if mark != "--", !steps.isEmpty {
        steps[steps.count - 1].take(mark, rest)
      }
    }
    for index in steps.indices {
      while steps[index].output.last == "" { steps[index].output.removeLast() }
      steps[index].output = steps[index].output.map { $0 == "\\" ? "" : $0 }
    }
    self.steps = steps
  }

  /// The mark that a line begins with, and what is behind it.
  private static func split(_ line: Substring) -> (mark: String, rest: String) {
    for mark in ["--", "$", ">", "<", "!", "?"] {
      if line == mark { return (mark, "") }
      if line.hasPrefix(mark + " ") { return (mark, String(line.dropFirst(mark.count + 1))) }
    }
    let isEscaped = line.hasPrefix("\\") && line != "\\"
    return ("", String(isEscaped ? line.dropFirst() : line))
  }
}

extension Transcript.Step {
  fileprivate mutating func take(_ mark: String, _ rest: String) {
    switch mark {
    case ">": command += "\n" + rest
    case "<": input.append(rest)
    case "!": errors.append(rest)
    case "?": status = Int32(rest) ?? -1
    default: output.append(rest)
    }
  }
}

extension Transcript: CustomTestStringConvertible {
  var testDescription: String { name }

  /// All that are in the folder `cases`, by name.
  static let all: [Transcript] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "cases")
    let files = try? FileManager.default
      .contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "transcript" }
      .compactMap { file in
        (try? String(contentsOf: file, encoding: .utf8))
          .map { Transcript(name: file.deletingPathExtension().lastPathComponent, text: $0) }
      }
      .sorted { $0.name < $1.name }
  }()
}
