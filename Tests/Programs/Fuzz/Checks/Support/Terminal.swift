/// Demands that nothing in a text is obeyed by a terminal, or misleads who reads it.
///
/// Asks Unicode's properties, not the table that the program itself uses. Newlines are allowed.
func requireSafe(_ text: String, _ what: String) {
  for scalar in text.unicodeScalars where scalar != "\n" && isHazard(scalar) {
    fatalError(
      "\(what) has the raw character U+\(String(scalar.value, radix: 16)): \(quoted(text))"
    )
  }
}

private func isHazard(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: return true
  case .format: return scalar.properties.isBidiControl
  default: return false
  }
}

/// The text in ASCII, for a message.
func quoted(_ text: String) -> String {
  "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
}
