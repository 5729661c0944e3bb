/// An encoder that accepts JSON text verbatim.
public protocol JSONEmbedding {
  /// Writes the text of a whole value.
  func embed(_ json: [UInt8])
}

extension Encoder {
  /// Writes JSON text verbatim if the encoder accepts it, else as a string.
  public func embed(_ json: [UInt8]) throws {
    if let text = self as? any JSONEmbedding { return text.embed(json) }
    var container = singleValueContainer()
    try container.encode(String(decoding: json, as: UTF8.self))
  }
}

/// A decoder whose value is JSON.
public protocol JSONSource {
  /// The whole value.
  var json: JSON { get }
}

extension JSON: Codable {
  /// Encodes the value as its JSON text, in a string: decoders need not know what it contains.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a value from a text that ``encode(to:)`` has written.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try JSON(parsing: try container.decode(String.self))
    } catch let error as JSONError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }
}
