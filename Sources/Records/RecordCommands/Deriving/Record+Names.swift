public import EventRecords
import EventValues

extension Record {
  /// The name of the kind in those of its events: `LabSample` of `lab-sample`.
  public static var typeName: String { kind.capitalized }

  /// The name of several in a type's: `Copies` of `copies`.
  static var severalTypeName: String {
    several == "records" ? typeName + "s" : several.capitalized
  }

  /// The name of one record with its article: `a note`.
  static var article: String {
    let isVowel = kind.first.map { "aeiou".contains($0) } ?? false
    return (isVowel ? "an " : "a ") + kind
  }

  /// The title: the first text with a summary; nil if there is none.
  static var titleField: Field? {
    _table.fields.first { $0.type == String.self && $0.hasSummary && !$0.traits.contains(.hidden) }
  }

  /// The fields after the title that a line shows.
  static func columns(_ paths: [PartialKeyPath<Self>]?) -> [Field] {
    guard let paths else {
      let title = titleField?.offset
      return _table.fields.filter {
        $0.hasSummary && $0.offset != title
          && $0.traits.isDisjoint(with: [.hidden, .searched])
      }
    }
    return paths.map { path in
      guard let index = MemoryLayout<Self>.offset(of: path).flatMap({ _table.index(at: $0) }) else {
        preconditionFailure("a column is no field of '\(kind)'")
      }
      return _table.fields[index]
    }
  }
}

extension Field {
  /// Whether people give it.
  var hasSummary: Bool { summary.utf8CodeUnitCount > 0 }

  /// Its name in words; of a time without the preposition: `created` of `createdAt`.
  var nameOnPage: String {
    var words = "\(name)".inWords
    if isTime, words.hasSuffix(" at") { words.removeLast(3) }
    return words
  }

  /// Whether its values are texts of any length.
  var isText: Bool { type == String.self || type == String?.self }

  /// Whether it is a set or a list.
  var isList: Bool { type._arity == .many }
}

extension String {
  /// Whether nothing in it ends a line.
  var isOneLine: Bool {
    unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0A...0x0D, 0x85, 0x2028, 0x2029: false
      default: true
      }
    }
  }

  /// The text with a capital, as a sentence begins.
  var beginningUpper: String {
    // Not by a part of it, which is appended by a generic function: that takes 350 000 instructions.
    String(prefix(1)).uppercased() + String(dropFirst())
  }

  /// The words of a name, each with a capital: `LabSample` of `lab-sample`.
  var capitalized: String {
    // By bytes: splitting and joining takes the runtime as long as all the rest of a command.
    var bytes: [UInt8] = []
    var isStart = true
    for byte in utf8 {
      if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
        isStart = true
        continue
      }
      bytes.append(isStart && (0x61...0x7A).contains(byte) ? byte - 0x20 : byte)
      isStart = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
