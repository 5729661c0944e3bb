import JSONText

@testable import SessionRecorder

/// The lines of a recording, and how bytes have them changed.
struct RecordingEdits {
  private var lines: [[UInt8]]
  /// Bytes of a line that has no end.
  private var tail: [UInt8] = []

  init(_ recording: [UInt8]) {
    lines = recording.split(separator: 0x0A).map(Array.init)
  }

  /// The recording as it is now.
  var bytes: [UInt8] { lines.flatMap { $0 + [0x0A] } + tail }

  /// Makes one change.
  mutating func edit(_ choices: inout Choices) {
    guard !lines.isEmpty else { return }
    let kind = choices.byte() % 12
    let index = Int(choices.byte()) % lines.count
    let other = Int(choices.byte())
    switch kind {
    case 0: lines.remove(at: index)
    case 1: lines.insert(lines[index], at: other % (lines.count + 1))
    case 2: lines.swapAt(index, other % lines.count)
    case 3:
      tail = Array(lines[index].prefix(other))
      lines.removeSubrange(index...)
    case 4: lines.insert(Self.sealed(Self.crafted(&choices)), at: index)
    case 5: lines[index][other * 7 % lines[index].count] ^= 1 << (choices.byte() & 7)
    case 6: change(index, other) { _ in nil }
    case 7: change(index, other, isSealed: false) { Self.another($0, &choices) }
    default: change(index, other) { Self.another($0, &choices) }
    }
  }

  // MARK: A value

  /// Changes a value of a line, and mostly has the line say that it is as it was written.
  private mutating func change(
    _ index: Int,
    _ place: Int,
    isSealed: Bool = true,
    _ body: (JSON) -> JSON?
  ) {
    guard case .object(let members)? = try? JSON(parsing: lines[index]) else { return }
    let json = JSON.object(members.filter { $0.name != "check" })
    var rest = place % json.count
    let changed = json.changed(&rest, body) ?? .object([])
    if isSealed {
      lines[index] = Self.sealed(changed)
    } else {
      let check = members.first { $0.name == "check" }.map { [$0] } ?? []
      guard case .object(let others) = changed else { return }
      lines[index] = Array(JSON.object(others + check).description.utf8)
    }
  }

  /// A value in the place of another: near it, at a limit, or of another type.
  private static func another(_ json: JSON, _ choices: inout Choices) -> JSON {
    let far = choices.one(of: [
      JSON.null, .bool(true), .bool(false), .integer(0), .integer(-1), .integer(65_536),
      .integer(.max), .integer(.min), .real(1.5), .string(""), .array([]), .object([]),
      .string("\u{1B}[31m\u{202E}"), .integer(choices.int64()),
    ])
    guard choices.byte() & 1 == 0 else { return far }
    switch json {
    case .integer(let number): return .integer(number &+ choices.one(of: [1, -1, 2, 1000]))
    case .string(let text):
      return .string(choices.byte() & 1 == 0 ? text + "x" : String(text.dropLast()))
    case .bool(let flag): return .bool(!flag)
    case .array(let elements): return .array(elements + elements)
    case .object(let members): return .object(members.reversed())
    case .null, .real: return far
    }
  }

  // MARK: A line

  /// A line of any kind that the format knows, but events.
  private static func crafted(_ choices: inout Choices) -> JSON {
    let number = JSON.integer(Int64(choices.byte()))
    return choices.one(of: [
      ["released": number], ["cancelled": number], ["cancelled": number, "amid": true],
      ["ends": number, "kept": true], ["ends": number, "kept": false], ["passed": "Release"],
      ["id": "00000000-0000-4000-8000-000000000001"], ["origin": number, "name": "other"],
      ["outside": ["expected": number]], ["complete": true, "events": number],
      ["state": "AAAA"], ["state": ""], ["noState": "lost"],
      ["event": "RequestUndo", "version": number, "shape": [:]],
    ])
  }

  /// A line that says that it is as it was written.
  private static func sealed(_ json: JSON) -> [UInt8] {
    let line = Array(json.description.utf8.dropLast())
    let check = String(RecordingCheck.of(line), radix: 16)
    let zeros = String(repeating: "0", count: 8 - check.count)
    return line + Array(",\"check\":\"\(zeros)\(check)\"}".utf8)
  }
}

extension JSON {
  /// How many values there are in it, itself included.
  fileprivate var count: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.count }
    case .object(let members): members.reduce(1) { $0 + $1.value.count }
    default: 1
    }
  }

  /// It with the value changed before which so many stand, or removed where nil takes its place.
  fileprivate func changed(_ rest: inout Int, _ body: (JSON) -> JSON?) -> JSON? {
    rest -= 1
    guard rest != -1 else { return body(self) }
    switch self {
    case .array(let elements): return .array(elements.compactMap { $0.changed(&rest, body) })
    case .object(let members):
      return .object(
        members.compactMap { member in
          member.value.changed(&rest, body).map { Member(member.name, $0) }
        }
      )
    default: return self
    }
  }
}
