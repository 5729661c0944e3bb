/// What an input decides, byte by byte; all zeros once it has come to its end.
struct Choices {
  private var rest: ArraySlice<UInt8>

  /// Decides by these bytes.
  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next byte.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// One of these.
  mutating func one<T>(of values: [T]) -> T { values[Int(byte()) % values.count] }

  /// A number of eight bytes.
  mutating func int64() -> Int64 {
    (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
  }

  /// Up to 255 bytes, after one that says how many.
  mutating func bytes() -> [UInt8] {
    let taken = rest.prefix(Int(byte()))
    rest = rest.dropFirst(taken.count)
    return Array(taken)
  }
}
