import JSONText

/// Demands that a text is one JSON value by the strict parser, and fit for any terminal.
///
/// A NUL, which a damaged row may have, is written as an escape that only this parser refuses.
package func requireJSON(_ text: String, _ what: String) {
  requireSafe(text, what)
  do {
    _ = try JSON(parsing: text.replacing(#"\u0000"#, with: "?"))
  } catch {
    fatalError("\(what) is no JSON, \(error): \(quoted(text))")
  }
}
