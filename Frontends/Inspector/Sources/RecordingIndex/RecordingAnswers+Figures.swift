import Foundation
import JSONText

/// How often and how fast.
extension RecordingAnswers {
  /// The most intervals of the rate.
  private static let mostIntervals = 200
  /// How many slow requests are listed.
  private static let mostSlow = 20

  /// Counts the events that fit a filter over time, and times the requests among them until their reply.
  ///
  /// A percentile is the smallest time that so many requests did not exceed (the nearest rank).
  public func figures(_ filter: String, all: Bool) throws(Refusal) -> [UInt8] {
    let (result, contents) = try selection(filter, all: all)
      .result(wanted: .max, waiting: Self.patience)
    let first = contents.events.first?.time ?? 0
    let last = max(first, contents.events.last?.time ?? 0)
    let interval = max(1, (last - first) / Int64(Self.mostIntervals) + 1)
    var rate = [Int](repeating: 0, count: Int((last - first) / interval) + 1)
    var requests: [UInt16: [Int64]] = [:]
    var failures: [UInt16: Int] = [:]
    var slow: [(latency: Int64, position: Int)] = []
    var isWanted = [Bool](repeating: false, count: contents.count)
    for index in 0..<result.count {
      let position = result.position(index)
      let time = min(max(contents.events[position].time, first), last)
      rate[Int((time - first) / interval)] += 1
      isWanted[position] = true
    }
    for position in contents.events.indices {
      let event = contents.events[position]
      guard event.request != EventEntry.none, isWanted[Int(event.request)] else { continue }
      let request = contents.events[Int(event.request)]
      let latency = max(0, event.time - request.time)
      requests[request.type, default: []].append(latency)
      if event.isFailed { failures[request.type, default: 0] += 1 }
      slow.append((latency, Int(event.request)))
      if slow.count > 4096 { slow.keepLargest(Self.mostSlow) }
    }
    slow.keepLargest(Self.mostSlow)
    return Self.object { json in
      json.member("start", first)
      json.member("end", last)
      json.member("interval", interval)
      json.member("done", result.tested == contents.count)
      json.key("rate")
      json.array { json in
        for (place, count) in rate.enumerated() {
          json.object { json in
            json.member("time", first + Int64(place) * interval)
            json.member("count", count)
          }
        }
      }
      json.key("requests")
      json.array { json in
        // The commonest first, and of one number those that came first.
        for (type, latencies) in requests.sorted(by: {
          ($1.value.count, $0.key) < ($0.value.count, $1.key)
        }) {
          let sorted = latencies.sorted()
          json.object { json in
            json.member("type", contents.types[Int(type)].name)
            json.member("count", sorted.count)
            json.member("failed", failures[type] ?? 0)
            json.member("p50", sorted.percentile(50))
            json.member("p90", sorted.percentile(90))
            json.member("p99", sorted.percentile(99))
            json.member("max", sorted.last)
          }
        }
      }
      json.key("slowest")
      json.array { json in
        for (latency, position) in slow {
          let event = contents.events[position]
          json.object { json in
            json.member("seq", Int64(clamping: event.sequence))
            json.member("type", contents.types[Int(event.type)].name)
            json.member("latency", latency)
          }
        }
      }
    }
  }

  /// Writes the events of some roots as spans, in the JSON form of OpenTelemetry's protocol (OTLP 1.0).
  ///
  /// A trace is a root; a span lasts from its event to the last one that it caused.
  public func spans(ofRoots names: [String]) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    var roots: [[Int]] = []
    for name in names { roots.append(try positions(ofRoot: name, contents)) }
    func hex(_ number: UInt64) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }
    func attribute(_ key: String, _ value: String) -> JSON {
      ["key": .string(key), "value": ["stringValue": .string(value)]]
    }
    let session = UInt64(contents.header.session, radix: 16) ?? 0
    let trees = roots.map { positions in
      var ends: [Int: Int64] = [:]
      for position in positions.reversed() {
        let event = contents.events[position]
        let end = max(ends[position] ?? event.time, event.time)
        ends[position] = end
        if event.cause != EventEntry.none {
          ends[Int(event.cause)] = max(ends[Int(event.cause)] ?? end, end)
        }
      }
      return (positions, ends)
    }
    let spans = trees.flatMap { positions, ends in
      positions.map { position -> JSON in
        let event = contents.events[position]
        let parts = contents.name(of: event.root).split(separator: "-")
        let own = event.root.externalIndex == nil
        let traceSession =
          own ? session : parts.first.flatMap { UInt64($0, radix: 16) } ?? session
        let number = own ? event.root.rawValue : parts.last.flatMap { UInt64($0) } ?? 0
        var span: [JSON.Member] = [
          .init("traceId", .string(hex(traceSession) + hex(number))),
          .init("spanId", .string(hex(event.sequence))),
        ]
        if event.cause != EventEntry.none {
          let cause = contents.events[Int(event.cause)].sequence
          span.append(.init("parentSpanId", .string(hex(cause))))
        }
        span += [
          .init("name", .string(contents.types[Int(event.type)].name)),
          .init("kind", 1),
          .init("startTimeUnixNano", .string("\(event.time)000000")),
          .init("endTimeUnixNano", .string("\(ends[position] ?? event.time)000000")),
          .init(
            "attributes",
            [
              attribute("event.origin", contents.origins[Int(event.origin)].name),
              attribute("event.seq", String(event.sequence)),
            ]
          ),
          .init("status", event.isFailed ? ["code": 2] : [:]),
        ]
        return .object(span)
      }
    }
    let program = contents.header.program.split(separator: " ").first.map(String.init) ?? ""
    return Self.object { json in
      json.member(
        "resourceSpans",
        [
          [
            "resource": ["attributes": [attribute("service.name", program)]],
            "scopeSpans": [["scope": ["name": "EventMVVM"], "spans": .array(spans)]],
          ]
        ]
      )
    }
  }
}

extension [Int64] {
  /// The nearest rank of a percentile among sorted values.
  fileprivate func percentile(_ percent: Int) -> Int64? {
    isEmpty ? nil : self[Swift.max(0, (count * percent + 99) / 100 - 1)]
  }
}

extension [(latency: Int64, position: Int)] {
  fileprivate mutating func keepLargest(_ count: Int) {
    sort { $0.latency == $1.latency ? $0.position < $1.position : $0.latency > $1.latency }
    removeLast(Swift.max(0, self.count - count))
  }
}
