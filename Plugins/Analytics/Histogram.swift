import JSONText

/// A histogram of durations, in classes each of which is an eighth of its octave wide, so that a
/// percentile is accurate to an eighth in any range.
struct Histogram: Sendable, Equatable, Codable {
  /// The counts by class, up to the highest used one.
  ///
  /// A class is the octave of the nanoseconds times 8, and the three bits after the first.
  private var counts: [Int] = []
  /// How many classes there are.
  private static let mostClasses = 512

  /// The number of durations.
  var count: Int { counts.reduce(0, +) }

  mutating func add(nanoseconds: UInt64) {
    add(1, to: Self.bucket(of: max(8, nanoseconds)))
  }

  mutating func add(_ other: Histogram) {
    for (bucket, count) in other.counts.enumerated() where count > 0 { add(count, to: bucket) }
  }

  private mutating func add(_ count: Int, to bucket: Int) {
    while counts.count <= bucket { counts.append(0) }
    counts[bucket] += count
  }

  /// Returns the percentile in milliseconds; 0 if nothing was timed.
  func percentile(_ share: Double) -> Double {
    let wanted = Int((Double(count) * share).rounded(.up))
    var sum = 0
    for (bucket, count) in counts.enumerated() where count > 0 {
      sum += count
      if sum >= wanted { return Self.upperBound(of: bucket) / 1e6 }
    }
    return 0
  }

  private static func bucket(of value: UInt64) -> Int {
    let octave = 63 - value.leadingZeroBitCount
    return octave * 8 + Int(value >> (octave - 3) & 7)
  }

  /// Returns the upper bound in nanoseconds.
  private static func upperBound(of bucket: Int) -> Double {
    let (octave, part) = bucket.quotientAndRemainder(dividingBy: 8)
    var power = 1.0
    for _ in 0..<octave { power *= 2 }
    return power * (1 + Double(part + 1) / 8)
  }

  // MARK: JSON

  /// Writes `{"191":12}`: the count of each class.
  func write(to json: inout JSONWriter) {
    json.object { json in
      for (bucket, count) in counts.enumerated() where count > 0 {
        json.member(JSONName("\(bucket)"), count)
      }
    }
  }

  init() {}

  init?(_ json: JSON?) {
    guard case .object(let members)? = json else { return nil }
    for member in members {
      guard let bucket = Int(member.name), (24..<Self.mostClasses).contains(bucket),
        case .integer(let count) = member.value, let count = Int(exactly: count), count > 0,
        count < 1 << 40
      else { return nil }
      add(count, to: bucket)
    }
  }
}
