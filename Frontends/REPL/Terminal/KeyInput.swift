/// The bytes that were typed, as the characters that libedit reads.
///
/// Complete sequences without a binding are dropped, so that a mouse, a page key, a terminal that
/// reports its focus, or its answer to a question leaves nothing in the line. So are bytes that are
/// no text: they ring the bell.
struct KeyInput {
  /// How escapes are read.
  struct Keys {
    /// Whether an escape alone is a key, as it is in vi.
    var isVi = false
    /// Whether unknown sequences are passed to libedit, where the user has bound some.
    var passesUnknown = false
  }

  var keys = Keys()
  private var bytes: [UInt8] = []
  private var first = 0
  /// Characters that come first.
  private var pushed: [Int32] = []
  /// The bytes of a sequence that was accepted.
  private var verified = 0
  private var hasGivenUpEscape = false
  private var hasDropped = false

  private static let escape: UInt8 = 0x1B

  /// Whether there is no input, not even a part of a character.
  var isEmpty: Bool { pushed.isEmpty && first == bytes.count }

  /// Whether an escape waits for more bytes, though it may be a key by itself.
  var awaitsEscape: Bool {
    guard first < bytes.count, bytes[first] == Self.escape else { return false }
    let isBegun = bytes.count - first == 2 && Self.stringKinds.contains(bytes[first + 1])
    return keys.isVi || isBegun
  }

  /// Whether bytes that are no text were dropped since the last call.
  mutating func takeDropped() -> Bool {
    defer { hasDropped = false }
    return hasDropped
  }

  /// Appends typed bytes.
  mutating func append(_ more: some Sequence<UInt8>) {
    if first == bytes.count || first > 65_536 {
      bytes.removeFirst(first)
      first = 0
    }
    bytes.append(contentsOf: more)
  }

  /// Puts a character back.
  mutating func unread(_ scalar: Int32) {
    pushed.insert(scalar, at: 0)
  }

  /// Removes all typed bytes.
  mutating func removeAll() {
    self = KeyInput(keys: keys)
  }

  /// Treats the waiting escape as a key of its own.
  mutating func giveUpEscape() {
    hasGivenUpEscape = true
  }

  /// Returns the next character; nil if more bytes are needed.
  mutating func next() -> Int32? {
    if !pushed.isEmpty { return pushed.removeFirst() }
    while first < bytes.count {
      if verified > 0 {
        verified -= 1
        return Int32(takeByte())
      }
      guard bytes[first] == Self.escape else {
        switch nextScalar() {
        case .scalar(let scalar): return scalar
        case .unfinished: return nil
        case .noText:
          hasDropped = true
          continue
        }
      }
      switch sequence() {
      case .unfinished where !hasGivenUpEscape: return nil
      case .good(let length):
        verified = length - 1
        return Int32(takeByte())
      case .unknown(let length):
        first += length
      case .broken(let length):
        first += length
        hasDropped = true
      case .alone, .unfinished:
        hasGivenUpEscape = false
        if keys.isVi { pushed.append(Self.nothing) }
        return Int32(takeByte())
      }
    }
    return nil
  }

  private static let nothing: Int32 = 0x93

  private enum Escape {
    case unfinished
    case alone
    case good(Int)
    case unknown(Int)
    /// A string of the terminal without its end.
    case broken(Int)
  }

  /// Returns the sequence that the escape at the beginning starts.
  private func sequence() -> Escape {
    let rest = bytes[first...]
    guard let kind = rest.dropFirst().first else { return .unfinished }
    if Self.stringKinds.contains(kind) { return string() }
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return .alone }
    let isLong = kind == UInt8(ascii: "[")
    guard let end = rest.dropFirst(2).firstIndex(where: { !isLong || (0x40...0x7E).contains($0) })
    else {
      return rest.count > 64 ? .alone : .unfinished
    }
    let length = end + 1 - first
    let text = String(decoding: rest.dropFirst().prefix(length - 1), as: UTF8.self)
    return Self.known.contains(text) || keys.passesUnknown ? .good(length) : .unknown(length)
  }

  /// The characters after an escape that begin a string of the terminal: DCS, SOS, OSC, PM and APC
  /// (ECMA-48, 5.6).
  private static let stringKinds = Array("PX]^_".utf8)

  /// Returns the string of the terminal at the beginning, such as an answer to a question about its
  /// colours; a control character ends one that has no end.
  private func string() -> Escape {
    let rest = bytes[(first + 2)...].prefix(1 << 20)
    guard let end = rest.firstIndex(where: { $0 < 0x20 }) else {
      return rest.count < 1 << 20 ? .unfinished : .broken(rest.count + 2)
    }
    switch bytes[end] {
    case 0x07: return .unknown(end + 1 - first)
    case Self.escape where end + 1 == bytes.count: return .unfinished
    case Self.escape where bytes[end + 1] == UInt8(ascii: "\\"): return .unknown(end + 2 - first)
    default: return .broken(end - first)
    }
  }

  private static let known: Set<String> = [
    "[200~", "[A", "OA", "[B", "OB", "[C", "OC", "[D", "OD", "[F", "OF", "[H", "OH", "[1~", "[4~",
    "[7~", "[8~", "[3~", "[1;5C", "[1;3C", "[1;5D", "[1;3D",
  ]

  private enum Decoded {
    case scalar(Int32)
    case unfinished
    /// Bytes that are no UTF-8, or a control character that no key is bound to: NUL, which Ctrl-Space
    /// sends, and U+0080 to U+009F, which stand for libedit's functions.
    case noText
  }

  /// Decodes and removes a character.
  private mutating func nextScalar() -> Decoded {
    let lead = bytes[first]
    let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    let rest = bytes[first...].prefix(length)
    let isWhole = rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    guard rest.count == length || !isWhole || lead < 0xC2 else { return .unfinished }
    var decoder = UTF8()
    var iterator = rest.makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&iterator), rest.count == length {
      first += length
      let isText = scalar != "\0" && !(0x80...0x9F).contains(scalar.value)
      return isText ? .scalar(Int32(scalar.value)) : .noText
    }
    first += 1
    return .noText
  }

  private mutating func takeByte() -> UInt8 {
    defer { first += 1 }
    return bytes[first]
  }

  // MARK: Lines that the terminal edits

  /// Removes and returns the bytes of a whole line, without its end; nil if it has not arrived yet.
  mutating func takeLine() -> [UInt8]? {
    guard let end = bytes[first...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { first = end + 1 }
    let line = bytes[first..<end]
    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }

  // MARK: Pasted text

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Removes and returns the bytes up to the mark that ends pasted text; nil if it has not arrived
  /// yet.
  mutating func takePasted() -> [UInt8]? {
    var index = first
    while let found = bytes[index...].firstIndex(of: Self.escape) {
      if bytes[found...].starts(with: Self.pasteEnd) {
        defer { first = found + Self.pasteEnd.count }
        return Array(bytes[first..<found])
      }
      index = found + 1
    }
    return nil
  }

  /// Removes and returns all bytes.
  mutating func takeAll() -> [UInt8] {
    defer { first = bytes.count }
    return Array(bytes[first...])
  }
}

extension KeyInput {
  private init(keys: Keys) {
    self.keys = keys
  }
}
