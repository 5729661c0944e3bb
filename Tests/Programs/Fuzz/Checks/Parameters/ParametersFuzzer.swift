import EventCommands
import JSONText
import SQLiteEngine

/// Any bytes as the JSON parameters of every command.
func checkParameters(_ bytes: [UInt8]) {
  do throws(JSONError) {
    let json = try JSON(parsing: bytes)
    checkRoundTrip(json)
    let session = Session(MemoryDatabase(), World.of(bytes))
    session.add(.examples)
    for command in Session.catalogue.commands { check(command, json, session) }
  } catch {
    check(error, in: bytes)
  }
}

// MARK: - JSON

/// What is written reads back as the same value.
private func checkRoundTrip(_ json: JSON) {
  let text = json.description
  do {
    let again = try JSON(parsing: text)
    require(again == json && again.description == text, "\(quoted(text)) reads back differently")
  } catch {
    fatalError("\(quoted(text)) is written, and refused: \(error)")
  }
}

/// A fault is inside the document, and its line and column say the same as its offset.
private func check(_ error: JSONError, in bytes: [UInt8]) {
  require((0...bytes.count).contains(error.offset), "the offset \(error.offset) is outside")
  let lines = bytes[..<error.offset].split(separator: 0x0A, omittingEmptySubsequences: false)
  require(error.line == lines.count, "the line is \(error.line), not \(lines.count)")
  let before = String(decoding: lines[lines.count - 1], as: UTF8.self).unicodeScalars.count
  require(error.column == before + 1, "the column is \(error.column), not \(before + 1)")
  requireSafe(error.description, "a fault")
}

// MARK: - Commands

/// Reads the parameters of a command, and carries it out if they can be read.
private func check<C: Command>(_ type: C.Type, _ json: JSON, _ session: Session) {
  do {
    let command = try C.read(parameters: json)
    _ = session.answer(command)
  } catch {
    require(!error.message.isEmpty, "\(C.verb) says nothing")
    guard let path = error.path else { fatalError("\(error.message): no path") }
    require(leads(path, into: json), "\(quoted(path)) leads out of \(quoted(json.description))")
  }
}

/// Whether a JSON pointer (RFC 6901) names a part of a value, or a parameter that it should have.
private func leads(_ path: String, into json: JSON) -> Bool {
  guard !path.isEmpty else { return true }
  // Byte by byte: a name may begin with a mark that joins the slash before it.
  guard path.utf8.first == 0x2F else { return false }
  var place = json
  let tokens = path.utf8.dropFirst().split(separator: 0x2F, omittingEmptySubsequences: false)
  for token in tokens {
    guard let next = part(unescaped(token), of: place) else {
      return tokens.count == 1 && token.allSatisfy { (0x41...0x7A).contains($0) }
    }
    place = next
  }
  return true
}

private func part(_ token: String, of json: JSON) -> JSON? {
  guard case .array(let items) = json else { return json[token] }
  guard let index = Int(token), items.indices.contains(index) else { return nil }
  return items[index]
}

private func unescaped(_ token: Substring.UTF8View) -> String {
  var bytes: [UInt8] = []
  var isEscape = false
  for byte in token {
    switch (isEscape, byte) {
    case (false, 0x7E): isEscape = true
    case (true, 0x30): bytes.append(0x7E)
    case (true, 0x31): bytes.append(0x2F)
    default: bytes.append(byte)
    }
    if byte != 0x7E { isEscape = false }
  }
  return String(decoding: bytes, as: UTF8.self)
}
