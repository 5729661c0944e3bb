import EventCommands
import EventRecords
import EventValues
import JSONText

extension [String] {
  /// The words of a filter in one text, its parentheses at the words.
  var joinedAsFilter: String {
    var text = ""
    for word in self {
      let isClose = word.isIdentical(to: ")")
      if !text.isEmpty, !isClose, text.utf8.last != UInt8(ascii: "(") { text += " " }
      text += word
    }
    return text
  }
}

extension FilterNode {
  /// How it was read, with all operators and the parentheses that are needed.
  ///
  /// - Parameter level: How tightly what is around it binds: 1 for `and`, 2 for `not`.
  /// - Returns: The filter in one text.
  func text(within level: Int) -> String {
    func joined(_ nodes: [FilterNode], _ word: String, _ own: Int) -> String {
      let text = nodes.map { $0.text(within: own + 1) }.joined(by: " \(word) ")
      return own < level ? "(\(text))" : text
    }
    switch self {
    case .term(.records(let references)):
      let text = references.map(\.text).joined(by: " or ")
      return references.count > 1 && level > 0 ? "(\(text))" : text
    case .term(let term): return term.text.asTyped
    case .view(let node): return node.text(within: level)
    case .not(.not(let node)): return node.text(within: level)
    case .not(let node): return "not " + node.text(within: 3)
    case .all(let nodes): return joined(nodes, "and", 1)
    case .any(let nodes): return joined(nodes, "or", 0)
    }
  }
}

extension FilterTerm {
  /// The term as a person writes it.
  fileprivate var text: String {
    func of(_ field: Field, _ value: String) -> String { "\(field.askedName):\(value)" }
    switch self {
    case .text(let text, _): return "text:" + text
    case .contains(let field, let text), .named(let field, let text): return of(field, text)
    case .label(_, let name): return "+" + name
    case .value(let field, .bool(let isSet)): return of(field, "\(isSet)")
    case .value(let field, let value): return of(field, value.plainText)
    case .range(let field, let start, let end):
      return of(field, (start?.plainText ?? "") + ".." + (end?.plainText ?? ""))
    case .days(let field, _, let text): return of(field, text)
    case .lacks(let field): return of(field, "none")
    case .condition(let name): return "is:" + name.inWords.hyphenated
    case .deleted: return "is:deleted"
    case .view(let name): return "@" + name
    case .records: return ""
    }
  }
}
