import EventMVVM
import EventCommands
package import JSONText

/// The first difference between a replay and its recording.
package struct Divergence: Sendable {
  /// One of the events that led to it.
  package struct Link: Sendable, Equatable {
    /// The event's number.
    package let sequence: UInt64
    /// Its type.
    package let type: String
    /// The origin, for the root.
    package let origin: String?
  }

  /// The number of the event.
  package let sequence: UInt64
  /// Its position in the recording.
  package let place: String
  /// The recorded event.
  package let expected: String
  /// The replayed event.
  package let actual: String
  /// The differences, field by field.
  package let differences: [String]
  /// The event, its cause, and so on to the root.
  package let path: [Link]

  /// The divergence for a person.
  package var text: String {
    var lines = ["Divergence at event \(sequence), \(place)"]
    lines.append("  expected \(Self.shortened(expected))")
    lines.append("  got      \(Self.shortened(actual))")
    for difference in differences.prefix(10) { lines.append("  differs  \(difference)") }
    if differences.count > 10 { lines.append("           … and \(differences.count - 10) more") }
    for (index, link) in path.enumerated() {
      let arrow = index == 0 ? "  path     " : "         ← "
      lines.append(arrow + "\(link.sequence) \(link.type)" + (link.origin.map { " (\($0))" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }

  private static func shortened(_ text: String) -> String {
    text.count > 400 ? text.prefix(400) + "…" : text
  }

  /// The divergence for a program.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("event", Int64(clamping: sequence))
      json.member("place", place)
      json.member("expected", expected)
      json.member("got", actual)
      json.member("differences", JSON.array(differences.map { .string($0) }))
      json.key("path")
      json.array { json in
        for link in path {
          json.object {
            $0.member("event", Int64(clamping: link.sequence))
            $0.member("type", link.type)
            $0.member("origin", link.origin)
          }
        }
      }
    }
  }
}

extension JSON {
  /// Returns the differences of two values, each as a sentence.
  ///
  /// - Parameters:
  ///   - expected: The other value.
  ///   - additions: Members that only this one may have.
  ///   - place: Where the values are.
  /// - Returns: The sentences.
  func differences(
    from expected: JSON,
    except additions: [Member] = [],
    at place: String = "body"
  ) -> [String] {
    switch (expected, self) {
    case (.object(let old), .object(let new)):
      let gone = old.filter { member in !new.contains { $0.name == member.name } }
        .map { "\(place).\($0.name): \($0.value.brief) expected, nothing got" }
      return gone
        + new.flatMap { member -> [String] in
          let inner = "\(place).\(member.name)"
          guard let old = old.first(where: { $0.name == member.name }) else {
            return additions.contains(member)
              ? [] : ["\(inner): nothing expected, \(member.value.brief) got"]
          }
          return member.value.differences(from: old.value, except: additions, at: inner)
        }
    case (.array(let old), .array(let new)) where old.count == new.count:
      return zip(old, new).enumerated()
        .flatMap { index, pair in
          pair.1.differences(from: pair.0, except: additions, at: "\(place)[\(index)]")
        }
    case (.array(let old), .array(let new)):
      return ["\(place): \(old.count) elements expected, \(new.count) got"]
    default:
      return expected == self ? [] : ["\(place): \(expected.brief) expected, \(brief) got"]
    }
  }

  /// The text, or its beginning.
  private var brief: String {
    let text = description
    return text.count > 80 ? text.prefix(80) + "…" : text
  }
}
