extension JSONWriter {
  /// Writes `null`.
  public mutating func null() {
    beginValue()
    bytes += "null".utf8
  }

  /// Writes a string, escaping what RFC 8259 §7 requires, and what a terminal would obey or its
  /// reader be misled by: DEL, the controls C1, the characters that turn the direction of text
  /// (U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069), U+2028 and U+2029.
  ///
  /// All other characters are written as they are. U+0000 becomes an escape that the RFC allows and
  /// the parser of this library refuses.
  public mutating func value(_ value: String) {
    beginValue()
    appendText(value)
  }

  /// Writes an integer.
  public mutating func value(_ value: Int) {
    self.value(Int64(value))
  }

  /// Writes an integer.
  public mutating func value(_ value: Int64) {
    beginValue()
    if value < 0 { bytes.append(ASCII.minus) }
    let start = bytes.count
    var magnitude = value.magnitude
    repeat {
      bytes.append(ASCII.zero + UInt8(magnitude % 10))
      magnitude /= 10
    } while magnitude > 0
    bytes[start...].reverse()
  }

  /// Writes `true` or `false`.
  public mutating func value(_ value: Bool) {
    beginValue()
    bytes += (value ? "true" : "false").utf8
  }

  /// Writes a real as the shortest text that reads back as the same `Double`.
  ///
  /// It always has a fraction or an exponent, so it reads back as a real. Infinities and NaN have
  /// no JSON text (RFC 8259 §6) and are written as `null`.
  public mutating func value(_ value: Double) {
    guard value.isFinite else { return null() }
    beginValue()
    bytes += value.description.utf8
  }

  /// Writes a whole value, its members in their order.
  ///
  /// It recurses once for each level of nesting.
  public mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let bool): self.value(bool)
    case .integer(let integer): self.value(integer)
    case .real(let real): self.value(real)
    case .string(let string): self.value(string)
    case .array(let elements): array { $0.elements(elements) }
    case .object(let members): object { $0.members(members) }
    }
  }

  private mutating func elements(_ elements: [JSON]) {
    for element in elements {
      value(element)
    }
  }

  private mutating func members(_ members: [JSON.Member]) {
    for member in members {
      key(member.name)
      value(member.value)
    }
  }
}
