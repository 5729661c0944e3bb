extension JSON: CustomStringConvertible {
  /// The compact JSON text of the value, as `JSONWriter` writes it.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
