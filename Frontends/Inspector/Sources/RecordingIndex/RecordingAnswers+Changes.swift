import Foundation
import JSONText

/// What events have changed, and what was so after an event.
extension RecordingAnswers {
  /// The most changes in one answer.
  private static let mostChanges = 500

  /// A record or a state by its identity.
  private struct Identity: Hashable {
    let subject: UInt16
    let number: Int64
  }

  /// Lists what an event and its consequences have changed, each record and state before and after.
  public func changes(of sequence: UInt64) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    let position = try position(of: sequence, contents)
    var places: [Int] = []
    for position in [position] + consequences(of: position, contents).positions {
      places += changes(at: position, contents)
      if places.count > Self.mostChanges { break }
    }
    var window = LineWindow(index.file)
    return Self.object { json in
      json.key("states")
      json.array { json in
        for place in places where contents.changes[place].form == .state {
          let change = contents.changes[place]
          json.object { json in
            json.member("name", contents.subjects[Int(change.subject)].name)
            self.sequence(of: change, contents, &json)
            json.member("before", before(place, contents, &window) ?? .null)
            json.member("after", after(change, contents, &window) ?? .null)
          }
        }
      }
      json.key("records")
      json.array { json in
        for place in places where contents.changes[place].isWrite {
          let change = contents.changes[place]
          json.object { json in
            identity(of: change, contents, &json)
            json.member("reverted", change.form == .reverted)
            self.sequence(of: change, contents, &json)
            json.member("before", before(place, contents, &window) ?? .null)
            json.member("after", after(change, contents, &window) ?? .null)
          }
        }
      }
      json.member("more", places.count > Self.mostChanges)
    }
  }

  /// Lists every event that has changed a field of a record, or of a state.
  ///
  /// - Parameters:
  ///   - subject: The kind of records, or the name of the state.
  ///   - number: The number of the record; nil for a state.
  ///   - field: The name of the field; empty for the whole value.
  ///   - limit: How many at most.
  /// - Returns: The events, each with the values before and after.
  /// - Throws: That nothing of that name was changed.
  public func history(
    of subject: String,
    _ number: Int64?,
    field: String,
    limit: Int
  ) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    let isState = number == nil
    let known = contents.subjects.firstIndex { $0.name == subject && $0.isState == isState }
    guard let known else {
      throw Refusal("there is no \(isState ? "state" : "kind of records") '\(subject)'")
    }
    var window = LineWindow(index.file)
    var count = 0
    return Self.object { json in
      json.key("rows")
      json.array { json in
        for place in contents.changes.indices where count < limit {
          let change = contents.changes[place]
          guard change.subject == UInt16(known), change.number == number ?? 0,
            change.form != .seen
          else { continue }
          func value(_ whole: JSON?) -> JSON {
            (field.isEmpty ? whole : whole?[field]) ?? .null
          }
          let old = value(before(place, contents, &window))
          let new = value(after(change, contents, &window))
          guard old != new else { continue }
          count += 1
          let event = contents.events[Int(change.position)]
          json.object { json in
            sequence(of: change, contents, &json)
            json.member("time", event.time)
            json.member("type", contents.types[Int(event.type)].name)
            json.member("origin", contents.origins[Int(event.origin)].name)
            json.member("before", old)
            json.member("after", new)
          }
        }
      }
    }
  }

  /// Lists all states and records as they were after an event, as far as the session knew them.
  ///
  /// - Parameters:
  ///   - sequence: The number of the event.
  ///   - first: The first record.
  ///   - limit: How many records at most.
  ///   - text: What a record contains, in any case; empty for all.
  /// - Returns: The values, each with the event that it is from.
  /// - Throws: That there is no such event.
  public func state(
    after sequence: UInt64,
    from first: Int,
    limit: Int,
    text: String
  ) throws(Refusal) -> [UInt8] {
    let contents = index.contents
    let position = try position(of: sequence, contents)
    var latest: [Identity: Int] = [:]
    for place in contents.changes.indices {
      let change = contents.changes[place]
      guard change.position <= position else { break }
      latest[Identity(subject: change.subject, number: change.number)] = place
    }
    let known = latest.sorted {
      ($0.key.subject, $0.key.number) < ($1.key.subject, $1.key.number)
    }
    var window = LineWindow(index.file)
    var total = 0
    return Self.object { json in
      json.member("seq", Int64(clamping: sequence))
      json.key("states")
      json.array { json in
        for (_, place) in known where contents.changes[place].form == .state {
          let change = contents.changes[place]
          json.object { json in
            json.member("name", contents.subjects[Int(change.subject)].name)
            json.member("value", after(change, contents, &window) ?? .null)
            self.sequence(of: change, contents, &json)
          }
        }
      }
      json.key("records")
      json.object { json in
        json.key("rows")
        json.array { json in
          for (_, place) in known where contents.changes[place].form != .state {
            let change = contents.changes[place]
            let isWanted = total >= first && total < first + limit
            guard isWanted || !text.isEmpty || change.isWrite else {
              total += 1
              continue
            }
            guard let value = after(change, contents, &window),
              text.isEmpty || Self.contains(text, value, change)
            else { continue }
            if isWanted {
              json.object { json in
                identity(of: change, contents, &json)
                json.member("value", value)
                self.sequence(of: change, contents, &json)
              }
            }
            total += 1
          }
        }
        json.member("from", first)
        json.member("total", total)
      }
    }
  }

  private static func contains(_ text: String, _ value: JSON, _ change: Change) -> Bool {
    "#\(change.number) \(value)".range(of: text, options: .caseInsensitive) != nil
  }

  // MARK: Reading changes

  private func identity(
    of change: Change,
    _ contents: RecordingContents,
    _ json: inout JSONWriter
  ) {
    json.member("kind", contents.subjects[Int(change.subject)].name)
    json.member("number", change.number)
    json.member("revision", change.revision)
  }

  private func sequence(
    of change: Change,
    _ contents: RecordingContents,
    _ json: inout JSONWriter
  ) {
    json.member("seq", Int64(clamping: contents.events[Int(change.position)].sequence))
  }

  /// The indices of the changes after an event.
  private func changes(at position: Int, _ contents: RecordingContents) -> [Int] {
    var (low, high) = (0, contents.changes.count)
    while low < high {
      let middle = (low + high) / 2
      if contents.changes[middle].position < position { low = middle + 1 } else { high = middle }
    }
    var places: [Int] = []
    while low < contents.changes.count, contents.changes[low].position == position {
      places.append(low)
      low += 1
    }
    return places
  }

  private func body(
    of change: Change,
    _ contents: RecordingContents,
    _ window: inout LineWindow
  ) -> JSON? {
    guard let body = body(at: Int(change.source), contents, &window) else { return nil }
    guard change.form != .state else { return body }
    guard case .array(let elements)? = body["success"] ?? body["changes"],
      Int(change.element) < elements.count
    else { return nil }
    return elements[Int(change.element)]
  }

  /// The value after a change; nil if the record was gone.
  private func after(
    _ change: Change,
    _ contents: RecordingContents,
    _ window: inout LineWindow
  ) -> JSON? {
    let body = body(of: change, contents, &window)
    let value =
      change.form == .written
      ? body?["after"]
      : change.form == .reverted
        ? body?["before"] : body?["value"]
    if case .null? = value { return nil }
    return value
  }

  /// The value before the change with an index; nil if there was none.
  private func before(
    _ place: Int,
    _ contents: RecordingContents,
    _ window: inout LineWindow
  ) -> JSON? {
    let change = contents.changes[place]
    guard change.form == .state else {
      let body = body(of: change, contents, &window)
      let value = change.form == .written ? body?["before"] : body?["after"]
      if case .null? = value { return nil }
      return value
    }
    let earlier = contents.changes[..<place]
      .last {
        $0.subject == change.subject && $0.number == change.number
      }
    return earlier.flatMap { after($0, contents, &window) }
  }
}

extension Change {
  /// Whether a record was written, or a write reverted: the record may be gone.
  fileprivate var isWrite: Bool { form == .written || form == .reverted }
}
