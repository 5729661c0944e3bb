import JSONText

/// Demands that a text is one JSON value by the strict parser, and fit for any terminal.
func requireJSON(_ text: String, _ what: String) {
  requireSafe(text, what)
  do {
    _ = try JSON(parsing: withoutNUL(text))
  } catch {
    fatalError("\(what) is no JSON, \(error): \(quoted(text))")
  }
}

/// The text with something else for each escaped NUL: a damaged row may have one, and only our own
/// parser refuses it.
///
/// By bytes, and one escape after the other: what follows an escaped backslash is none.
private func withoutNUL(_ text: String) -> String {
  let escape = Array(#"\u0000"#.utf8)
  var rest = Array(text.utf8)[...]
  var result: [UInt8] = []
  while let byte = rest.first {
    if rest.starts(with: escape) {
      result.append(UInt8(ascii: "?"))
      rest = rest.dropFirst(escape.count)
    } else {
      let length = byte == UInt8(ascii: "\\") ? 2 : 1
      result += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
  }
  return String(decoding: result, as: UTF8.self)
}
