// The coding of the toolkit's values in recordings: each as its text or its number.

public import EventMVVM

extension Instant: Codable {
  /// Writes the milliseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  /// Reads the milliseconds.
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }
}

/// A value that is written as its text.
package protocol TextCodable: Codable {
  /// The text.
  var codedText: String { get }
  /// Reads the text; nil if it is invalid.
  init?(codedText: String)
}

extension TextCodable {
  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(codedText)
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(codedText: text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is none")
    }
    self = value
  }
}

extension UniqueID: TextCodable {
  package var codedText: String { text }
  package init?(codedText: String) { self.init(codedText) }
}

extension Root: TextCodable {
  package var codedText: String { description }
  package init?(codedText: String) { self.init(codedText) }
}

extension CivilTime: TextCodable {
  package var codedText: String { text }
  package init?(codedText: String) { self.init(codedText) }
}

extension CivilDay: TextCodable {
  package var codedText: String { text }
  package init?(codedText: String) {
    guard let time = CivilTime(codedText), time.day.text == codedText else { return nil }
    self = time.day
  }
}

extension Origin: Codable {
  /// Writes its number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(index)
  }

  /// Reads a number.
  public init(from decoder: any Decoder) throws {
    self.init(index: try decoder.singleValueContainer().decode(UInt32.self))
  }
}

extension Change: Codable where Value: Codable {
  private enum Key: String, CodingKey {
    case set
  }

  /// Writes `"keep"`, `"clear"`, or the value as a member.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .set(let value):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(value, forKey: .set)
    case .keep, .clear:
      var container = encoder.singleValueContainer()
      try container.encode(isChange ? "clear" : "keep")
    }
  }

  /// Reads what ``encode(to:)`` writes.
  public init(from decoder: any Decoder) throws {
    if let word = try? decoder.singleValueContainer().decode(String.self) {
      self = word == "clear" ? .clear : .keep
    } else {
      self = .set(
        try decoder.container(keyedBy: Key.self).decode(Value.self, forKey: .set)
      )
    }
  }
}
