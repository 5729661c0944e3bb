/// What a request wants done to one property: absent is not empty.
///
/// It asks nothing of its values: to make the type of a change whose values have to be equatable, a
/// process would search all its conformances for each of them.
public enum Change<Value: Sendable>: Sendable {
  /// Leave it as it is.
  case keep
  /// Empty it.
  case clear
  /// Give it this value.
  case set(Value)

  /// Whether anything is to change.
  public var isChange: Bool { if case .keep = self { false } else { true } }

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

extension Change: Equatable where Value: Equatable {}
