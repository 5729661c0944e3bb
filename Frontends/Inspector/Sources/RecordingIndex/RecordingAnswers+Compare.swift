import Foundation
import JSONText

/// Two roots, or two recordings, side by side.
extension RecordingAnswers {
  /// How many events of a root are matched by their types; beyond, by their order.
  private static let mostMatched = 2000

  /// Compares two roots: events of one type that come in one order belong together.
  ///
  /// - Parameters:
  ///   - left: A root of this recording.
  ///   - right: A root of the other one.
  ///   - other: The other recording; this one unless given.
  /// - Returns: Pairs of events, each with its differences.
  /// - Throws: That there is no such root.
  public func compare(
    root left: String,
    with right: String,
    of other: RecordingAnswers?
  ) throws(Refusal) -> [UInt8] {
    let other = other ?? self
    let (contents, others) = (index.contents, other.index.contents)
    let positions = try positions(ofRoot: left, contents)
    let otherPositions = try other.positions(ofRoot: right, others)
    let pairs = Self.pairs(
      positions.map { contents.types[Int(contents.events[$0].type)].name },
      otherPositions.map { others.types[Int(others.events[$0].type)].name }
    )
    return Self.object { json in
      Self.side("a", left, positions.first, contents, &json)
      Self.side("b", right, otherPositions.first, others, &json)
      json.member("total", pairs.count)
      compared(
        pairs.map { ($0.map { positions[$0] }, $1.map { otherPositions[$0] }) },
        contents,
        other,
        others,
        &json
      )
    }
  }

  /// Compares two recordings, event by event.
  public func compare(
    with other: RecordingAnswers,
    from first: Int,
    limit: Int
  ) -> [UInt8] {
    let (contents, others) = (index.contents, other.index.contents)
    let total = max(contents.count, others.count)
    let range = min(first, total)..<min(total, first + limit)
    return Self.object { json in
      Self.side("a", nil, contents.events.indices.first, contents, &json)
      Self.side("b", nil, others.events.indices.first, others, &json)
      json.member("total", total)
      json.member("from", first)
      json.member("firstDifference", kept(contents, other, others))
      compared(
        range.map { ($0 < contents.count ? $0 : nil, $0 < others.count ? $0 : nil) },
        contents,
        other,
        others,
        &json
      )
    }
  }

  /// Writes what is compared, a root or all, and when it begins.
  private static func side(
    _ key: JSONName,
    _ root: String?,
    _ first: Int?,
    _ contents: RecordingContents,
    _ json: inout JSONWriter
  ) {
    json.key(key)
    json.object { json in
      json.member("root", root)
      json.member("start", first.map { contents.events[$0].time })
    }
  }

  /// The first difference, which is looked for again only where a recording has grown.
  private func kept(
    _ contents: RecordingContents,
    _ other: RecordingAnswers,
    _ others: RecordingContents
  ) -> Int? {
    let counts = (contents.count, others.count)
    if let known = comparison.withLock({ $0 }), known.counts == counts { return known.place }
    let place = firstDifference(contents, other, others)
    comparison.withLock { $0 = (counts, place) }
    return place
  }

  private func firstDifference(
    _ contents: RecordingContents,
    _ other: RecordingAnswers,
    _ others: RecordingContents
  ) -> Int? {
    var (window, otherWindow) = (LineWindow(index.file), LineWindow(other.index.file))
    let common = min(contents.count, others.count)
    for position in 0..<common {
      let isSame = differences(position, contents, &window, other, position, others, &otherWindow)
        .isEmpty
      if !isSame { return position }
    }
    return contents.count == others.count ? nil : common
  }

  private func compared(
    _ pairs: [(Int?, Int?)],
    _ contents: RecordingContents,
    _ other: RecordingAnswers,
    _ others: RecordingContents,
    _ json: inout JSONWriter
  ) {
    var (window, otherWindow) = (LineWindow(index.file), LineWindow(other.index.file))
    json.key("rows")
    json.array { json in
      for (left, right) in pairs {
        json.object { json in
          json.key("a")
          if let left {
            json.object { row(left, left, contents, &window, &$0) }
          } else {
            json.null()
          }
          json.key("b")
          if let right {
            json.object { other.row(right, right, others, &otherWindow, &$0) }
          } else {
            json.null()
          }
          var found: [String] = []
          if let left, let right {
            found = differences(left, contents, &window, other, right, others, &otherWindow)
          }
          json.member("isSame", left != nil && right != nil && found.isEmpty)
          json.member("differences", JSON.array(found.prefix(20).map { .string($0) }))
        }
      }
    }
  }

  private func differences(
    _ left: Int,
    _ contents: RecordingContents,
    _ window: inout LineWindow,
    _ other: RecordingAnswers,
    _ right: Int,
    _ others: RecordingContents,
    _ otherWindow: inout LineWindow
  ) -> [String] {
    let (type, otherType) = (
      contents.types[Int(contents.events[left].type)].name,
      others.types[Int(others.events[right].type)].name
    )
    guard type == otherType else { return ["type: \(type) | \(otherType)"] }
    let bytes = bodyBytes(at: left, contents, &window)
    if bytes == other.bodyBytes(at: right, others, &otherWindow) { return [] }
    let body = body(at: left, contents, &window) ?? .null
    return body.differences(from: other.body(at: right, others, &otherWindow) ?? .null)
  }

  /// Returns which of two lists belong together, in order.
  private static func pairs(_ left: [String], _ right: [String]) -> [(Int?, Int?)] {
    guard left.count <= mostMatched, right.count <= mostMatched else {
      return (0..<max(left.count, right.count))
        .map { ($0 < left.count ? $0 : nil, $0 < right.count ? $0 : nil) }
    }
    let difference = right.difference(from: left)
    let removed = Set(
      difference.removals.map { if case .remove(let offset, _, _) = $0 { offset } else { -1 } }
    )
    let inserted = Set(
      difference.insertions.map { if case .insert(let offset, _, _) = $0 { offset } else { -1 } }
    )
    var pairs: [(Int?, Int?)] = []
    var (first, second) = (0, 0)
    while first < left.count || second < right.count {
      if first < left.count, removed.contains(first) {
        pairs.append((first, nil))
        first += 1
      } else if second < right.count, inserted.contains(second) {
        pairs.append((nil, second))
        second += 1
      } else {
        pairs.append((first < left.count ? first : nil, second < right.count ? second : nil))
        (first, second) = (first + 1, second + 1)
      }
    }
    return pairs
  }
}
