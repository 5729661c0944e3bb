import Foundation
import JSONText

/// Which events are wanted: words that all have to fit, in the language of the search field.
///
/// - `milk`, `"two words"`: a text, anywhere from the type to the body. ASCII letters fit in either case.
/// - `/expression/`, `/expression/i`: a regular expression, anywhere in the body.
/// - `type:Request*,ResponseUndo`, `origin:batch`, `root:12`, `seq:5`, `seq:5-90`, `layer:model`,
///   `kind:request`, `is:input`, `is:failed`, `is:housekeeping`.
/// - `title=Milk`, `number=3`: a member of that name, at any depth of the body, has that value.
/// - `source="Module/File.swift:12"`: the line of code that sent it, in a recording of a debug build.
/// - A `-` before a word inverts it.
public struct Filter: Sendable, Hashable {
  /// Why a filter can't be read.
  public struct Problem: Error, Equatable, Sendable {
    /// The reason.
    public let text: String
    /// The place in the filter, in characters from 1.
    public let column: Int
  }

  enum Test: Sendable, Hashable {
    /// Lower-case, as JSON writes it.
    case text([UInt8])
    case pattern(String, ignoresCase: Bool)
    case types([String])
    case origins([String])
    case roots([String])
    case sequences(ClosedRange<UInt64>)
    case layers([String])
    case kinds([EventType.Kind])
    case marks([EventEntry.Marks])
    /// The member with its value, as JSON writes it, in one of two forms.
    case member([[UInt8]])
  }

  struct Word: Sendable, Hashable {
    let test: Test
    let isInverse: Bool
  }

  let words: [Word]

  /// Reads a filter.
  ///
  /// - Parameters:
  ///   - text: The words.
  ///   - hidesHousekeeping: Whether events that only update their sender are left out, unless a word asks for them.
  /// - Throws: A `Problem`.
  public init(_ text: String, hidesHousekeeping: Bool) throws(Problem) {
    var words: [Word] = []
    var scanner = FilterScanner(text)
    while let word = try scanner.next() { words.append(word) }
    let asksForHousekeeping = words.contains { word in
      if case .marks(let marks) = word.test { marks.contains(.housekeeping) } else { false }
    }
    if hidesHousekeeping, !asksForHousekeeping {
      words.append(Word(test: .marks([.housekeeping]), isInverse: true))
    }
    self.words = words
  }

  /// Whether all events fit.
  var isEverything: Bool { words.isEmpty }
}

/// Reads the words of a filter.
private struct FilterScanner {
  private let characters: [Character]
  private var index = 0

  init(_ text: String) { characters = Array(text) }

  mutating func next() throws(Filter.Problem) -> Filter.Word? {
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    guard index < characters.count else { return nil }
    let start = index
    let isInverse = characters[index] == "-"
    if isInverse { index += 1 }
    guard index < characters.count, !characters[index].isWhitespace else {
      throw Filter.Problem(text: "'-' needs a word after it", column: start + 1)
    }
    return Filter.Word(test: try test(), isInverse: isInverse)
  }

  private mutating func test() throws(Filter.Problem) -> Filter.Test {
    let start = index
    switch characters[index] {
    case "\"": return .text(Self.needle(try quoted()))
    case "/": return try pattern()
    default: break
    }
    var name = ""
    while index < characters.count, !characters[index].isWhitespace {
      let character = characters[index]
      if !name.isEmpty, character == ":" || character == "=" {
        index += 1
        let valueStart = index
        let value = try value()
        return character == "="
          ? member(name, value)
          : try qualifier(name, value, at: start, valueStart, text: name + ":" + value)
      }
      name.append(character)
      index += 1
    }
    return .text(Self.needle(name))
  }

  private mutating func value() throws(Filter.Problem) -> String {
    if index < characters.count, characters[index] == "\"" { return try quoted() }
    var value = ""
    while index < characters.count, !characters[index].isWhitespace {
      value.append(characters[index])
      index += 1
    }
    return value
  }

  private mutating func quoted() throws(Filter.Problem) -> String {
    let start = index
    var text = ""
    index += 1
    while index < characters.count {
      let character = characters[index]
      index += 1
      if character == "\"" { return text }
      if character == "\\", index < characters.count {
        text.append(characters[index])
        index += 1
      } else {
        text.append(character)
      }
    }
    throw Filter.Problem(text: "this quotation has no end", column: start + 1)
  }

  private mutating func pattern() throws(Filter.Problem) -> Filter.Test {
    let start = index
    var expression = ""
    index += 1
    while index < characters.count, characters[index] != "/" {
      if characters[index] == "\\", index + 1 < characters.count {
        if characters[index + 1] != "/" { expression.append("\\") }
        index += 1
      }
      expression.append(characters[index])
      index += 1
    }
    guard index < characters.count else {
      throw Filter.Problem(text: "this expression has no '/' at its end", column: start + 1)
    }
    index += 1
    let ignoresCase = index < characters.count && characters[index] == "i"
    if ignoresCase { index += 1 }
    do throws(Pattern.Problem) {
      _ = try Pattern(expression, ignoresCase: ignoresCase)
    } catch {
      let offset = String(decoding: expression.utf8.prefix(error.offset), as: UTF8.self).count
      throw Filter.Problem(text: error.text, column: start + 2 + offset)
    }
    return .pattern(expression, ignoresCase: ignoresCase)
  }

  /// The text as JSON writes it, in lower case.
  private static func needle(_ text: String) -> [UInt8] {
    var json = JSONWriter()
    json.value(text)
    return json.takeBytes().dropFirst().dropLast().map { $0 &- 65 < 26 ? $0 | 32 : $0 }
  }

  private func member(_ name: String, _ value: String) -> Filter.Test {
    func json(_ value: JSON) -> [UInt8] {
      var json = JSONWriter()
      json.value(value)
      return json.takeBytes()
    }
    let start = json(.string(name)) + [UInt8(ascii: ":")]
    var forms = [start + json(.string(value))]
    switch try? JSON(parsing: value) {
    case nil, .string?, .array?, .object?: break
    case let other?: forms.append(start + json(other))
    }
    return .member(forms)
  }

  private func qualifier(
    _ name: String,
    _ value: String,
    at start: Int,
    _ valueStart: Int,
    text: String
  ) throws(Filter.Problem) -> Filter.Test {
    let values = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    func choices<Value>(_ choices: [String: Value]) throws(Filter.Problem) -> [Value] {
      var found: [Value] = []
      for value in values {
        guard let choice = choices[value] else {
          let known = choices.keys.sorted().joined(separator: ", ")
          throw Filter.Problem(text: "'\(name):' is one of \(known)", column: valueStart + 1)
        }
        found.append(choice)
      }
      return found
    }
    switch name {
    case "type", "origin", "root":
      guard !value.isEmpty else {
        throw Filter.Problem(text: "'\(name):' needs a value", column: valueStart + 1)
      }
      return name == "type" ? .types(values) : name == "origin" ? .origins(values) : .roots(values)
    case "seq":
      let ends = value.split(separator: "-", maxSplits: 1).map { UInt64($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
        throw Filter.Problem(
          text: "'seq:' is a number, or two with '-' between",
          column: valueStart + 1
        )
      }
      return .sequences(first...last)
    case "layer":
      return .layers(try choices(["model": "model", "viewModel": "viewModel", "none": "none"]))
    case "kind":
      return .kinds(try choices(["request": .request, "response": .response, "fact": .fact]))
    case "is":
      return .marks(
        try choices(["input": .input, "failed": .failed, "housekeeping": .housekeeping])
      )
    default:
      return .text(Self.needle(text))
    }
  }
}
