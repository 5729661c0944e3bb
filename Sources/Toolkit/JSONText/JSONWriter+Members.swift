extension JSONWriter {
  /// Writes a name and a string, or `null` for nil.
  public mutating func member(_ name: JSONName, _ value: String?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }

  /// Writes a name and an integer, or `null` for nil.
  public mutating func member(_ name: JSONName, _ value: Int?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }

  /// Writes a name and an integer, or `null` for nil.
  public mutating func member(_ name: JSONName, _ value: Int64?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }

  /// Writes a name and a boolean, or `null` for nil.
  public mutating func member(_ name: JSONName, _ value: Bool?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }

  /// Writes a name and a real, or `null` for nil, an infinity or NaN.
  public mutating func member(_ name: JSONName, _ value: Double?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }

  /// Writes a name and a whole value, or `null` for nil.
  ///
  /// To write `null` itself, pass `.null`; the literal `nil` alone would fit every overload.
  public mutating func member(_ name: JSONName, _ value: JSON?) {
    key(name)
    guard let value else { return null() }
    self.value(value)
  }
}
