/// What a request wants done to one property: absent is not empty.
public enum Change<Value: Sendable & Equatable>: Sendable, Equatable {
  /// Leave it as it is.
  case keep
  /// Empty it.
  case clear
  /// Give it this value.
  case set(Value)

  /// Whether anything is wanted.
  public var isChange: Bool { self != .keep }

  /// Translates the value.
  public func map<Other, E: Error>(
    _ transform: (Value) throws(E) -> Other
  ) throws(E) -> Change<Other> {
    switch self {
    case .keep: .keep
    case .clear: .clear
    case .set(let value): .set(try transform(value))
    }
  }
}
