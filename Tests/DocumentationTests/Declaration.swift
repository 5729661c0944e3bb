import Foundation

/// A declaration in the sources, found by the name under which an article counts its lines.
struct Declaration: Equatable {
  /// How many lines of code it has: no empty ones, no comments.
  let lines: Int

  /// Finds the one declaration of a name; nil where it stands nowhere, or more than once.
  ///
  /// - Parameters:
  ///   - name: `Inbox`, `answerFetch`, or `extension CartView`.
  ///   - files: The files in which it may stand.
  init?(_ name: String, in files: [String]) {
    let isExtension = name.hasPrefix("extension ")
    let words = isExtension ? "" : "(struct|class|enum|protocol|func|typealias) "
    let name = NSRegularExpression.escapedPattern(for: name)
    let pattern = "^ *(((file)?private|static|final) )*\(words)\(name)(?![\\w.])"
    let found = files.map { Package.lines(of: $0) }
      .flatMap { lines in
        lines.indices
          .filter { lines[$0].range(of: pattern, options: .regularExpression) != nil }
          .map { lines[$0...] }
      }
    guard found.count == 1 else { return nil }
    lines = Self.whole(found[0]).count(where: \.isCode)
  }

  /// Its lines, up to the brace that closes it.
  private static func whole(_ lines: ArraySlice<Substring>) -> ArraySlice<Substring> {
    guard lines.first?.contains("typealias ") == false else { return lines.prefix(1) }
    var depth = 0
    for index in lines.indices {
      depth += lines[index].count { $0 == "{" } - lines[index].count { $0 == "}" }
      if depth == 0, lines[index].contains("}") { return lines[...index] }
    }
    return []
  }
}

extension StringProtocol {
  /// Whether it is neither empty nor a comment nor an import.
  var isCode: Bool {
    let text = trimmingCharacters(in: .whitespaces)
    return ["//", "import ", "@testable import "].allSatisfy { !text.hasPrefix($0) }
      && !text.isEmpty
  }
}
