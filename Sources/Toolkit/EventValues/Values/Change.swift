/// The change of one property that a request asks for: absent is not empty.
///
/// It has no requirement on its values: for a change of equatable values a process would search all
/// its conformances, for each such type.
public enum Change<Value: Sendable>: Sendable {
  /// Leaves it unchanged.
  case keep
  /// Empties it.
  case clear
  /// Sets it to this value.
  case set(Value)

  /// Whether it changes the property.
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
