import EventMVVM
import JSONText

/// A time zone as data, so that another machine's tables don't matter: what is added to UTC, and from when.
struct RecordedZone {
  /// Its name.
  let name: String
  /// From when the clock was how many seconds ahead; the first holds for all time before, too.
  private let changes: [(from: Int64, seconds: Int)]

  private static let week: Int64 = 7 * 86_400
  /// The years 1900 to 2100: before and after them the clock stays as it is at their ends.
  private static let seconds: (first: Int64, last: Int64) = (-2_208_988_800, 4_102_444_800)

  /// Reads a zone's changes off its rule, to the second.
  init(_ zone: ZoneRule) {
    name = zone.name
    func offset(_ second: Int64) -> Int {
      zone.offsetSeconds(at: Instant(milliseconds: second * 1000))
    }
    var second = Self.seconds.first
    var changes = [(from: second, seconds: offset(second))]
    while second < Self.seconds.last {
      let (known, next) = (changes[changes.count - 1].seconds, second + Self.week)
      if offset(next) != known {
        var (before, after) = (second, next)
        while after - before > 1 {
          let middle = (before + after) / 2
          if offset(middle) == known { before = middle } else { after = middle }
        }
        changes.append((after, offset(after)))
      }
      second = next
    }
    self.changes = changes
  }

  /// Reads what ``json`` gives; nil if it is something else.
  init?(_ json: JSON?) {
    guard case .string(let name)? = json?["name"], case .array(let pairs)? = json?["changes"] else {
      return nil
    }
    var changes: [(from: Int64, seconds: Int)] = []
    for pair in pairs {
      guard case .array(let numbers) = pair, numbers.count == 2,
        case .integer(let from) = numbers[0], case .integer(let seconds) = numbers[1],
        from > changes.last?.from ?? .min
      else { return nil }
      changes.append((from, Int(clamping: seconds)))
    }
    guard !changes.isEmpty else { return nil }
    self.name = name
    self.changes = changes
  }

  var json: JSON {
    .object([
      JSON.Member("name", .string(name)),
      JSON.Member(
        "changes",
        .array(changes.map { .array([.integer($0.from), .integer(Int64($0.seconds))]) })
      ),
    ])
  }

  /// The zone.
  var rule: ZoneRule {
    ZoneRule(name: name) { [changes] instant in
      let second = instant.milliseconds / 1000 - (instant.milliseconds % 1000 < 0 ? 1 : 0)
      var (low, high) = (0, changes.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if changes[middle].from <= second { low = middle } else { high = middle }
      }
      return changes[low].seconds
    }
  }
}
