import Foundation

/// The types that the product declares, read off its sources: what they inherit, and what they store.
///
/// Types that nobody can name at run time are there, too: private ones, and those of generics.
struct Declarations {
  /// A declaration, or an extension of one.
  struct Declaration {
    /// `struct`, `enum`, `class`, `actor`, `protocol`, `extension` or `typealias`.
    let kind: String
    /// Its name with those of the types round it: `RecordRest.Part`.
    let path: [String]
    /// The names in its list of what it inherits or conforms to; of a typealias, those it stands for.
    let inherited: [String]
    /// Its stored properties and the payloads of its cases.
    let fields: [Field]
    /// The names that it declares for itself where it travels: `static let name = "…"`.
    let namesItself: Bool
    /// Where it stands.
    let file: String

    var name: String { path.joined(separator: ".") }
    var isReference: Bool { kind == "class" || kind == "actor" }
  }

  /// A stored property, or what a case of an enumeration carries.
  struct Field {
    let name: String
    /// Its type as it is written, or the beginning of the expression that it follows from.
    let type: String
  }

  private let byPath: [String: [Declaration]]
  private let all: [Declaration]

  /// Reads sources: their names, with their texts.
  init(_ sources: [(name: String, text: String)]) {
    all = sources.flatMap { DeclarationReader.declarations(in: $0.text, of: $0.name) }
    byPath = Dictionary(grouping: all) { $0.name }
  }

  // MARK: Conformance

  /// Every protocol that refines one, itself included.
  func refinements(of name: String) -> Set<String> {
    var found: Set = [name]
    while true {
      let more = all.filter { declaration in
        declaration.kind == "protocol" && !found.contains(declaration.name)
          && !found.isDisjoint(with: declaration.inherited)
      }
      guard !more.isEmpty else { return found }
      found.formUnion(more.map(\.name))
    }
  }

  /// The types that conform to a protocol, by their declarations or by extensions of them.
  func types(conformingTo name: String) -> [Declaration] {
    let protocols = refinements(of: name)
    let conforming = Set(
      all.filter { !protocols.isDisjoint(with: $0.inherited) }.map { $0.path.last ?? "" }
    )
    return all.filter {
      !["protocol", "extension", "typealias"].contains($0.kind)
        && conforming.contains($0.path.last ?? "")
        && !protocols.isDisjoint(with: inherited(by: $0))
    }
  }

  private func inherited(by type: Declaration) -> [String] {
    type.inherited
      + all.filter { $0.kind == "extension" && $0.name == type.name }.flatMap(\.inherited)
  }

  // MARK: What values are made of

  /// The references that a value of a type holds.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - inherent: The types that are left out.
  /// - Returns: Each as the way to it: `ResponseX.store: Store`.
  func references(in type: Declaration, excluding inherent: Set<String> = []) -> [String] {
    var seen: Set<String> = []
    return references(in: type, way: type.name, inherent, &seen)
  }

  private func references(
    in type: Declaration,
    way: String,
    _ inherent: Set<String>,
    _ seen: inout Set<String>
  ) -> [String] {
    guard seen.insert(type.name + type.file).inserted else { return [] }
    var found: [String] = []
    for field in type.fields {
      let way = "\(way).\(field.name)"
      if field.type.contains("->") { found.append("\(way): a closure") }
      for name in field.type.typeNames {
        for declared in resolve(name, in: type) where !inherent.contains(declared.name) {
          if declared.isReference {
            found.append("\(way): \(declared.name)")
          } else if declared.kind == "protocol" {
            let classes = types(conformingTo: declared.name).filter(\.isReference)
            found += classes.map { "\(way): \($0.name)" }
            if inherited(by: declared).contains("AnyObject") {
              found.append("\(way): any \(declared.name)")
            }
          } else {
            found += references(in: declared, way: way, inherent, &seen)
          }
        }
      }
    }
    return found
  }

  /// The declarations that a name stands for inside a type: the nearest one, of the same room before
  /// others.
  private func resolve(_ name: String, in type: Declaration) -> [Declaration] {
    var scope = type.path
    while true {
      let candidates = byPath[(scope + [name]).joined(separator: "."), default: []]
        .filter { $0.kind != "extension" }
      let near = candidates.filter { Self.room(of: $0) == Self.room(of: type) }
      let found = near.isEmpty ? candidates : near
      if !found.isEmpty {
        return found.flatMap { declared in
          declared.kind == "typealias"
            ? declared.inherited.filter { $0 != name }.flatMap { resolve($0, in: declared) }
            : [declared]
        }
      }
      guard scope.popLast() != nil else { return [] }
    }
  }

  private static func room(of declaration: Declaration) -> [Substring] {
    Array(declaration.file.split(separator: "/").prefix(2))
  }
}

/// Finds the declarations of a source by the layout that the formatter gives it: a declaration has a
/// line of its own, its members stand two columns further in, and its brace closes beneath it.
private struct DeclarationReader {
  private static let modifiers: Set = [
    "public", "package", "private", "fileprivate", "internal", "final", "indirect", "lazy", "weak",
    "unowned", "nonisolated", "static", "open", "private(set)", "fileprivate(set)", "package(set)",
    "internal(set)", "nonisolated(unsafe)",
  ]
  private static let kinds: Set = [
    "struct", "enum", "class", "actor", "protocol", "extension", "typealias",
  ]

  /// A line: how far in it stands, what it says, and its words after the modifiers.
  private struct Line {
    let indent: Int
    let text: String
    let words: [Substring]
    let isStatic: Bool

    var keyword: Substring { words.first ?? "" }
    /// What it declares, if it declares something.
    var name: String { words.dropFirst().first?.filter { $0 != ":" } ?? "" }

    init(_ source: Substring) {
      indent = source.prefix { $0 == " " }.count
      text = source.code
      let all = text.split(separator: " ")
      words = Array(all.drop { modifiers.contains(String($0)) || $0.hasPrefix("@") })
      isStatic = all.contains("static")
    }
  }

  static func declarations(in text: String, of file: String) -> [Declarations.Declaration] {
    var isText = false
    var lines: [Line] = []
    for line in text.split(separator: "\n") {
      let isEdge = line.components(separatedBy: "\"\"\"").count == 2
      defer { if isEdge { isText.toggle() } }
      if !isText, !line.code.isEmpty { lines.append(Line(line)) }
    }
    var found: [Declarations.Declaration] = []
    var scope: [(indent: Int, path: [String])] = []
    for index in lines.indices where kinds.contains(String(lines[index].keyword)) {
      let line = lines[index]
      guard line.words.count > 1, let name = line.words[1].typeNames.first else { continue }
      scope.removeAll { $0.indent >= line.indent }
      let path = (scope.last?.path ?? []) + name.split(separator: ".").map(String.init)
      let head = statement(at: index, of: lines)
      if line.keyword != "typealias" { scope.append((line.indent, path)) }
      let members = members(after: index, of: lines)
      found.append(
        .init(
          kind: String(line.keyword),
          path: path,
          inherited: inherited(head, isAlias: line.keyword == "typealias"),
          fields: members.flatMap { fields(statement(at: $0, of: lines), lines[$0]) },
          namesItself: members.contains { lines[$0].isStatic && lines[$0].name == "name" },
          file: file
        )
      )
    }
    return found
  }

  /// The lines at which the members of a declaration begin.
  private static func members(after index: Int, of lines: [Line]) -> [Int] {
    guard lines[index].keyword != "typealias" else { return [] }
    return lines[(index + 1)...].indices
      .prefix { lines[$0].indent > lines[index].indent || !lines[$0].text.hasPrefix("}") }
      .filter { lines[$0].indent == lines[index].indent + 2 }
  }

  /// A line, and those that it goes on in.
  private static func statement(at index: Int, of lines: [Line]) -> String {
    var text = lines[index].text
    for line in lines[(index + 1)...] {
      let isOpen = [":", ",", "=", "&", "(", "<"].contains { text.hasSuffix($0) }
      let isMore = [":", "&", ")", ">", "where ", "{"].contains { line.text.hasPrefix($0) }
      guard isOpen || (isMore && !text.hasSuffix("{")) else { break }
      text += " " + line.text
    }
    return text
  }

  /// What follows the colon of a declaration, without its generic parameters and its conditions.
  private static func inherited(_ head: String, isAlias: Bool) -> [String] {
    guard !isAlias else { return head.split(separator: "=").last?.typeNames ?? [] }
    var depth = 0
    let plain = head.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0
    }
    let clause = plain.components(separatedBy: " where ")[0]
    return clause.split(separator: ":", maxSplits: 1).dropFirst().first?.typeNames ?? []
  }

  /// The property that a statement declares, if it is stored; the payloads of cases.
  private static func fields(_ statement: String, _ line: Line) -> [Declarations.Field] {
    if line.keyword == "case" { return [.init(name: "case", type: statement)] }
    guard ["let", "var"].contains(line.keyword), !line.isStatic, line.words.count > 1 else {
      return []
    }
    let parts = statement.split(separator: "=", maxSplits: 1)
    let isComputed = parts.count == 1 && statement.contains("{") && !statement.contains("didSet")
    guard !isComputed, let declared = parts.first else { return [] }
    let annotation = declared.split(separator: ":", maxSplits: 1).dropFirst().first
    let type = annotation ?? parts.last?.prefix { $0 != "(" } ?? ""
    return [.init(name: line.name, type: String(type))]
  }
}

extension StringProtocol {
  /// The line without its comment, the texts of its literals and the space round it.
  fileprivate var code: String {
    var code = ""
    var isText = false
    var last: Character = " "
    for character in self {
      if character == "\"", last != "\\" { isText.toggle() }
      if !isText, character == "/", last == "/" {
        code.removeLast()
        break
      }
      if !isText { code.append(character) }
      last = character
    }
    return code.trimmingCharacters(in: .whitespaces)
  }

  /// The names of types in it: `[String: Kept<Todo>]` has three, `RecordRest<R>.Part` two.
  fileprivate var typeNames: [String] {
    split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
      .map { $0.split(separator: ".").drop { !$0.isTypeName }.prefix { $0.isTypeName } }
      .map { $0.joined(separator: ".") }
      .filter { !$0.isEmpty }
  }

  private var isTypeName: Bool { drop { $0 == "_" }.first?.isUppercase == true }
}
