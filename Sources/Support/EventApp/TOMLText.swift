import EventCommands
import JSONText

/// Reads the part of TOML 1.0 that options need: tables, keys, strings of one line, numbers, dates,
/// booleans, and arrays of these.
struct TOMLText {
  /// A key with its value.
  struct Entry: Equatable {
    /// The names of its table, and its own.
    let path: [String]
    let value: Value
    /// The offset of the key in the file, in bytes.
    let offset: Int
  }

  /// The value of a key.
  enum Value: Equatable {
    /// A string, a number or a date, as in the file.
    case text(String)
    case flag(Bool)
    case list([Value])
  }

  private let bytes: [UInt8]
  private var index = 0

  /// Reads the entries of a file, in order.
  ///
  /// - Throws: An error with the offset of what can't be read.
  static func entries(of bytes: [UInt8]) throws(CommandError) -> [Entry] {
    var text = TOMLText(bytes: bytes)
    return try text.entries()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    // A byte order mark, as editors of Windows write it.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private mutating func entries() throws(CommandError) -> [Entry] {
    var table: [String] = []
    var entries: [Entry] = []
    skip(blank: true)
    while let byte = next {
      let offset = index
      if byte == UInt8(ascii: "[") {
        index += 1
        guard next != UInt8(ascii: "[") else { throw error("arrays of tables are not read here") }
        table = try path()
        try expect("]")
      } else {
        let path = table + (try path())
        try expect("=")
        guard !entries.contains(where: { $0.path == path }) else {
          throw CommandError("'\(path.last ?? "")' is given twice", offset: offset)
        }
        entries.append(Entry(path: path, value: try value(), offset: offset))
      }
      skip()
      guard next == nil || isAtEndOfLine else { throw error("one key, or one table, is a line") }
      skip(blank: true)
    }
    return entries
  }

  // MARK: Values

  /// Reads a key of one or several names: `a.b`.
  private mutating func path() throws(CommandError) -> [String] {
    var names: [String] = []
    repeat {
      if !names.isEmpty { index += 1 }
      skip()
      switch next {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): names.append(try string())
      default:
        let name = take { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0.isAlphanumeric }
        guard !name.isEmpty else { throw error("a key is missing") }
        names.append(name)
      }
      skip()
    } while next == UInt8(ascii: ".")
    return names
  }

  private mutating func value() throws(CommandError) -> Value {
    skip()
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .text(try string())
    case UInt8(ascii: "["): return .list(try list())
    case UInt8(ascii: "{"): throw error("tables in braces are not read here")
    default: break
    }
    let start = index
    let word = take { $0.isAlphanumeric || "+-.:_".utf8.contains($0) }
    switch word {
    case "true", "false": return .flag(word == "true")
    case _ where word.utf8.first.map { $0.isDigit || $0 == 0x2B || $0 == 0x2D } == true:
      return .text(String(word.filter { $0 != "_" }))
    default:
      index = start
      throw error("a value is missing: a text stands in quotes")
    }
  }

  private mutating func list() throws(CommandError) -> [Value] {
    var items: [Value] = []
    index += 1
    skip(blank: true)
    while next != UInt8(ascii: "]") {
      items.append(try value())
      skip(blank: true)
      guard next == UInt8(ascii: ",") else { break }
      index += 1
      skip(blank: true)
    }
    try expect("]")
    return items
  }

  /// Reads `"text"`, with almost the escapes of JSON, or `'text'`, without escapes.
  private mutating func string() throws(CommandError) -> String {
    let start = index
    let quote = bytes[start]
    index += 1
    while let byte = next, byte != quote, !isAtEndOfLine {
      index += byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") ? 2 : 1
    }
    guard next == quote else { throw error("the text that begins here has no end", at: start) }
    index += 1
    guard quote == UInt8(ascii: "\"") else {
      return String(decoding: bytes[start + 1..<index - 1], as: UTF8.self)
    }
    let isLong = index == start + 2 && next == quote
    guard !isLong, case .string(let text)? = try? JSON(parsing: bytes[start..<index]) else {
      let problem = isLong ? "texts of several lines are not read here" : "it can't be read"
      throw error(problem, at: start)
    }
    return text
  }

  // MARK: Bytes

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var isAtEndOfLine: Bool {
    next == 0x0A || next == 0x0D && bytes[index...].dropFirst().first == 0x0A
  }

  private mutating func take(while isPart: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = next, isPart(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  /// Skips spaces and a comment and, with `blank`, ends of lines.
  private mutating func skip(blank: Bool = false) {
    while let byte = next {
      if byte == UInt8(ascii: "#") {
        while next != nil, !isAtEndOfLine { index += 1 }
      } else if byte == 0x20 || byte == 0x09 || blank && (byte == 0x0A || byte == 0x0D) {
        index += 1
      } else {
        return
      }
    }
  }

  private mutating func expect(_ sign: Character) throws(CommandError) {
    guard let next, next == sign.asciiValue else { throw error("'\(sign)' is missing") }
    index += 1
  }

  private func error(_ problem: String, at offset: Int? = nil) -> CommandError {
    CommandError(problem, offset: offset ?? index)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isAlphanumeric: Bool { isDigit || (0x61...0x7A).contains(self | 0x20) }
}
