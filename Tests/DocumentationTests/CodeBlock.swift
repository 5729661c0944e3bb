import Foundation
import Testing

/// A block of Swift in a document or in a comment, as it is shown to readers.
struct CodeBlock: CustomTestStringConvertible {
  /// The file, seen from the package's folder.
  let document: String
  /// The line behind the fence.
  let line: Int
  let lines: [Substring]

  var testDescription: String { "\(document):\(line)" }

  /// Whether a file has these lines, all of them moved in or out by the same number of columns.
  func stands(in file: [Substring]) -> Bool {
    let wanted = lines.dedented
    return file.indices.contains { start in
      file[start].hasSuffix(wanted[0])
        && file[start...].prefix(wanted.count).dedented == wanted
    }
  }

  /// The blocks of all documents and of all comments.
  static let all: [CodeBlock] =
    (["README.md", "CONTRIBUTING.md"] + Package.files(in: "Sources", "Frontends"))
    .flatMap { path in path.hasSuffix(".swift") ? inComments(of: path) : inDocument(path) }

  private static func inDocument(_ path: String) -> [CodeBlock] {
    blocks(in: Package.lines(of: path), of: path)
  }

  private static func inComments(of path: String) -> [CodeBlock] {
    let comments = Package.lines(of: path)
      .map { line in
        let text = line.drop { $0 == " " }
        return text.hasPrefix("/// ") ? text.dropFirst(4) : ""
      }
    return blocks(in: comments, of: path)
  }

  private static func blocks(in lines: [Substring], of document: String) -> [CodeBlock] {
    var blocks: [CodeBlock] = []
    var start: Int?
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      if let first = start, text == "```" {
        let block = Array(lines[first..<index])
        blocks.append(CodeBlock(document: document, line: first + 1, lines: block))
        start = nil
      } else if text == "```swift" {
        start = index + 1
      }
    }
    return blocks
  }
}

/// The files of this package.
enum Package {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL

  static func text(of path: String) -> String {
    (try? String(contentsOf: folder.appending(path: path), encoding: .utf8)) ?? ""
  }

  static func lines(of path: String) -> [Substring] {
    text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The sources and documents in folders and all that is in them, by their paths.
  static func files(in roots: String...) -> [String] {
    roots.flatMap { root in
      let paths = FileManager.default.enumerator(atPath: folder.appending(path: root).path)
      return (paths?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }
        .map { "\(root)/\($0)" }.sorted()
    }
  }
}

extension Collection<Substring> {
  /// The lines without the columns of blanks that all of them begin with.
  fileprivate var dedented: [Substring] {
    let columns = filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return map { $0.dropFirst($0.isEmpty ? 0 : columns) }
  }
}
