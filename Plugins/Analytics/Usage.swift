import JSONText

/// The usage of streams: events, commands by frontend, times, and failures.
///
/// It contains names and numbers alone.
struct Usage: Sendable, Equatable, Codable {
  /// The number of deliveries of each event, by its name.
  var events: [String: Int] = [:]
  /// The number of uses of each command, by its verb and by the name of its frontend.
  var commands: [String: [String: Int]] = [:]
  /// The times of the commands, by verb.
  var times: [String: Histogram] = [:]
  /// The number of failures of commands, by their kind.
  var failures: [String: Int] = [:]

  /// Whether it is empty.
  var isEmpty: Bool { events.isEmpty }

  mutating func add(_ other: Usage) {
    events.merge(other.events, uniquingKeysWith: +)
    commands.merge(other.commands) { $0.merging($1, uniquingKeysWith: +) }
    times.merge(other.times) { first, second in
      var sum = first
      sum.add(second)
      return sum
    }
    failures.merge(other.failures, uniquingKeysWith: +)
  }

  // MARK: JSON

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.key("events")
      events.write(to: &json)
      json.key("commands")
      json.object { json in
        for (verb, origins) in commands.sorted(by: { $0.key < $1.key }) {
          json.key(JSONName(verb))
          origins.write(to: &json)
        }
      }
      json.key("times")
      json.object { json in
        for (verb, histogram) in times.sorted(by: { $0.key < $1.key }) {
          json.key(JSONName(verb))
          histogram.write(to: &json)
        }
      }
      json.key("failures")
      failures.write(to: &json)
    }
  }

  init() {}

  /// Reads what ``write(to:)`` writes; nil for any other JSON.
  init?(_ json: JSON) {
    guard let events = [String: Int](json["events"]),
      let failures = [String: Int](json["failures"]),
      case .object(let commands)? = json["commands"], case .object(let times)? = json["times"]
    else { return nil }
    self.events = events
    self.failures = failures
    for member in commands {
      guard let origins = [String: Int](member.value) else { return nil }
      self.commands[member.name] = origins
    }
    for member in times {
      guard let histogram = Histogram(member.value) else { return nil }
      self.times[member.name] = histogram
    }
  }
}

extension [String: Int] {
  /// Writes an object, sorted by name.
  func write(to json: inout JSONWriter) {
    json.object { json in
      for (name, count) in sorted(by: { $0.key < $1.key }) { json.member(JSONName(name), count) }
    }
  }

  /// Reads an object of counts.
  init?(_ json: JSON?) {
    guard case .object(let members)? = json else { return nil }
    self.init()
    for member in members {
      guard case .integer(let count) = member.value, (0..<(1 << 40)).contains(count) else {
        return nil
      }
      self[member.name] = Int(count)
    }
  }
}
