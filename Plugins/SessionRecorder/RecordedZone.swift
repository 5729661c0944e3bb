import EventCommands
import EventMVVM
import EventValues
import JSONText

/// A time zone as data, independent of another machine's tables: the offset from UTC, and
/// its times of change.
struct RecordedZone {
  /// Its name.
  let name: String
  /// The seconds ahead of UTC, from a time on; the first one also applies to all time before.
  private let changes: [(from: Int64, seconds: Int)]

  private static let week: Int64 = 7 * 86_400
  /// The years 1830 to 2130: before them the offset is that of their beginning.
  private static let seconds: (first: Int64, last: Int64) = (-4_417_977_600, 5_049_129_600)
  /// The 28 years from 2101 on, in which each of the 14 calendars occurs: after them a zone's rule,
  /// which is the same for every year by then, has the effect of the year among these with the same
  /// calendar.
  private static let cycle = 2101...2128

  /// Finds a zone's changes from its rule, to the second.
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

  /// Reads the form of ``json``; nil for any other JSON.
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
      let second = Self.known(
        instant.milliseconds / 1000 - (instant.milliseconds % 1000 < 0 ? 1 : 0)
      )
      var (low, high) = (0, changes.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if changes[middle].from <= second { low = middle } else { high = middle }
      }
      return changes[low].seconds
    }
  }

  /// Returns the second itself, or beyond the known years the same one of a year with the same
  /// calendar.
  private static func known(_ second: Int64) -> Int64 {
    let days = Int(second / 86_400)
    let year = CivilDay(daysSinceEpoch: days).year
    guard year > cycle.upperBound, let first = calendar(of: year) else { return second }
    for other in cycle {
      guard let same = calendar(of: other), same.weekday == first.weekday,
        same.length == first.length
      else { continue }
      return second - Int64(first.start - same.start) * 86_400
    }
    return second
  }

  /// Returns the start of a year, its day of the week, and its length.
  private static func calendar(of year: Int) -> (start: Int, weekday: Weekday, length: Int)? {
    guard let first = CivilDay(year: year, month: 1, day: 1),
      let last = CivilDay(year: year, month: 12, day: 31)
    else { return nil }
    return (
      first.daysSinceEpoch, first.weekday, last.daysSinceEpoch - first.daysSinceEpoch
    )
  }
}
