import EventCommands
import EventMVVM
import EventRecords
import EventValues
import JSONText

/// The statistics of a domain's history: counts and levels by day, in total and by label.
struct Statistics: Sendable, Equatable {
  /// A day of a label, or of the total.
  struct Cell: Sendable, Hashable {
    /// Days since 1970 (proleptic Gregorian).
    let day: Int
    /// The label; nil for the total.
    let label: Measure.Dimension?
  }

  /// The position to which the history was read; empty for its beginning.
  var position = ""
  /// The name of the time zone of the days.
  let zone: String
  private(set) var cells: [Cell: [Measure.Kind: Int]] = [:]

  init(zone: String) {
    self.zone = zone
  }

  mutating func add(_ measures: [Measure], in zone: ZoneRule) {
    for measure in measures {
      let day = zone.day(at: measure.time).daysSinceEpoch
      for label in [nil] + measure.dimensions.map(Optional.some) {
        let cell = Cell(day: day, label: label)
        let known = cells[cell]?[measure.kind] ?? 0
        let amount = Self.clamped(known + Self.clamped(measure.amount))
        // An undone change leaves no row, no label and no first day.
        cells[cell, default: [:]][measure.kind] = amount == 0 ? nil : amount
        if cells[cell]?.isEmpty == true { cells[cell] = nil }
      }
    }
  }

  /// The bound of amounts in both directions: larger ones are clamped.
  private static let most = 1 << 40

  private static func clamped(_ amount: Int) -> Int { max(-most, min(most, amount)) }

  /// The kinds that were measured: counts by frequency, then levels.
  var kinds: [Measure.Kind] {
    var sums: [Measure.Kind: Int] = [:]
    for (cell, amounts) in cells where cell.label == nil {
      for (kind, amount) in amounts { sums[kind, default: 0] += abs(amount) }
    }
    return
      sums.sorted {
        ($0.key.isLevel ? 1 : 0, -$0.value, $0.key.name)
          < ($1.key.isLevel ? 1 : 0, -$1.value, $1.key.name)
      }
      .map(\.key)
  }

  /// Returns the values of a dimension, in alphabetical order.
  func values(of dimension: String) -> [String] {
    Set(cells.keys.compactMap { $0.label?.name == dimension ? $0.label?.value : nil }).sorted()
  }

  /// Returns the amounts of days: counts of those days, levels at their end.
  ///
  /// - Parameters:
  ///   - kind: The kind.
  ///   - label: The label; nil for the total.
  ///   - periods: Days, in consecutive periods.
  /// - Returns: A number for each period.
  func series(
    _ kind: Measure.Kind,
    of label: Measure.Dimension? = nil,
    over periods: [Range<Int>]
  ) -> [Int] {
    let amounts = cells.compactMap { cell, amounts in
      cell.label == label ? amounts[kind].map { (cell.day, $0) } : nil
    }
    guard kind.isLevel else {
      return periods.map { period in
        amounts.reduce(0) { period.contains($1.0) ? $0 + $1.1 : $0 }
      }
    }
    return periods.map { period in
      amounts.reduce(0) { $1.0 < period.upperBound ? $0 + $1.1 : $0 }
    }
  }

  /// The first day on which anything was measured.
  var firstDay: Int? { cells.keys.map(\.day).min() }

  // MARK: JSON

  /// Writes each amount as `[day, dimension, value, kind, isLevel, amount]`.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("place", position)
      json.member("zone", zone)
      json.key("amounts")
      json.array { json in
        for (cell, amounts) in cells {
          for (kind, amount) in amounts {
            json.array { json in
              json.value(cell.day)
              json.value(cell.label?.name ?? "")
              json.value(cell.label?.value ?? "")
              json.value(kind.name)
              json.value(kind.isLevel)
              json.value(amount)
            }
          }
        }
      }
    }
  }

  /// Reads what ``write(to:)`` writes; nil for any other JSON.
  init?(_ json: JSON?) {
    guard let json, case .string(let position)? = json["place"],
      case .string(let zone)? = json["zone"],
      case .array(let rows)? = json["amounts"]
    else { return nil }
    self.position = position
    self.zone = zone
    for row in rows {
      guard case .array(let row) = row, row.count == 6, case .integer(let day) = row[0],
        case .string(let name) = row[1], case .string(let value) = row[2],
        case .string(let kind) = row[3], case .bool(let isLevel) = row[4],
        case .integer(let amount) = row[5], day.magnitude < 4_000_000,
        amount.magnitude <= Self.most
      else { return nil }
      let label = name.isEmpty ? nil : Measure.Dimension(name, value)
      let cell = Cell(day: Int(day), label: label)
      cells[cell, default: [:]][isLevel ? .level(kind) : .count(kind)] = Int(amount)
    }
  }
}
