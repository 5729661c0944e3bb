package import JSONText

/// A decoded message.
package enum RPCMessage: Sendable {
  /// A request, or a notification if it has no id.
  case call(method: String, params: JSON, id: RPCID?)
  /// An answer to a request of this end.
  case answer
  /// An invalid message, with the id for the answer.
  case invalid(RPCError, RPCID)

  /// Decodes one message, alone or of a batch.
  ///
  /// - Parameters:
  ///   - json: The message.
  ///   - echoed: Its id, where that is not in `json` as it was written.
  package init(_ json: JSON, id echoed: RPCID? = nil) {
    guard case .object = json else {
      self = .invalid(Self.error("expected an object, found \(json.kind)"), .null)
      return
    }
    let idGiven = json["id"]
    let id = echoed ?? idGiven.flatMap { RPCID($0) }
    if let idGiven, id == nil {
      let problem = "an id is a string or a number, found \(idGiven.kind)"
      self = .invalid(Self.error(problem), .null)
      return
    }
    guard let version = json["jsonrpc"], version == .string("2.0") else {
      self = .invalid(Self.error("expected \"jsonrpc\":\"2.0\""), id ?? .null)
      return
    }
    switch json["method"] {
    case .string(let method)?: self = .call(method: method, params: json["params"] ?? .null, id: id)
    case nil where id != nil && (json["result"] != nil || json["error"] != nil): self = .answer
    case nil: self = .invalid(Self.error("a request needs a method"), id ?? .null)
    case let other?:
      let problem = "a method is a string, found \(other.kind)"
      self = .invalid(Self.error(problem), id ?? .null)
    }
  }

  private static func error(_ problem: String) -> RPCError {
    RPCError(RPCError.invalidRequest, "Invalid request: \(problem).")
  }
}

extension RPCMessage {
  /// Returns an answer with a result, which is JSON already.
  static func answer(_ id: RPCID, result: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(result.count + id.text.count + 40)
    bytes += beforeID
    bytes += id.text
    bytes += beforeResult
    bytes += result
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  // Created once, as each answer has them.
  private static let beforeID = Array(#"{"jsonrpc":"2.0","id":"#.utf8)
  private static let beforeResult = Array(#","result":"#.utf8)

  /// Returns an answer with an error.
  static func answer(_ id: RPCID, error: RPCError) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("code", error.code)
      json.member("message", error.message)
      if let data = error.data { json.member("data", data) }
    }
    var bytes = beforeID
    bytes += id.text
    bytes += #","error":"#.utf8
    bytes += json.bytes
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Returns a notification whose parameters are written by `body`.
  package static func notification(
    _ method: String,
    _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("jsonrpc", "2.0")
      json.member("method", method)
      json.key("params")
      json.object(body)
    }
    return json.bytes
  }
}

/// A client's identifier of a request, echoed in type and value: a string, a number or null.
package struct RPCID: Sendable, Hashable {
  /// The id as JSON; two are the same if they are written the same.
  ///
  /// Bytes, as a client may send any text: hashing it as a `String` would sort its combining marks.
  let text: [UInt8]

  /// Creates an id from a message's member; nil for an invalid one.
  package init?(_ json: JSON) {
    switch json {
    case .bool, .array, .object: return nil
    case .null, .integer, .real, .string:
      var writer = JSONWriter()
      writer.value(json)
      text = writer.bytes
    }
  }

  /// Creates an id from the bytes of a string, a number or null; nil for anything else.
  ///
  /// What is JSON, but beyond what is read here, stays as it was written.
  init?(written bytes: ArraySlice<UInt8>) {
    if let json = try? JSON(parsing: bytes) {
      self.init(json)
    } else if Self.isString(bytes) || Self.isNumber(bytes) {
      self.init(text: Array(bytes))
    } else {
      return nil
    }
  }

  /// Whether the bytes are a string, with any escapes (RFC 8259 §7).
  private static func isString(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""),
      String(validating: bytes, as: UTF8.self) != nil
    else { return false }
    var rest = bytes.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte >= 0x20, byte != UInt8(ascii: "\"") else { return false }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escape = rest.popFirst() else { return false }
      guard escape == UInt8(ascii: "u") else {
        guard "\"\\/bfnrt".utf8.contains(escape) else { return false }
        continue
      }
      let digits = rest.prefix(4)
      guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
      else { return false }
      rest = rest.dropFirst(4)
    }
    return bytes.last == UInt8(ascii: "\"")
  }

  /// Whether the bytes are a number of any size (RFC 8259 §6).
  private static func isNumber(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest = rest.dropFirst(count)
      return count
    }
    func take(_ signs: String) -> Bool {
      guard let first = rest.first, signs.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = take("-")
    let isZero = rest.first == UInt8(ascii: "0")
    let whole = digits()
    guard whole > 0, !isZero || whole == 1 else { return false }
    if take(".") { guard digits() > 0 else { return false } }
    if take("eE") {
      _ = take("+-")
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty
  }

  /// The id of an answer to a request without a readable id.
  package static let null = RPCID(text: Array("null".utf8))

  private init(text: [UInt8]) {
    self.text = text
  }

  package func hash(into hasher: inout Hasher) {
    // All bytes at once: byte by byte takes six times as long.
    text.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
