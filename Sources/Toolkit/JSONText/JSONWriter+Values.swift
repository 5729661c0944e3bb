extension JSONWriter {
  /// Writes `null`.
  public mutating func null() {
    beginValue()
    append("null")
  }

  /// Writes a string, escaping what RFC 8259 §7 requires and the characters that a terminal
  /// interprets or that mislead its reader: DEL, the controls C1, the characters that change the
  /// direction of text (U+061C, U+200E, U+200F, U+202A–202E, U+2066–2069), U+2028 and U+2029.
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
    let magnitude = value.magnitude
    var unit: UInt64 = 1
    while magnitude / unit >= 10 { unit *= 10 }
    while unit > 0 {
      bytes.append(ASCII.zero + UInt8(magnitude / unit % 10))
      unit /= 10
    }
  }

  /// Writes `true` or `false`.
  public mutating func value(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
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
      key(JSONName(member.name))
      value(member.value)
    }
  }
}
