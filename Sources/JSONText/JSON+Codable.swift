/// An encoder that takes JSON as it is.
public protocol JSONEmbedding {
  /// Writes a whole value.
  func embed(_ json: [UInt8])
}

extension Encoder {
  /// Writes JSON text as it is, where the encoder can take that; else as a string.
  public func embed(_ json: [UInt8]) throws {
    if let text = self as? any JSONEmbedding { return text.embed(json) }
    var container = singleValueContainer()
    try container.encode(String(decoding: json, as: UTF8.self))
  }
}

/// A decoder of a value that is JSON.
public protocol JSONSource {
  /// The whole value.
  var json: JSON { get }
}

extension JSON: Codable {
  /// Writes the value as its own text, in a string: its reader need not know what it holds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Reads a text that ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try JSON(parsing: try container.decode(String.self))
    } catch let error as JSONError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}
