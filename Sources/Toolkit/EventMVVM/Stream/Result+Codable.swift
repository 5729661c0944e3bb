// The coding of what responses carry, for recordings.

extension Result where Success: Encodable, Failure: Encodable {
  /// Writes the success or the failure, by name.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ResultKey.self)
    switch self {
    case .success(let value): try container.encode(value, forKey: .success)
    case .failure(let problem): try container.encode(problem, forKey: .failure)
    }
  }
}

extension Result where Success: Decodable, Failure: Decodable {
  /// Reads what ``encode(to:)`` writes.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ResultKey.self)
    if container.contains(.success) {
      self = .success(try container.decode(Success.self, forKey: .success))
    } else {
      self = .failure(try container.decode(Failure.self, forKey: .failure))
    }
  }
}

/// The names of the two outcomes.
package enum ResultKey: String, CodingKey {
  case success, failure
}

extension Response where Value: Encodable, Problem: Encodable {
  /// Writes its result.
  public func _record(to encoder: any Encoder) throws -> Bool {
    try result.encode(to: encoder)
    return true
  }
}

extension Response where Value: Decodable, Problem: Decodable {
  /// Reads a result.
  public init(from decoder: any Decoder) throws {
    self.init(try Result(from: decoder))
  }
}
