extension Pattern {
  /// The most texts that are worth being searched for in place of an expression.
  private static let mostLiterals = 4

  /// Texts of which one is in everything an expression matches: of each alternative the longest that is easily seen.
  ///
  /// They stand outside groups and classes. An expression with anything whose meaning this does not know has none, nor has
  /// one with an alternative without a text.
  static func literals(of expression: String, ignoresCase: Bool) -> [[UInt8]] {
    var scanner = LiteralScanner(expression, ignoresCase)
    guard scanner.scan() else { return [] }
    let texts = scanner.alternatives
    return texts.count > mostLiterals || texts.contains([]) ? [] : texts
  }
}

/// Reads an expression as far as is needed to find texts in it.
private struct LiteralScanner {
  /// The longest text of each alternative.
  private(set) var alternatives: [[UInt8]] = [[]]
  private let scalars: [Unicode.Scalar]
  private let ignoresCase: Bool
  private var index = 0
  /// The characters that follow each other in what is matched, as UTF-8.
  private var run: [[UInt8]] = []

  init(_ expression: String, _ ignoresCase: Bool) {
    scalars = Array(expression.unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  /// Reads all; false if the expression has something unknown.
  mutating func scan() -> Bool {
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "|":
        end()
        alternatives.append([])
      case ")": return false
      case "(": guard skipGroup() else { return false }
      case "[": guard skipClass() else { return false }
      case ".", "^", "$", "+": end()
      case "?", "*":
        _ = run.popLast()
        end()
      case "{": guard skipCount() else { return false }
      case "\\": guard takeEscape() else { return false }
      default: take(scalar)
      }
    }
    end()
    return true
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    // Further characters fit a K or an S in any case: the Kelvin sign, and the long s.
    let isSafe = !ignoresCase || scalar.isASCII && !"kKsS".unicodeScalars.contains(scalar)
    guard isSafe else { return end() }
    let scalar = ignoresCase ? scalar.properties.lowercaseMapping : String(scalar)
    run.append(Array(scalar.utf8))
  }

  private mutating func end() {
    let bytes = run.flatMap { $0 }
    let last = alternatives.count - 1
    if bytes.count > alternatives[last].count { alternatives[last] = bytes }
    run = []
  }

  /// Reads what is escaped; false unless it is a sign, or a class of characters or an assertion of one letter.
  private mutating func takeEscape() -> Bool {
    guard index < scalars.count else { return false }
    let scalar = scalars[index]
    index += 1
    if "dDwWsSbB".unicodeScalars.contains(scalar) {
      end()
      return true
    }
    let isSign = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9" ~= scalar)
    if isSign { take(scalar) }
    return isSign
  }

  /// Passes over a count of the character before, in braces; false if they are anything else.
  private mutating func skipCount() -> Bool {
    _ = run.popLast()
    end()
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      if scalar == "}" { return true }
      guard "0"..."9" ~= scalar || scalar == "," else { return false }
    }
    return false
  }

  /// Passes over a class, without one inside it.
  private mutating func skipClass() -> Bool {
    end()
    if index < scalars.count, scalars[index] == "^" { index += 1 }
    let start = index
    while index < scalars.count {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "]" where index > start + 1: return true
      case "[": return false
      case "\\":
        guard index < scalars.count, scalars[index] != "Q", scalars[index] != "E" else {
          return false
        }
        index += 1
      default: break
      }
    }
    return false
  }

  /// Passes over a group, with those inside it; false if one of them is special.
  private mutating func skipGroup() -> Bool {
    end()
    var depth = 1
    guard isPlainGroup() else { return false }
    while index < scalars.count, depth > 0 {
      let scalar = scalars[index]
      index += 1
      switch scalar {
      case "(":
        depth += 1
        guard isPlainGroup() else { return false }
      case ")": depth -= 1
      case "[": guard skipClass() else { return false }
      case "\\":
        guard index < scalars.count, scalars[index] != "Q", scalars[index] != "E" else {
          return false
        }
        index += 1
      default: break
      }
    }
    return depth == 0
  }

  /// Whether the group that begins here changes nothing outside it.
  private func isPlainGroup() -> Bool {
    guard index < scalars.count else { return false }
    if scalars[index] == "*" { return false }
    return scalars[index] != "?" || index + 1 < scalars.count && scalars[index + 1] == ":"
  }
}
