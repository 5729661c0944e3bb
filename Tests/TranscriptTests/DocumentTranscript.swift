import Foundation
import ProcessTesting
import Testing

extension Transcript {
  /// What a document shows in its blocks of `console`, as one conversation.
  ///
  /// It is written as a terminal shows it: both streams of output in one, no exit status, `…` for
  /// whatever need not be said.
  init(document: String, text: String) {
    var steps: [Step] = []
    var isInside = false
    for (index, line) in text.physicalLines.enumerated() {
      if line.hasPrefix("```") {
        isInside = line == "```console"
      } else if isInside, line.hasPrefix("$ ") {
        steps.append(Step(line: index + 1, command: String(line.dropFirst(2))))
      } else if isInside, line.hasPrefix("> "), steps.last?.output == [] {
        steps[steps.count - 1].command += "\n" + line.dropFirst(2)
      } else if isInside, !steps.isEmpty {
        steps[steps.count - 1].output.append(String(line).replacing("…", with: "{any}"))
      }
    }
    for index in steps.indices {
      while steps[index].output.last == "" { steps[index].output.removeLast() }
      steps[index].command = "{ \(steps[index].command)\n} 2>&1; :"
    }
    self.init(name: document, steps: steps)
  }

  /// All documents that show a conversation.
  static let documents: [Transcript] = {
    let package = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../..").standardizedFileURL
    let sources = FileManager.default.enumerator(atPath: package.appending(path: "Sources").path)
    let articles = (sources?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }
    return (["README.md", "CONTRIBUTING.md"] + articles.map { "Sources/\($0)" }.sorted())
      .compactMap { path in
        let text = try? String(contentsOf: package.appending(path: path), encoding: .utf8)
        return text.map { Transcript(document: path, text: $0) }
      }
      .filter { !$0.steps.isEmpty }
  }()
}
